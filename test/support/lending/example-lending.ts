import { createHash } from 'node:crypto';
import { type Address, addressFromBytes, ZERO_ADDRESS } from '#core/base/encoding/address.ts';
import { bytesFromText } from '#core/base/encoding/bytes.ts';
import { ONE_BSF } from '#core/base/numbers/big-scaled-fraction.ts';
import { toLamports } from '#core/base/numbers/lamports.ts';
import { sfFromInt } from '#core/base/numbers/scaled-fraction.ts';
import type { RawAccount } from '#core/base/solana/account.ts';
import { type Slot, toSlot } from '#core/base/time.ts';
import type { LookupTable } from '#core/builders/build.ts';
import { userState } from '#core/protocol/farms/layout/user-state.ts';
import { userStateAddress } from '#core/protocol/farms/pda.ts';
import { FARMS_PROGRAM } from '#core/protocol/farms/program.ts';
import { type LendingMarket, lendingMarket } from '#core/protocol/klend/layout/lending-market.ts';
import { type Obligation, obligation } from '#core/protocol/klend/layout/obligation.ts';
import { type Reserve, reserve } from '#core/protocol/klend/layout/reserve.ts';
import { userMetadata } from '#core/protocol/klend/layout/user-metadata.ts';
import { obligationAddress, userMetadataAddress } from '#core/protocol/klend/pda.ts';
import { KLEND_PROGRAM } from '#core/protocol/klend/program.ts';
import { associatedTokenAddress } from '#core/protocol/spl/associated-token.ts';
import {
  addressLookupTable,
  NOT_DEACTIVATED,
} from '#core/protocol/spl/layout/address-lookup-table.ts';
import { mint as mintLayout } from '#core/protocol/spl/layout/mint.ts';
import {
  ADDRESS_LOOKUP_TABLE_PROGRAM,
  SYSTEM_PROGRAM,
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
  WRAPPED_SOL_MINT,
} from '#core/protocol/spl/programs.ts';
import type { ClusterReader } from '#core/state/cluster-reader.ts';
import { ClusterState } from '#core/state/cluster-state.ts';
import type { BuildInputs } from '../builders/load-build-context.ts';
import { silentLog } from '../fakes/silent-log.ts';
import type { GoldenAccount } from '../golden/golden.ts';
import { exampleRentLamports, exampleTokenAccount } from '../localnet/example-token.ts';
import {
  emptyMarket,
  exampleReserve,
  exampleSolReserve,
  MARKET,
  NOW,
  SLOT,
} from './lending-accounts.ts';

/** An address derived from a name. */
export const exampleAddress = (name: string): Address =>
  addressFromBytes(Uint8Array.from(createHash('sha256').update(name).digest()));

export const EXAMPLE_WALLET = exampleAddress('wallet');
export const EXAMPLE_REFERRER = exampleAddress('referrer');
export const EXAMPLE_LOOKUP_TABLE = exampleAddress('lookup table');
export const EXAMPLE_LOAN = obligationAddress({
  kind: 'vanilla',
  owner: EXAMPLE_WALLET,
  lendingMarket: MARKET,
});

export type ExampleReserve = { readonly address: Address; readonly fields: Reserve };

/** Sixteen reserves: each combination of farms and token program twice. The first one is SOL. */
export const EXAMPLE_RESERVES: readonly ExampleReserve[] = Array.from({ length: 16 }, (_, i) => ({
  address: exampleAddress(`reserve ${i}`),
  fields: createReserve(i),
}));

function createReserve(i: number): Reserve {
  const base = i === 0 ? exampleSolReserve() : exampleReserve();
  const { tokenInfo } = base.config;
  const name = new Uint8Array(tokenInfo.name.length);
  name.set(bytesFromText(i === 0 ? 'SOL' : `T${i}`));
  const at = (what: string): Address => exampleAddress(`${what} ${i}`);
  return {
    ...base,
    lendingMarket: MARKET,
    farmCollateral: i % 2 === 1 ? at('collateral farm') : ZERO_ADDRESS,
    farmDebt: i % 4 > 1 ? at('debt farm') : ZERO_ADDRESS,
    liquidity: {
      ...base.liquidity,
      mintPubkey: i === 0 ? WRAPPED_SOL_MINT : at('mint'),
      supplyVault: at('supply'),
      feeVault: at('fees'),
      tokenProgram: i % 8 > 3 ? TOKEN_2022_PROGRAM : TOKEN_PROGRAM,
    },
    collateral: { ...base.collateral, mintPubkey: at('cToken'), supplyVault: at('cTokens') },
    config: {
      ...base.config,
      tokenInfo: {
        ...tokenInfo,
        name,
        scopeConfiguration: { ...tokenInfo.scopeConfiguration, priceFeed: exampleAddress('feed') },
      },
    },
  };
}

