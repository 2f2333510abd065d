import {
  type Address,
  addressToBytes,
  bytesOfText,
  findProgramAddress,
  sfFromBits,
  ZERO_ADDRESS,
} from '@tidegate/core/base';
import { FARMS_PROGRAM } from '@tidegate/core/protocol/farms';
import { initializeUser } from '@tidegate/core/protocol/farms/instructions';
import {
  klendRefuses,
  type LendingRules,
  OBLIGATION_TAGS,
  userMetadataAddress,
} from '@tidegate/core/protocol/klend';
import {
  initObligation,
  initObligationFarmsForReserve,
  initReferrerTokenState,
  initUserMetadata,
} from '@tidegate/core/protocol/klend/instructions';
import { obligation, referrerTokenState, userMetadata } from '@tidegate/core/protocol/klend/layout';
import { initObligation as newObligation } from '@tidegate/core/protocol/klend/operations';
import { RENT_SYSVAR, SYSTEM_PROGRAM } from '@tidegate/core/protocol/spl';
import { mint } from '@tidegate/core/protocol/spl/layout';
import type { Call } from '../../runtime/program.ts';
import { ProgramFailure } from '../../runtime/transaction-errors.ts';
import { readFields, writeFields } from '../../runtime/typed-accounts.ts';
import { anchorFails, type Handler, handles } from '../framework/anchor-program.ts';
import { createDerivedAccount } from '../framework/create-pda-account.ts';
import { farmKind, farmOf } from './farm-stake.ts';
import {
  type Lending,
  type Named,
  readMarket,
  readObligation,
  readReserve,
  requireActive,
  requireAddresses,
  requireAuthority,
  requirePrograms,
} from './lending-constraints.ts';

/** Accounts that a user needs before the first operation. */
export const userAccountHandlers = (rules: LendingRules): Handler[] => [
  handles(initUserMetadata, 9_900, ({ accounts, args }, call) => {
    makeMetadata(call, accounts, args.userLookupTable);
  }),
  handles(initObligation, 12_500, ({ accounts, args }, call) => {
    makeObligation({ call, rules }, accounts, args);
  }),
  handles(initObligationFarmsForReserve, 14_700, ({ accounts, args }, call) => {
    makeFarmUser(call, accounts, args.mode);
  }),
  handles(initReferrerTokenState, 12_000, ({ accounts }, call) => {
    makeReferrerTokenState(call, accounts);
  }),
];

function makeMetadata(
  call: Call,
  accounts: Named<typeof initUserMetadata.slots>,
  userLookupTable: Address,
): void {
  const { owner, feePayer, userMetadata: address, referrerUserMetadata } = accounts;
  requireInitSlots(call, accounts);
  const seeds = [bytesOfText('user_meta'), addressToBytes(owner)];
  const bump = requireSeeds(call, { slot: 'userMetadata', address, seeds });
  const referrer =
    referrerUserMetadata === undefined
      ? ZERO_ADDRESS
      : readFields(call, userMetadata, referrerUserMetadata).owner;
  createDerivedAccount(call, { address, payer: feePayer, size: userMetadata.size });
  const fields = {
    ...{ referrer, bump: BigInt(bump), userLookupTable, owner },
    padding1: new Uint8Array(408),
    padding2: new Uint8Array(512),
  };
  writeFields(call, userMetadata, { address, fields });
}

function makeObligation(
  { call, rules }: Lending,
  accounts: Named<typeof initObligation.slots>,
  { tag, id }: { readonly tag: number; readonly id: number },
): void {
  const { obligationOwner: owner, obligation: address, lendingMarket: market } = accounts;
  const { seed1Account, seed2Account, ownerUserMetadata, feePayer } = accounts;
  const terms = { market: readMarket(call, market), time: call.time, rules };
  requireInitSlots(call, accounts);
  const keys = [owner, market, seed1Account, seed2Account].map(addressToBytes);
  const seeds = [Uint8Array.of(tag), Uint8Array.of(id), ...keys];
  requireSeeds(call, { slot: 'obligation', address, seeds });
  const { referrer } = readFields(call, userMetadata, ownerUserMetadata);
  if (ownerUserMetadata !== userMetadataAddress(owner, call.program)) {
    throw anchorFails(call, 'ConstraintSeeds', 'ownerUserMetadata');
  }
  createDerivedAccount(call, { address, payer: feePayer, size: obligation.size });
  requireSeedAccounts(call, tag, [seed1Account, seed2Account]);
  const fields = newObligation({ owner, market, tag, referrer }, terms);
  writeFields(call, obligation, { address, fields });
}

