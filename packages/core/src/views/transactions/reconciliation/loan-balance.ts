import type { Address } from '../../../base/encoding/address.ts';
import { type Bsf, rescaleSf } from '../../../base/numbers/big-scaled-fraction.ts';
import { ONE_SF, type Sf, sfFromBits } from '../../../base/numbers/scaled-fraction.ts';
import { type Slot, toSlot } from '../../../base/time.ts';
import type { LendingEventKind } from '../events/history-event.ts';
import type { FindDifference, RecordedState } from './explain-states.ts';

type LoanDebt = {
  readonly amount: Sf;
  /** The reserve's cumulative rate up to which interest is included. */
  readonly rate: Bsf;
};

/** What a loan has, by reserve. A closed loan has nothing. */
export type LoanBalance = {
  /** Slot of its last refresh: an operation of that slot used the rates of the debts. */
  readonly refreshedAt: Slot;
  /** In cTokens. */
  readonly deposits: ReadonlyMap<Address, bigint>;
  readonly debts: ReadonlyMap<Address, LoanDebt>;
};

export const EMPTY_LOAN: LoanBalance = {
  refreshedAt: toSlot(0n),
  deposits: new Map(),
  debts: new Map(),
};

export type LoanBalanceEvent = {
  readonly slot: Slot;
  readonly kind: LendingEventKind;
  readonly reserve: Address | null;
  readonly otherReserve: Address | null;
  readonly collateralAmount: bigint | null;
  readonly liquidityAmount: bigint | null;
  readonly debtAmount: bigint | null;
};

/** The cTokens that events move are exact. A debt also grows, between bounds if its rates are not known at each event. */
export const findLoanDifference: FindDifference<LoanBalance, LoanBalanceEvent> = (
  before,
  after,
  events,
) =>
  findDepositDifference(before.state, after.state, events) ??
  findDebtDifference(before, after, events);

/** 1: adds cTokens to the loan, -1: takes them from it. */
const collateralSigns: Readonly<Partial<Record<LendingEventKind, 1n | -1n>>> = {
  deposit: 1n,
  depositObligationCollateral: 1n,
  withdraw: -1n,
  withdrawObligationCollateral: -1n,
  liquidationWithdraw: -1n,
};

function findDepositDifference(
  before: LoanBalance,
  after: LoanBalance,
  events: readonly LoanBalanceEvent[],
): string | undefined {
  const deposits = new Map(before.deposits);
  for (const { kind, reserve, collateralAmount } of events) {
    const sign = collateralSigns[kind];
    if (sign === undefined || reserve === null) continue;
    deposits.set(reserve, (deposits.get(reserve) ?? 0n) + sign * (collateralAmount ?? 0n));
  }
  for (const reserve of new Set([...deposits.keys(), ...after.deposits.keys()])) {
    const [expected, actual] = [deposits.get(reserve) ?? 0n, after.deposits.get(reserve) ?? 0n];
    if (expected === actual) continue;
    return `its events make ${expected} cTokens of reserve ${reserve}, its account has ${actual}`;
  }
  return undefined;
}

/** A change of a debt, in scaled fractions of base units. */
type DebtChange = { readonly slot: Slot; readonly least: bigint; readonly most: bigint };

/** `isUnknown`: an event moved debt whose amount it does not have. */
type DebtChanges = { readonly changes: DebtChange[]; isUnknown: boolean };

function findDebtDifference(
  before: RecordedState<LoanBalance>,
  after: RecordedState<LoanBalance>,
  events: readonly LoanBalanceEvent[],
): string | undefined {
  const byReserve = collectDebtChanges(events);
  const reserves = new Set([
    ...before.state.debts.keys(),
    ...after.state.debts.keys(),
    ...byReserve.keys(),
  ]);
  for (const reserve of reserves) {
    const { changes, isUnknown } = byReserve.get(reserve) ?? NO_CHANGES;
    if (isUnknown) continue;
    const actual = after.state.debts.get(reserve)?.amount ?? 0n;
    const { least, most } = boundDebt({ before, after, reserve, changes });
    if (actual >= least && actual <= most) continue;
    const bounds = `${least / ONE_SF} to ${most / ONE_SF}`;
    return `its events make a debt of ${bounds} of reserve ${reserve}, its account has ${actual / ONE_SF}`;
  }
  return undefined;
}

