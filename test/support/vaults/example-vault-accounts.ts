import { type Address, ZERO_ADDRESS } from '#core/base/encoding/address.ts';
import { bytesFromText } from '#core/base/encoding/bytes.ts';
import { toLamports } from '#core/base/numbers/lamports.ts';
import { sfFromInt } from '#core/base/numbers/scaled-fraction.ts';
import { toSlot, toUnixSeconds } from '#core/base/time.ts';
import { type FarmState, farmState } from '#core/protocol/farms/layout/farm-state.ts';
import { globalConfig as farmsConfig } from '#core/protocol/farms/layout/global-config.ts';
import { type UserState, userState } from '#core/protocol/farms/layout/user-state.ts';
import type { RewardInfo } from '#core/protocol/farms/operations/refresh.ts';
import { userStateAddress } from '#core/protocol/farms/pda.ts';
import { FARMS_PROGRAM } from '#core/protocol/farms/program.ts';
import { lendingMarket } from '#core/protocol/klend/layout/lending-market.ts';
import { type Reserve, reserve } from '#core/protocol/klend/layout/reserve.ts';
import { KLEND_PROGRAM } from '#core/protocol/klend/program.ts';
import { globalConfig } from '#core/protocol/kvault/layout/global-config.ts';
import {
  type VaultAllocation,
  type VaultState,
  vaultState,
} from '#core/protocol/kvault/layout/vault-state.ts';
import { globalConfigAddress } from '#core/protocol/kvault/pda.ts';
import { KVAULT_PROGRAM } from '#core/protocol/kvault/program.ts';
import type { VaultRules } from '#core/protocol/kvault/releases.ts';
import { NEWEST_RULES } from '#core/protocol/releases/program-rules.ts';
import { associatedTokenAddress } from '#core/protocol/spl/associated-token.ts';
import { SYSTEM_PROGRAM, TOKEN_PROGRAM, WRAPPED_SOL_MINT } from '#core/protocol/spl/programs.ts';
import { ClusterState } from '#core/state/cluster-state.ts';
import type { BuildInputs } from '../builders/load-build-context.ts';
import { silentLog } from '../fakes/silent-log.ts';
import { farmWith, rewardWith, userWith } from '../farms/farm-accounts.ts';
import type { GoldenAccount } from '../golden/golden.ts';
import { exampleAddress } from '../lending/example-lending.ts';
import { curve, emptyMarket, exampleReserve, NOW, SLOT } from '../lending/lending-accounts.ts';
import { exampleRentLamports, exampleTokenAccount } from '../localnet/example-token.ts';
import { vaultWith } from './example-vault.ts';

export const HOLDER = exampleAddress('saver');
export const EXAMPLE_VAULT = exampleAddress('vault');
export const SHARE_FARM = exampleAddress('farm of shares');
const FARMS_CONFIG = exampleAddress('farms config');
export const SHARE_MINT = exampleAddress('shares');
export const REWARD_MINT = exampleAddress('reward');
export const TOKEN_MINT = exampleAddress('token');

/** A reserve of the vault. By default a cToken is worth one lamport and there is no interest. */
export type ReserveHolding = {
  /** The vault's cTokens. */
  readonly ctokens: bigint;
  /** The allocation weight. Defaults to zero. */
  readonly weight?: bigint;
  /** Available tokens, borrowed tokens and the supply of cTokens. */
  readonly available?: bigint;
  readonly borrowed?: bigint;
  readonly minted?: bigint;
  /** The yearly borrow rate. */
  readonly rateBps?: number;
  readonly queued?: bigint;
  readonly config?: Partial<Reserve['config']>;
};

type ExampleHolder = {
  readonly lamports?: bigint;
  readonly tokens?: bigint;
  /** Undefined without a share account. */
  readonly loose?: bigint | undefined;
  readonly staked?: bigint;
  readonly user?: Partial<UserState>;
};