/** What the two seeds may be depends on the kind. The program does not refuse others, it stops. */
function requireSeedAccounts(
  call: Call,
  tag: number,
  [seed1, seed2]: readonly [Address, Address],
): void {
  const { vanilla, multiply, lending, leverage } = OBLIGATION_TAGS;
  const isMint = (address: Address) => mint.matches(call.account(address));
  const isWrong =
    (tag === vanilla && (seed1 !== ZERO_ADDRESS || seed2 !== ZERO_ADDRESS)) ||
    (tag === lending && (!isMint(seed1) || seed1 !== seed2)) ||
    ((tag === multiply || tag === leverage) && !(isMint(seed1) && isMint(seed2)));
  if (isWrong) throw new ProgramFailure('ProgramFailedToComplete');
}

function makeFarmUser(
  call: Call,
  accounts: Named<typeof initObligationFarmsForReserve.slots>,
  mode: number,
): void {
  const { lendingMarket, lendingMarketAuthority, owner, payer } = accounts;
  requirePrograms(call, accounts, { farmsProgram: FARMS_PROGRAM });
  requireInitSlots(call, accounts);
  readMarket(call, lendingMarket);
  readObligation(call, accounts.obligation, { market: lendingMarket, owner });
  requireAuthority(call, lendingMarket, lendingMarketAuthority);
  const reserve = readReserve(call, accounts.reserve, { market: lendingMarket });
  requireActive(reserve);
  const farmState = farmOf(reserve, farmKind(mode));
  if (farmState !== accounts.reserveFarmState) {
    throw klendRefuses('InvalidAccountInput', `the farm of the reserve is ${farmState}`);
  }
  const instruction = initializeUser.build(FARMS_PROGRAM, {
    accounts: {
      ...{ authority: lendingMarketAuthority, payer, owner, delegatee: accounts.obligation },
      ...{ userState: accounts.obligationFarm, farmState },
      ...{ systemProgram: SYSTEM_PROGRAM, rent: RENT_SYSVAR },
    },
    args: {},
  });
  call.invoke(instruction, [lendingMarketAuthority]);
}

function makeReferrerTokenState(
  call: Call,
  accounts: Named<typeof initReferrerTokenState.slots>,
): void {
  const { payer, lendingMarket, referrer, referrerTokenState: address } = accounts;
  readMarket(call, lendingMarket);
  const { liquidity } = readReserve(call, accounts.reserve, { market: lendingMarket });
  requireInitSlots(call, accounts);
  const keys = [referrer, accounts.reserve].map(addressToBytes);
  const seeds = [bytesOfText('referrer_acc'), ...keys];
  const bump = requireSeeds(call, { slot: 'referrerTokenState', address, seeds });
  createDerivedAccount(call, { address, payer, size: referrerTokenState.size });
  const fields = {
    ...{ referrer, mint: liquidity.mintPubkey, bump: BigInt(bump) },
    amountUnclaimedSf: sfFromBits(0n),
    amountCumulativeSf: sfFromBits(0n),
    padding: new Uint8Array(248),
  };
  writeFields(call, referrerTokenState, { address, fields });
}

type InitSlots = { readonly rent: Address; readonly systemProgram: Address };

function requireInitSlots(call: Call, { rent, systemProgram }: InitSlots): void {
  requirePrograms(call, { systemProgram }, { systemProgram: SYSTEM_PROGRAM });
  requireAddresses(call, { rent }, { rent: RENT_SYSVAR });
}

type Seeded = {
  readonly slot: string;
  readonly address: Address;
  readonly seeds: readonly Uint8Array[];
};

/** The bump of an address that must follow from the seeds. */
function requireSeeds(call: Call, { slot, address, seeds }: Seeded): number {
  const derived = findProgramAddress(seeds, call.program);
  if (derived.address !== address) throw anchorFails(call, 'ConstraintSeeds', slot);
  return derived.bump;
}