export type ExampleReserveAmount = { readonly reserve: ExampleReserve; readonly amount: bigint };

/** An entry of the obligation, undefined if unused. Amounts are in cTokens and lamports. */
export type PositionSlot = ExampleReserveAmount | undefined;

type ExampleLoan = {
  readonly deposits?: readonly PositionSlot[];
  readonly borrows?: readonly PositionSlot[];
  readonly elevationGroup?: number;
  readonly referrer?: Address;
  /** Slot of its last change. */
  readonly slot?: bigint;
  readonly owner?: Address;
};

export type ExampleWallet = {
  readonly lamports?: bigint;
  readonly loan?: ExampleLoan;
  /** Defaults to true with a loan. */
  readonly hasMetadata?: boolean;
  readonly referrer?: Address;
  readonly lookupTable?: Address;
  readonly tokens?: readonly ExampleReserveAmount[];
  /** Farms with a user state of the loan. */
  readonly farms?: readonly Address[];
  readonly market?: LendingMarket;
  readonly reserves?: readonly ExampleReserve[];
  /** The slot of the state. Defaults to the slot of the examples. */
  readonly slot?: Slot;
  /** Lookup tables in the state. */
  readonly tables?: readonly LookupTable[];
  readonly more?: readonly (readonly [Address, GoldenAccount])[];
};

/** A market with reserves and one wallet, at the slot of the examples. */
export function exampleLending(wallet: ExampleWallet = {}): BuildInputs {
  const { market, reserves = EXAMPLE_RESERVES, tables, slot } = wallet;
  defaultMints ??= createMints(EXAMPLE_RESERVES);
  const accounts = new Map(reserves === EXAMPLE_RESERVES ? defaultMints : createMints(reserves));
  for (const [address, account] of walletAccounts(wallet)) accounts.set(address, account);
  const isDefault = [market, wallet.reserves, tables, slot].every((part) => part === undefined);
  defaultState ??= createState({});
  return { state: isDefault ? defaultState : createState(wallet), accounts };
}

/** Cached because most tests use the defaults. */
let defaultState: ClusterReader | undefined;
let defaultMints: ReadonlyMap<Address, GoldenAccount> | undefined;

const createMints = (reserves: readonly ExampleReserve[]): Map<Address, GoldenAccount> =>
  new Map(reserves.map(({ fields }) => [fields.liquidity.mintPubkey, createMint(fields)]));

function createState(wallet: ExampleWallet): ClusterReader {
  const { market = emptyMarket(), reserves = EXAMPLE_RESERVES, tables = [], slot = SLOT } = wallet;
  const state = new ClusterState({ log: silentLog });
  const put = (address: Address, account: RawAccount) => state.apply({ address, account, slot });
  put(MARKET, klendAccount(lendingMarket.encode(market)));
  for (const { address, fields } of reserves) put(address, klendAccount(reserve.encode(fields)));
  for (const table of tables) put(table.address, lookupTableAccount(table.addresses));
  state.setAt({ slot, unix: NOW });
  return state;
}

function walletAccounts(wallet: ExampleWallet): (readonly [Address, GoldenAccount])[] {
  const { lamports = 10n ** 12n, loan, farms = [], tokens = [], more = [] } = wallet;
  const account = { owner: SYSTEM_PROGRAM, lamports, data: new Uint8Array() };
  const metadata = klendAccount(createMetadata(wallet));
  const hasMetadata = wallet.hasMetadata ?? loan !== undefined;
  return [
    [EXAMPLE_WALLET, account],
    ...(hasMetadata ? [[userMetadataAddress(EXAMPLE_WALLET), metadata] as const] : []),
    ...(loan === undefined ? [] : [[EXAMPLE_LOAN, createLoanAccount(loan)] as const]),
    ...farms.map((farm) => [userStateAddress(farm, EXAMPLE_LOAN), createFarmUser()] as const),
    ...tokens.map((token) => tokensOf(token)),
    ...more,
  ];
}