export type ExampleVaultOptions = {
  readonly isSol?: boolean;
  /** Defaults to the Token program. */
  readonly tokenProgram?: Address;
  readonly holdings?: readonly ReserveHolding[];
  readonly vault?: Partial<Omit<VaultState, 'vaultAllocationStrategy'>>;
  /** No farm by default. */
  readonly farm?: Partial<FarmState>;
  /** The rewards of the farm. Defaults to one reward of ten per second. */
  readonly rewards?: readonly Partial<RewardInfo>[];
  readonly penalty?: { readonly bps: bigint; readonly lamports: bigint };
  readonly holder?: ExampleHolder;
  /** Defaults to those of the newest release. */
  readonly rules?: VaultRules;
  /** Slots of 400 ms since the last refresh. */
  readonly later?: bigint;
  readonly more?: readonly (readonly [Address, GoldenAccount | undefined])[];
};

export const vaultReserveAddress = (i: number): Address => exampleAddress(`vault reserve ${i}`);
export const vaultMarketAddress = (i: number): Address => exampleAddress(`vault market ${i % 2}`);

/** A vault with its reserves, its farm and one wallet, as inputs of a builder. */
export function exampleVaultAccounts(options: ExampleVaultOptions = {}): BuildInputs {
  const mint = options.isSol === true ? WRAPPED_SOL_MINT : TOKEN_MINT;
  const holdings = options.holdings ?? [];
  const accounts = new Map<Address, GoldenAccount>();
  const put = (address: Address, owner: Address, data: Uint8Array) =>
    accounts.set(address, { owner, data, lamports: exampleRentLamports(data) });
  holdings.forEach((holding, i) => {
    put(vaultReserveAddress(i), KLEND_PROGRAM, reserve.encode(reserveOf(i, mint, holding)));
    put(vaultMarketAddress(i), KLEND_PROGRAM, lendingMarket.encode(emptyMarket()));
  });
  put(EXAMPLE_VAULT, KVAULT_PROGRAM, vaultState.encode(vaultOf(mint, options)));
  put(globalConfigAddress(), KVAULT_PROGRAM, configOf(options));
  put(
    FARMS_CONFIG,
    FARMS_PROGRAM,
    farmsConfig.encode({ ...zeroed(farmsConfig), treasuryFeeBps: 1_000n }),
  );
  if (options.farm !== undefined) put(SHARE_FARM, FARMS_PROGRAM, farmState.encode(farmOf(options)));
  const { lamports = 10n ** 12n, tokens, loose, staked = 0n, user } = options.holder ?? {};
  accounts.set(HOLDER, { owner: SYSTEM_PROGRAM, lamports, data: new Uint8Array() });
  if (tokens !== undefined) accounts.set(...holderTokenAccount(mint, tokens));
  if (loose !== undefined) accounts.set(...holderTokenAccount(SHARE_MINT, loose));
  if (staked > 0n || user !== undefined) {
    const fields = userOf(staked, user ?? {});
    put(userStateAddress(SHARE_FARM, HOLDER), FARMS_PROGRAM, userState.encode(fields));
  }
  for (const [address, account] of options.more ?? []) {
    if (account === undefined) accounts.delete(address);
    else accounts.set(address, account);
  }
  const rules = { ...NEWEST_RULES, ...(options.rules && { vaults: options.rules }) };
  const state = new ClusterState({ log: silentLog, rulesAt: () => rules });
  for (const [address, account] of accounts) state.apply({ address, account, slot: SLOT });
  const { later = 0n } = options;
  state.setAt({ slot: toSlot(SLOT + later), unix: toUnixSeconds(NOW + (later * 2n) / 5n) });
  return { state, accounts };
}

function reserveOf(i: number, mintPubkey: Address, holding: ReserveHolding): Reserve {
  const { available = 10n ** 9n, borrowed = 0n, minted = available + borrowed } = holding;
  const { rateBps = 0, queued = 0n } = holding;
  const base = exampleReserve();
  const { tokenInfo } = base.config;
  const name = new Uint8Array(tokenInfo.name.length);
  name.set(bytesFromText('TOK'));
  return {
    ...base,
    lendingMarket: vaultMarketAddress(i),
    liquidity: {
      ...base.liquidity,
      mintPubkey,
      totalAvailableAmount: toLamports(available),
      borrowedAmountSf: sfFromInt(borrowed),
      accumulatedProtocolFeesSf: sfFromInt(0n),
      supplyVault: exampleAddress(`supply ${i}`),
      tokenProgram: TOKEN_PROGRAM,
    },
    collateral: {
      ...base.collateral,
      mintPubkey: exampleAddress(`cToken ${i}`),
      mintTotalSupply: minted,
    },
    withdrawQueue: { ...base.withdrawQueue, queuedCollateralAmount: queued },
    config: {
      ...base.config,
      hostFixedInterestRateBps: 0,
      borrowRateCurve: curve([
        [0, rateBps],
        [10_000, rateBps],
      ]),
      tokenInfo: { ...tokenInfo, name },
      ...holding.config,
    },
  };
}

