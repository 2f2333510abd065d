import {
  type Address,
  addressToBytes,
  bytesFromText,
  findProgramAddress,
  sfFromBits,
  ZERO_ADDRESS,
} from '@tidegate/core/base';
import { FARMS_PROGRAM } from '@tidegate/core/protocol/farms';
import { initializeUser } from '@tidegate/core/protocol/farms/instructions';
import {
  klendRejection,
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
import {
  initObligation as newObligation,
  requireNotObsolete,
} from '@tidegate/core/protocol/klend/operations';
import { RENT_SYSVAR, SYSTEM_PROGRAM } from '@tidegate/core/protocol/spl';
import { mint } from '@tidegate/core/protocol/spl/layout';
import type { InvokeContext } from '../../runtime/program.ts';
import { ProgramFailure } from '../../runtime/transaction-errors.ts';
import { readAccount, writeAccount } from '../../runtime/typed-accounts.ts';
import {
  anchorFailure,
  anchorHandler,
  type InstructionHandler,
} from '../framework/anchor-program.ts';
import { createPdaAccount } from '../framework/create-pda-account.ts';
import { farmKindOfMode, reserveFarm } from './farm-stake.ts';
import {
  type InstructionAccounts,
  type LendingCall,
  readMarket,
  readObligation,
  readReserve,
  requireAddresses,
  requireMarketAuthority,
  requirePrograms,
} from './lending-constraints.ts';

/** Accounts that a user needs before the first operation. */
export const userAccountHandlers = (rules: LendingRules): InstructionHandler[] => [
  anchorHandler(initUserMetadata, 9_900, ({ accounts, args }, call) => {
    createMetadata(call, accounts, args.userLookupTable);
  }),
  anchorHandler(initObligation, 12_500, ({ accounts, args }, call) => {
    createObligation({ call, rules }, accounts, args);
  }),
  anchorHandler(initObligationFarmsForReserve, 14_700, ({ accounts, args }, call) => {
    createFarmUser(call, accounts, args.mode);
  }),
  anchorHandler(initReferrerTokenState, 12_000, ({ accounts }, call) => {
    createReferrerTokenState(call, accounts);
  }),
];

function createMetadata(
  call: InvokeContext,
  accounts: InstructionAccounts<typeof initUserMetadata.accounts>,
  userLookupTable: Address,
): void {
  const { owner, feePayer, userMetadata: address, referrerUserMetadata } = accounts;
  requireInitAccounts(call, accounts);
  const seeds = [bytesFromText('user_meta'), addressToBytes(owner)];
  const bump = requireSeeds(call, { slot: 'userMetadata', address, seeds });
  const referrer =
    referrerUserMetadata === undefined
      ? ZERO_ADDRESS
      : readAccount(call, userMetadata, referrerUserMetadata).owner;
  createPdaAccount(call, { address, payer: feePayer, size: userMetadata.size });
  const fields = {
    referrer,
    bump: BigInt(bump),
    userLookupTable,
    owner,
    padding1: new Uint8Array(408),
    padding2: new Uint8Array(512),
  };
  writeAccount(call, userMetadata, { address, fields });
}

function createObligation(
  { call, rules }: LendingCall,
  accounts: InstructionAccounts<typeof initObligation.accounts>,
  { tag, id }: { readonly tag: number; readonly id: number },
): void {
  const { obligationOwner: owner, obligation: address, lendingMarket: market } = accounts;
  const { seed1Account, seed2Account, ownerUserMetadata, feePayer } = accounts;
  const context = { market: readMarket(call, market), time: call.time, rules };
  requireInitAccounts(call, accounts);
  const keys = [owner, market, seed1Account, seed2Account].map(addressToBytes);
  const seeds = [Uint8Array.of(tag), Uint8Array.of(id), ...keys];
  requireSeeds(call, { slot: 'obligation', address, seeds });
  const { referrer } = readAccount(call, userMetadata, ownerUserMetadata);
  if (ownerUserMetadata !== userMetadataAddress(owner, call.program)) {
    throw anchorFailure(call, 'ConstraintSeeds', 'ownerUserMetadata');
  }
  createPdaAccount(call, { address, payer: feePayer, size: obligation.size });
  requireSeedAccounts(call, tag, [seed1Account, seed2Account]);
  const fields = newObligation({ owner, market, tag, referrer }, context);
  writeAccount(call, obligation, { address, fields });
}

/** The kind determines the valid seeds. The program panics at others. */
function requireSeedAccounts(
  call: InvokeContext,
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

function createFarmUser(
  call: InvokeContext,
  accounts: InstructionAccounts<typeof initObligationFarmsForReserve.accounts>,
  mode: number,
): void {
  const { lendingMarket, lendingMarketAuthority, owner, payer } = accounts;
  requirePrograms(call, accounts, { farmsProgram: FARMS_PROGRAM });
  requireInitAccounts(call, accounts);
  readMarket(call, lendingMarket);
  readObligation(call, accounts.obligation, { market: lendingMarket, owner });
  requireMarketAuthority(call, lendingMarket, lendingMarketAuthority);
  const reserve = readReserve(call, accounts.reserve, { market: lendingMarket });
  requireNotObsolete(reserve);
  const farmState = reserveFarm(reserve, farmKindOfMode(mode));
  if (farmState !== accounts.reserveFarmState) {
    throw klendRejection('InvalidAccountInput', `the farm of the reserve is ${farmState}`);
  }
  const instruction = initializeUser.build(FARMS_PROGRAM, {
    accounts: {
      authority: lendingMarketAuthority,
      payer,
      owner,
      delegatee: accounts.obligation,
      userState: accounts.obligationFarm,
      farmState,
      systemProgram: SYSTEM_PROGRAM,
      rent: RENT_SYSVAR,
    },
    args: {},
  });
  call.invoke(instruction, [lendingMarketAuthority]);
}

function createReferrerTokenState(
  call: InvokeContext,
  accounts: InstructionAccounts<typeof initReferrerTokenState.accounts>,
): void {
  const { payer, lendingMarket, referrer, referrerTokenState: address } = accounts;
  readMarket(call, lendingMarket);
  const { liquidity } = readReserve(call, accounts.reserve, { market: lendingMarket });
  requireInitAccounts(call, accounts);
  const keys = [referrer, accounts.reserve].map(addressToBytes);
  const seeds = [bytesFromText('referrer_acc'), ...keys];
  const bump = requireSeeds(call, { slot: 'referrerTokenState', address, seeds });
  createPdaAccount(call, { address, payer, size: referrerTokenState.size });
  const fields = {
    referrer,
    mint: liquidity.mintPubkey,
    bump: BigInt(bump),
    amountUnclaimedSf: sfFromBits(0n),
    amountCumulativeSf: sfFromBits(0n),
    padding: new Uint8Array(248),
  };
  writeAccount(call, referrerTokenState, { address, fields });
}

type InitAccounts = { readonly rent: Address; readonly systemProgram: Address };

function requireInitAccounts(call: InvokeContext, { rent, systemProgram }: InitAccounts): void {
  requirePrograms(call, { systemProgram }, { systemProgram: SYSTEM_PROGRAM });
  requireAddresses(call, { rent }, { rent: RENT_SYSVAR });
}

type SeededAccount = {
  readonly slot: string;
  readonly address: Address;
  readonly seeds: readonly Uint8Array[];
};

/** Requires an address derived from the seeds and returns its bump. */
function requireSeeds(call: InvokeContext, { slot, address, seeds }: SeededAccount): number {
  const derived = findProgramAddress(seeds, call.program);
  if (derived.address !== address) throw anchorFailure(call, 'ConstraintSeeds', slot);
  return derived.bump;
}
