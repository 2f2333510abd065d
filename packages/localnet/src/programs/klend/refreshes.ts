import { type Address, bytesEqual, type Instruction, ZERO_ADDRESS } from '@tidegate/core/base';
import { FARMS_PROGRAM } from '@tidegate/core/protocol/farms';
import { isTrustedCall, klendRejection, type LendingRules } from '@tidegate/core/protocol/klend';
import {
  calculateCtokenExchangeRate,
  ctokenExchangeRate,
  refreshObligation,
  refreshObligationFarmsForReserve,
  refreshReserve,
  refreshReservesBatch,
  requestElevationGroup,
} from '@tidegate/core/protocol/klend/instructions';
import { type Reserve, reserve as reserveLayout } from '@tidegate/core/protocol/klend/layout';
import {
  collateralWorth,
  exchangeRate,
  isPriceReloadDue,
} from '@tidegate/core/protocol/klend/math';
import {
  type LendingContext,
  type ObligationPosition,
  type RefreshedPosition,
  refreshObligation as refreshedPosition,
  refreshReserve as refreshedReserve,
  requestElevationGroup as regrouped,
  requireFresh,
} from '@tidegate/core/protocol/klend/operations';
import { RENT_SYSVAR, SYSTEM_PROGRAM } from '@tidegate/core/protocol/spl';
import type { InvokeContext } from '../../runtime/program.ts';
import { ProgramFailure } from '../../runtime/transaction-errors.ts';
import { readAccount } from '../../runtime/typed-accounts.ts';
import {
  anchorFailure,
  anchorHandler,
  type InstructionHandler,
} from '../framework/anchor-program.ts';
import { type FarmKind, farmKindOfMode, reserveFarm, setFarmStake } from './farm-stake.ts';
import { creditReferralInterest } from './fees.ts';
import {
  type LendingCall,
  loadMarketContext,
  readObligation,
  readReserve,
  requireAddresses,
  requireMarketAuthority,
  requirePrograms,
} from './lending-constraints.ts';
import { type OracleAccounts, readOracle } from './oracle-reading.ts';
import {
  logPosition,
  logPrice,
  readObligationReserves,
  writeLendingPosition,
  writeReserve,
} from './position-accounts.ts';

const UNITS = 16_500;
const BATCH_UNITS = 1_000;
const UNITS_PER_RESERVE = 7_900;
const RATE_UNITS = 3_000;

export const refreshReserveHandlers = (rules: LendingRules): InstructionHandler[] => [
  anchorHandler(refreshReserve, UNITS, ({ accounts, remaining }, call) => {
    const { reserve, lendingMarket, ...oracles } = accounts;
    const context = loadMarketContext({ call, rules }, lendingMarket);
    readReserve(call, reserve, { market: lendingMarket });
    if (remaining.length > 0) throw klendRejection('InvalidAccountInput', 'accounts are left over');
    refresh({ call, rules }, context, { reserve, oracles });
  }),
  anchorHandler(refreshReservesBatch, BATCH_UNITS, ({ args, remaining }, call) => {
    if (args.skipPriceUpdates > 1) throw anchorFailure(call, 'InstructionDidNotDeserialize');
    const width = args.skipPriceUpdates === 1 ? 2 : 6;
    for (let offset = 0; offset < remaining.length; offset += width) {
      call.consumeUnits(UNITS_PER_RESERVE);
      refreshBatchEntry({ call, rules }, remaining.slice(offset, offset + width), width);
    }
  }),
  anchorHandler(calculateCtokenExchangeRate, RATE_UNITS, ({ accounts, remaining }, call) => {
    if (remaining.length > 0) throw klendRejection('InvalidAccountInput', 'accounts are left over');
    const reserve = readAccount(call, reserveLayout, accounts.reserve);
    requireFresh(reserve, { time: call.time }, { what: 'Reserve', checks: 0 });
    call.setReturnData(encodeExchangeRate(reserve, rules));
  }),
];

/** The program's decimals of cTokens, whatever those of their liquidity are. */
const ONE_CTOKEN = 1_000_000n;