const NO_CHANGES: DebtChanges = { changes: [], isUnknown: false };

function collectDebtChanges(events: readonly LoanBalanceEvent[]): Map<Address, DebtChanges> {
  const byReserve = new Map<Address, DebtChanges>();
  const changesOf = (reserve: Address): DebtChanges => {
    const known = byReserve.get(reserve);
    if (known !== undefined) return known;
    const changes: DebtChanges = { changes: [], isUnknown: false };
    byReserve.set(reserve, changes);
    return changes;
  };
  for (const event of events) {
    const { kind, reserve, otherReserve, slot } = event;
    if (reserve === null) continue;
    if (kind === 'rolloverFixedTermBorrow') {
      changesOf(reserve).isUnknown = true;
      if (otherReserve !== null) changesOf(otherReserve).isUnknown = true;
    }
    const change = debtChangeOf(event);
    if (change === 'unknown') changesOf(reserve).isUnknown = true;
    else if (change !== undefined) changesOf(reserve).changes.push({ slot, ...change });
  }
  return byReserve;
}

function debtChangeOf(event: LoanBalanceEvent): Omit<DebtChange, 'slot'> | 'unknown' | undefined {
  const { kind, debtAmount, liquidityAmount } = event;
  const amount = debtAmount === null ? undefined : debtAmount * ONE_SF;
  switch (kind) {
    case 'borrow':
      // a referrer's part of the fee is not in the transaction, and is not more than the amount
      if (amount !== undefined) return { least: amount, most: amount };
      if (liquidityAmount === null) return 'unknown';
      return { least: liquidityAmount * ONE_SF, most: 2n * liquidityAmount * ONE_SF };
    case 'repay':
    case 'liquidationRepay':
    case 'socializeLoss':
      // the paid amount is rounded up, and may end the debt
      return amount === undefined ? 'unknown' : { least: -amount, most: ONE_SF - amount };
    default:
      return undefined;
  }
}

type BoundedDebt = {
  readonly before: RecordedState<LoanBalance>;
  readonly after: RecordedState<LoanBalance>;
  readonly reserve: Address;
  readonly changes: readonly DebtChange[];
};

/** Accruing a debt in several steps rounds down this much more than in one step: less than 2^-40 base units. */
const MAX_ROUNDING_SF = 1n << 20n;

/** Between which amounts the debt must be after the changes. */
function boundDebt({ before, after, reserve, changes }: BoundedDebt) {
  const [from, to] = [before.state.debts.get(reserve), after.state.debts.get(reserve)];
  const grow = growthOf({ before, after, from, to });
  const growMost = (amount: bigint): bigint => (amount > 0n ? grow.most(amount) : amount);
  let least = from === undefined ? 0n : grow.least(from.amount);
  let most = from === undefined ? 0n : grow.most(from.amount);
  for (const change of changes) {
    const isAtRate = to !== undefined && change.slot === after.state.refreshedAt;
    least += isAtRate || change.least > 0n ? change.least : grow.most(change.least);
    most += isAtRate ? change.most : growMost(change.most);
  }
  return { least: least - MAX_ROUNDING_SF, most: most + MAX_ROUNDING_SF };
}

type Growth = Omit<BoundedDebt, 'reserve' | 'changes'> & {
  readonly from: LoanDebt | undefined;
  readonly to: LoanDebt | undefined;
};

/** By the rates of the debt before and after; by the highest rate that a reserve can have if one of them is missing. */
function growthOf({ before, after, from, to }: Growth) {
  if (from !== undefined && to !== undefined && to.rate >= from.rate) {
    const grow = (amount: bigint): bigint =>
      amount < 0n
        ? -rescaleSf(sfFromBits(-amount), to.rate, from.rate) - 1n
        : rescaleSf(sfFromBits(amount), to.rate, from.rate);
    return { least: grow, most: grow };
  }
  const slots = after.slot > before.slot ? after.slot - before.slot : 0n;
  const most = (amount: bigint): bigint =>
    amount + (amount * MAX_YEARLY_GROWTH * slots) / SLOTS_PER_YEAR + (amount < 0n ? -1n : 1n);
  return { least: (amount: bigint): bigint => amount, most };
}

/** A debt at a rate of 1,000 % a year, with slots as short as they are. */
const MAX_YEARLY_GROWTH = 10n;
const SLOTS_PER_YEAR = 63_072_000n;