const createLoanAccount = (loan: ExampleLoan): GoldenAccount =>
  klendAccount(obligation.encode(createObligation(loan)));

/** An active table unless `deactivationSlot` is given. */
export function lookupTableAccount(
  addresses: readonly Address[],
  deactivationSlot = NOT_DEACTIVATED,
): GoldenAccount {
  const data = addressLookupTable.encode({
    discriminator: 1,
    deactivationSlot,
    lastExtendedSlot: toSlot(1n),
    lastExtendedSlotStartIndex: 0,
    authorityTag: 1,
    authority: EXAMPLE_WALLET,
    padding: 0,
    addresses,
  });
  return { owner: ADDRESS_LOOKUP_TABLE_PROGRAM, lamports: exampleRentLamports(data), data };
}

const klendAccount = (data: Uint8Array): GoldenAccount => ({
  owner: KLEND_PROGRAM,
  lamports: exampleRentLamports(data),
  data,
});

function createMint({ liquidity }: Reserve): GoldenAccount {
  const data = mintLayout.encode({
    mintAuthorityTag: 0,
    mintAuthority: ZERO_ADDRESS,
    supply: toLamports(0n),
    decimals: Number(liquidity.mintDecimals),
    isInitialized: 1,
    freezeAuthorityTag: 0,
    freezeAuthority: ZERO_ADDRESS,
    extensions: undefined,
  });
  return { owner: liquidity.tokenProgram, lamports: exampleRentLamports(data), data };
}

export const tokenAccountAddress = ({ fields: { liquidity } }: ExampleReserve): Address =>
  associatedTokenAddress(EXAMPLE_WALLET, liquidity.mintPubkey, liquidity.tokenProgram);

function tokensOf({ reserve, amount }: ExampleReserveAmount): [Address, GoldenAccount] {
  const { mintPubkey: mint, tokenProgram } = reserve.fields.liquidity;
  const held = { mint, tokenProgram, owner: EXAMPLE_WALLET, amount };
  return [tokenAccountAddress(reserve), exampleTokenAccount(held)];
}

const createMetadata = ({ referrer = ZERO_ADDRESS, lookupTable = ZERO_ADDRESS }: ExampleWallet) =>
  userMetadata.encode({
    ...zeroed(userMetadata),
    referrer,
    userLookupTable: lookupTable,
    owner: EXAMPLE_WALLET,
  });

function createFarmUser(): GoldenAccount {
  const data = userState.encode(zeroed(userState));
  return { owner: FARMS_PROGRAM, lamports: exampleRentLamports(data), data };
}

function createObligation(loan: ExampleLoan): Obligation {
  const empty = zeroed(obligation);
  const { deposits = [], borrows = [], slot = SLOT } = loan;
  return {
    ...empty,
    lendingMarket: MARKET,
    owner: loan.owner ?? EXAMPLE_WALLET,
    referrer: loan.referrer ?? ZERO_ADDRESS,
    elevationGroup: loan.elevationGroup ?? 0,
    lastUpdate: { ...empty.lastUpdate, slot: toSlot(slot), stale: 1 },
    deposits: empty.deposits.map((free, i) => {
      const entry = deposits[i];
      if (entry === undefined) return free;
      return { ...free, depositReserve: entry.reserve.address, depositedAmount: entry.amount };
    }),
    borrows: empty.borrows.map((free, i) => {
      const entry = borrows[i];
      if (entry === undefined) return free;
      const cumulativeBorrowRateBsf = { ...free.cumulativeBorrowRateBsf, value: ONE_BSF };
      const borrowedAmountSf = sfFromInt(entry.amount);
      const borrowReserve = entry.reserve.address;
      return { ...free, borrowReserve, borrowedAmountSf, cumulativeBorrowRateBsf };
    }),
  };
}

const zeroed = <Value>(layout: {
  body: { size: number; decode(source: DataView, offset: number): Value };
}): Value => layout.body.decode(new DataView(new ArrayBuffer(layout.body.size)), 0);