function encodeExchangeRate(reserve: Reserve, rules: LendingRules): Uint8Array {
  const { mintDecimals } = reserve.liquidity;
  if (mintDecimals > 255n) throw klendRejection('IntegerOverflow', `${mintDecimals} decimals`);
  const exchangeRateSf = collateralWorth(exchangeRate(reserve, rules), ONE_CTOKEN);
  const bytes = new Uint8Array(ctokenExchangeRate.size);
  ctokenExchangeRate.encode(new DataView(bytes.buffer), 0, {
    exchangeRateSf,
    mintDecimals: Number(mintDecimals),
  });
  return bytes;
}

/** `accounts`: the reserve, its market and, if prices are loaded, its four oracles. */
function refreshBatchEntry(
  lending: LendingCall,
  accounts: readonly Address[],
  width: number,
): void {
  const { call } = lending;
  const [reserve, lendingMarket, ...oracles] = accounts;
  if (reserve === undefined || lendingMarket === undefined) {
    throw klendRejection('InvalidAccountInput', 'Missing lending market account');
  }
  const fields = readAccount(call, reserveLayout, reserve);
  if (!call.isWritable(reserve)) throw anchorFailure(call, 'AccountNotMutable');
  if (fields.lendingMarket !== lendingMarket) {
    throw klendRejection('InvalidAccountInput', `the reserve ${reserve} is of another market`);
  }
  const context = loadMarketContext(lending, lendingMarket);
  if (accounts.length < width) throw klendRejection('InvalidAccountInput', 'Missing price account');
  const isPriced = width > 2;
  refresh(lending, context, {
    reserve,
    oracles: isPriced ? toOracleAccounts(call, oracles) : undefined,
  });
}

function toOracleAccounts(call: InvokeContext, addresses: readonly Address[]): OracleAccounts {
  const present = addresses.map((address) => (address === call.program ? undefined : address));
  const [pythOracle, switchboardPriceOracle, switchboardTwapOracle, scopePrices] = present;
  return { pythOracle, switchboardPriceOracle, switchboardTwapOracle, scopePrices };
}

/** Without oracles, the price stays. Those of a reserve in emergency mode are not even checked. */
function refresh(
  lending: LendingCall,
  context: LendingContext,
  { reserve, oracles }: { readonly reserve: Address; readonly oracles: OracleAccounts | undefined },
): void {
  const { call } = lending;
  const before = readAccount(call, reserveLayout, reserve);
  const { priceRefreshTriggerToMaxAgePct } = context.market;
  const isDue = isPriceReloadDue(before, priceRefreshTriggerToMaxAgePct, call.time.unix);
  const reading =
    oracles === undefined || !isDue || before.config.emergencyMode !== 0
      ? { price: undefined, twap: undefined }
      : readOracle(lending, before.config.tokenInfo, oracles);
  const after = refreshedReserve(before, context, reading);
  writeReserve(call, reserve, after);
  if (oracles !== undefined) logPrice(call, after);
}

const UNITS_PER_POSITION = 13_000;

export const refreshObligationHandlers = (rules: LendingRules): InstructionHandler[] => [
  anchorHandler(refreshObligation, 4_300, ({ accounts, remaining }, call) => {
    call.consumeUnits(UNITS_PER_POSITION * remaining.length);
    changePosition({ call, rules }, { ...accounts, remaining }, refreshedPosition);
  }),
  anchorHandler(requestElevationGroup, 4_300, ({ accounts, args, remaining }, call) => {
    call.consumeUnits(UNITS_PER_POSITION * remaining.length);
    const requested = args.elevationGroup;
    const { obligation } = changePosition(
      { call, rules },
      { ...accounts, remaining },
      (position, context) => regrouped(position, context, requested),
    );
    const previous = `Previous elevation group: ${obligation.elevationGroup} .`;
    call.log(`${previous} Requested elevation group for: ${requested}`);
  }),
  anchorHandler(refreshObligationFarmsForReserve, 13_600, ({ accounts, args, remaining }, call) => {
    const { lendingMarket, lendingMarketAuthority, reserve } = accounts;
    loadMarketContext({ call, rules }, lendingMarket);
    requirePrograms(call, accounts, { farmsProgram: FARMS_PROGRAM, systemProgram: SYSTEM_PROGRAM });
    requireAddresses(call, accounts, { rent: RENT_SYSVAR });
    requireMarketAuthority(call, lendingMarket, lendingMarketAuthority);
    readReserve(call, reserve, { market: lendingMarket });
    if (remaining.length > 0) throw klendRejection('InvalidAccountInput', 'accounts are left over');
    setFarmStake(call, accounts, { ...accounts, kind: farmKindOfMode(args.mode) });
  }),
];