function vaultOf(tokenMint: Address, options: ExampleVaultOptions): VaultState {
  const { isSol, tokenProgram = TOKEN_PROGRAM, holdings = [], vault, farm } = options;
  const name = new Uint8Array(40);
  name.set(bytesFromText('Made'));
  const decimals = isSol === true ? 9n : 6n;
  const allocations = holdings.map(
    ({ ctokens, weight = 0n }, i): Partial<VaultAllocation> => ({
      reserve: vaultReserveAddress(i),
      ctokenVault: exampleAddress(`cToken vault ${i}`),
      ctokenAllocation: ctokens,
      targetAllocationWeight: weight,
      tokenAllocationCap: toLamports(weight),
    }),
  );
  return vaultWith(
    {
      name,
      tokenMint,
      tokenMintDecimals: decimals,
      tokenProgram,
      tokenVault: exampleAddress('token vault'),
      baseVaultAuthority: exampleAddress('vault authority'),
      sharesMint: SHARE_MINT,
      sharesMintDecimals: decimals,
      vaultFarm: farm === undefined ? ZERO_ADDRESS : SHARE_FARM,
      lastFeeChargeTimestamp: NOW,
      prevAumSf: sfFromInt(0n),
      ...vault,
    },
    allocations,
  );
}

const configOf = ({ penalty }: ExampleVaultOptions): Uint8Array =>
  globalConfig.encode({
    ...zeroed(globalConfig),
    withdrawalPenaltyBps: penalty?.bps ?? 0n,
    withdrawalPenaltyLamports: toLamports(penalty?.lamports ?? 0n),
  });

/** No rewards are issued yet. The total stake is twice the stake of the wallet. */
function farmOf({ farm, rewards = [{}], holder }: ExampleVaultOptions): FarmState {
  const staked = 2n * (holder?.staked ?? 0n);
  return farmWith(
    {
      token: farmToken(SHARE_MINT),
      globalConfig: FARMS_CONFIG,
      farmVault: exampleAddress('farm vault'),
      farmVaultsAuthority: exampleAddress('farm authority'),
      totalStakedAmount: toLamports(staked),
      totalActiveStakeScaled: staked * WAD,
      ...farm,
    },
    rewards.map((reward) =>
      rewardWith({
        token: farmToken(REWARD_MINT),
        rewardsVault: exampleAddress('rewards vault'),
        lastIssuanceTs: NOW,
        ...reward,
      }),
    ),
  );
}

export const farmToken = (mint: Address): FarmState['token'] => ({
  mint,
  decimals: 6n,
  tokenProgram: TOKEN_PROGRAM,
  padding: new Uint8Array(48),
});

const WAD = 10n ** 18n;

const userOf = (staked: bigint, changes: Partial<UserState>): UserState =>
  userWith({
    farmState: SHARE_FARM,
    owner: HOLDER,
    delegatee: HOLDER,
    activeStakeScaled: staked * WAD,
    ...changes,
  });

/** The wallet's token account. */
export const holderTokenAccount = (mint: Address, amount: bigint): [Address, GoldenAccount] => [
  associatedTokenAddress(HOLDER, mint, TOKEN_PROGRAM),
  exampleTokenAccount({ mint, owner: HOLDER, tokenProgram: TOKEN_PROGRAM, amount }),
];

const zeroed = <Value>(layout: {
  body: { size: number; decode(source: DataView, offset: number): Value };
}): Value => layout.body.decode(new DataView(new ArrayBuffer(layout.body.size)), 0);