type PositionChange = {
  readonly lendingMarket: Address;
  readonly obligation: Address;
  /** Set if only the owner may do it. */
  readonly owner?: Address;
  readonly remaining: readonly Address[];
};

/**
 * Runs an operation on all positions of an obligation, whose reserves are the remaining accounts.
 * Returns the position before it.
 */
function changePosition(
  lending: LendingCall,
  { lendingMarket, obligation: address, owner, remaining }: PositionChange,
  operation: (position: ObligationPosition, context: LendingContext) => RefreshedPosition,
): ObligationPosition {
  const { call, rules } = lending;
  const context = loadMarketContext(lending, lendingMarket);
  const ownerConstraint = owner === undefined ? {} : { owner };
  const obligation = readObligation(call, address, { market: lendingMarket, ...ownerConstraint });
  const { reserves, referrerTokenStates } = readObligationReserves(call, obligation, remaining);
  const position = { obligation, reserves };
  const after = operation(position, context);
  logPosition(call, after, rules);
  const fees = after.referrerFees;
  creditReferralInterest(call, { position, context, states: referrerTokenStates, fees });
  writeLendingPosition(call, address, { before: position, after });
  return position;
}

type RequiredInstruction = {
  readonly discriminator: Uint8Array;
  /** By index among the accounts of the instruction. */
  readonly accounts: readonly (readonly [accountIndex: number, address: Address])[];
};

type OperationReserve = { readonly reserve: Address; readonly kind: FarmKind };

/** A V1 instruction must directly follow its refreshes and precede those of the farms. */
export function requireRefreshOrder(
  call: InvokeContext,
  obligation: Address,
  operations: readonly OperationReserve[],
): void {
  call.log('Beginning check_refresh');
  requireTrustedCaller(call);
  const reserves = [...new Set(operations.map(({ reserve }) => reserve))];
  const farms = operations.flatMap((operation) => farmRefresh(call, obligation, operation));
  const before: RequiredInstruction[] = [
    ...reserves.map((reserve) => ({
      discriminator: refreshReserve.discriminator,
      accounts: [[0, reserve] as const],
    })),
    { discriminator: refreshObligation.discriminator, accounts: [[1, obligation]] },
    ...farms,
  ];
  before.reverse().forEach((required, i) => {
    requireAt(call, call.index - 1 - i, required);
  });
  farms.forEach((required, i) => {
    requireAt(call, call.index + 1 + i, required);
  });
  call.log('Finished check_refresh');
}

function requireTrustedCaller(call: InvokeContext): void {
  const outermost = call.instructions[call.index]?.programAddress;
  if (isTrustedCall(outermost, call.stackHeight)) return;
  throw klendRejection('CpiDisabled', 'the program that calls may not');
}

function farmRefresh(
  call: InvokeContext,
  obligation: Address,
  { reserve, kind }: OperationReserve,
): RequiredInstruction[] {
  const farm = reserveFarm(readAccount(call, reserveLayout, reserve), kind);
  if (farm === ZERO_ADDRESS) return [];
  const { discriminator } = refreshObligationFarmsForReserve;
  return [
    {
      discriminator,
      accounts: [
        [3, reserve],
        [1, obligation],
        [4, farm],
      ],
    },
  ];
}

/**
 * The program panics at data shorter than a discriminator, and checks the program before the
 * instruction.
 */
function requireAt(call: InvokeContext, index: number, required: RequiredInstruction): void {
  const instruction: Instruction | undefined = call.instructions[index];
  if (instruction === undefined) throw orderError(index);
  if (instruction.data.length < required.discriminator.length) {
    throw new ProgramFailure('ProgramFailedToComplete');
  }
  if (instruction.programAddress !== call.program)
    throw anchorFailure(call, 'RequireKeysEqViolated');
  if (!bytesEqual(instruction.data.subarray(0, 8), required.discriminator)) throw orderError(index);
  for (const [accountIndex, address] of required.accounts) {
    const account = instruction.accounts[accountIndex];
    if (account === undefined) throw orderError(index);
    if (account.address !== address) throw anchorFailure(call, 'RequireKeysEqViolated');
  }
}

const orderError = (index: number) =>
  klendRejection(
    'IncorrectInstructionInPosition',
    `instruction ${index} is not the refresh needed`,
  );
