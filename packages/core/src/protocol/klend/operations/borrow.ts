import { type Address, ZERO_ADDRESS } from '../../../base/encoding/address.ts';
import { bsfFromBits } from '../../../base/numbers/big-scaled-fraction.ts';
import { type Lamports, toLamports, U64_MAX } from '../../../base/numbers/lamports.ts';
import {
  addSf,
  ceilSf,
  divSf,
  floorSf,
  minSf,
  mulSf,
  type Sf,
  sfFromBits,
  sfFromInt,
  sfFromPercent,
  subSfToZero,
} from '../../../base/numbers/scaled-fraction.ts';
import { toUnixSeconds } from '../../../base/time.ts';
import { klendRejection } from '../errors.ts';
import type { Obligation } from '../layout/obligation.ts';
import type { Reserve } from '../layout/reserve.ts';
import { availableLiquidity } from '../math/available-liquidity.ts';
import { findElevationGroup, isInGroup } from '../math/elevation-group.ts';
import { loanFees } from '../math/fees.ts';
import { remainingBorrowValue, unhealthyLoanToValue } from '../math/health.ts';
import { amountOfValue, borrowFactor, marketValue } from '../math/market-value.ts';
import { ALL_PRICE_CHECKS } from '../math/price-status.ts';
import { totalSupply } from '../math/supply.ts';
import { addToWithdrawalAccum } from '../math/withdrawal-caps.ts';
import { trackNewDebt } from './debt-trackers.ts';
import { requireCompatibleOrders } from './obligation-orders.ts';
import {
  elementAt,
  findOrAllocateIndex,
  hasDeposits,
  type LendingContext,
  markStale,
  type ObligationBorrow,
  type ObligationPosition,
  RESERVE_STATUS_OBSOLETE,
  requireFresh,
  requireMinNetValue,
  requireNoEmergencyMode,
  requireNonZeroAmount,
  reserveOf,
  withAssetTiers,
  withReserve,
} from './position.ts';

export type BorrowRequest = {
  readonly reserve: Address;
  /** Lamports to receive; all of 64 bits for as many as are allowed. */
  readonly amount: bigint;
};

export type LoanAmounts = {
  /** What the debt grows by. */
  readonly debt: Sf;
  readonly received: Lamports;
  readonly protocolFee: Lamports;
  /** Added to the referrer's token state; stays in the reserve until claimed. */
  readonly referrerFee: Lamports;
};

/** Borrows against the obligation's deposits. */
export function borrow(
  position: ObligationPosition,
  terms: LendingContext,
  { reserve: address, amount }: BorrowRequest,
): ObligationPosition & LoanAmounts {
  const { obligation } = position;
  const reserve = reserveOf(position.reserves, address);
  requireNonZeroAmount(amount);
  requireBorrowable(obligation, reserve, terms);
  const loan = loanAmounts(obligation, reserve, { amount, terms });
  const owed = ceilSf(loan.debt);
  const lent = lend(reserve, loan, terms);
  const addresses = obligation.borrows.map(({ borrowReserve }) => borrowReserve);
  const { place, isNew } = findOrAllocateIndex(addresses, address);
  const before = elementAt(obligation.borrows, place);
  const opened = isNew ? openBorrow(before, address, lent) : before;
  requireTerm(opened, reserve, terms);
  const grown = {
    ...opened,
    borrowedAmountSf: addSf(opened.borrowedAmountSf, loan.debt),
    lastBorrowedAtTimestamp:
      terms.rules.borrowTime === 'recorded' ? terms.time.unix : opened.lastBorrowedAtTimestamp,
  };
  const borrows = obligation.borrows.map((item, i) => (i === place ? grown : item));
  const indebted = markStale({ ...obligation, borrows, hasDebt: 1 });
  requireCompatibleOrders(indebted);
  requireDebtReserveOfGroup(obligation, terms, address);
  const tracked = trackNewDebt(
    { obligation: indebted, reserves: withReserve(position.reserves, address, markStale(lent)) },
    { borrow: place, reserve: address },
    owed,
  );
  requireSoundLoan(obligation, terms, { reserve, loan, previousValue: opened.marketValueSf });
  return { ...tracked, obligation: withAssetTiers(tracked.obligation, terms), ...loan };
}

function requireBorrowable(obligation: Obligation, reserve: Reserve, terms: LendingContext): void {
  const { market, time } = terms;
  requireNoEmergencyMode(terms, reserve);
  if (reserve.config.status === RESERVE_STATUS_OBSOLETE)
    throw klendRejection('ReserveObsolete', 'it is wound up');
  if (market.borrowDisabled !== 0)
    throw klendRejection('BorrowingDisabled', 'the market is closed');
  requireFresh(reserve, terms, { what: 'Reserve', checks: ALL_PRICE_CHECKS });
  const maturity = reserve.config.debtMaturityTimestamp;
  if (maturity !== 0n && time.unix >= maturity) {
    throw klendRejection('ReserveDebtMaturityReached', 'loans of this reserve are due');
  }
  if (obligation.autodeleverageMarginCallStartedTimestamp !== 0n) {
    throw klendRejection('ObligationCurrentlyMarkedForDeleveraging', 'it must shrink');
  }
  if (obligation.numOfObsoleteBorrowReserves + obligation.numOfObsoleteDepositReserves > 0) {
    throw klendRejection(
      'ObligationInObsoleteReserve',
      'leave the reserves that are wound up first',
    );
  }
  requireRefreshedDeposits(obligation, terms);
  const group = findElevationGroup(market, obligation.elevationGroup);
  if (group !== undefined && !isInGroup(reserve.config, group)) {
    throw klendRejection('InconsistentElevationGroup', `the reserve is not in group ${group.id}`);
  }
  if (group !== undefined && group.allowNewLoans === 0) {
    throw klendRejection('ElevationGroupNewLoansDisabled', `group ${group.id} is closed`);
  }
  if (group === undefined && obligation.borrowingDisabled > 0) {
    throw klendRejection('BorrowingDisabledOutsideElevationGroup', 'a deposit backs groups only');
  }
}

/** A group lends one token. */
function requireDebtReserveOfGroup(
  obligation: Obligation,
  terms: LendingContext,
  address: Address,
): void {
  const group = findElevationGroup(terms.market, obligation.elevationGroup);
  if (group === undefined || group.debtReserve === address) return;
  const reason = `group ${group.id} lends ${group.debtReserve}`;
  throw klendRejection('ElevationGroupHasAnotherDebtReserve', reason);
}

/** Refused unless the obligation is refreshed with all price checks and its deposits have a value. */
export function requireRefreshedDeposits(obligation: Obligation, terms: LendingContext): void {
  requireFresh(obligation, terms, { what: 'Obligation', checks: ALL_PRICE_CHECKS });
  if (!hasDeposits(obligation)) {
    throw klendRejection('ObligationDepositsEmpty', 'there is nothing to borrow against');
  }
  if (obligation.depositedValueSf === 0n) {
    throw klendRejection('ObligationDepositsZero', 'its deposits have no value');
  }
}

function loanAmounts(
  obligation: Obligation,
  reserve: Reserve,
  { amount, terms }: { readonly amount: bigint; readonly terms: LendingContext },
): LoanAmounts {
  const room = remainingBorrowValue(obligation);
  if (room === 0n) throw klendRejection('BorrowTooLarge', 'its deposits allow no more debt');
  const capacity = remainingCapacity(reserve);
  if (capacity === 0n) throw klendRejection('BorrowLimitExceeded', 'the reserve lends no more');
  const available = sfFromInt(availableLiquidity(reserve, terms.rules));
  const factor = borrowFactor(reserve.config.borrowFactorPct, obligation.elevationGroup !== 0);
  const fees = {
    rate: reserve.config.fees.originationFeeSf,
    referralFeeBps: terms.market.referralFeeBps,
    hasReferrer: obligation.referrer !== ZERO_ADDRESS,
  };
  if (amount === U64_MAX) {
    const most = divSf(amountOfValue(reserve.liquidity, room), factor);
    const debt = minSf(most, minSf(capacity, available));
    const { protocol, referrer } = loanFees(debt, { ...fees, kind: 'inclusive' });
    const received = toLamports(floorSf(debt) - protocol - referrer);
    return requireReceived({ debt, received, protocolFee: protocol, referrerFee: referrer });
  }
  const { protocol, referrer } = loanFees(sfFromInt(amount), { ...fees, kind: 'exclusive' });
  const debt = sfFromInt(amount + protocol + referrer);
  const limits: [Sf, Sf, Parameters<typeof klendRejection>[0]][] = [
    [mulSf(marketValue(reserve.liquidity, debt), factor), room, 'BorrowTooLarge'],
    [debt, capacity, 'BorrowLimitExceeded'],
    [debt, available, 'InsufficientLiquidity'],
  ];
  const exceeded = limits.find(([asked, allowed]) => asked > allowed);
  if (exceeded !== undefined) {
    throw klendRejection(exceeded[2], 'with its fee it is more than what is left');
  }
  return requireReceived({
    debt,
    received: toLamports(amount),
    protocolFee: protocol,
    referrerFee: referrer,
  });
}

function requireReceived(loan: LoanAmounts): LoanAmounts {
  if (loan.received === 0n) throw klendRejection('BorrowTooSmall', 'fees take all of it');
  return loan;
}

const remainingCapacity = ({ config, liquidity }: Reserve): Sf =>
  subSfToZero(sfFromInt(config.borrowLimit), liquidity.borrowedAmountSf);

/** The reserve after the loan. The referrer's fee stays in it. */
function lend(reserve: Reserve, loan: LoanAmounts, terms: LendingContext): Reserve {
  const { liquidity, config } = reserve;
  const debtWithdrawalCap = addToWithdrawalAccum(
    config.debtWithdrawalCap,
    ceilSf(loan.debt),
    terms.time.unix,
  );
  const borrowedAmountSf = addSf(liquidity.borrowedAmountSf, loan.debt);
  const limitPct = config.utilizationLimitBlockBorrowingAbovePct;
  const limit = sfFromPercent(BigInt(limitPct));
  if (limitPct !== 0 && divSf(borrowedAmountSf, totalSupply(liquidity)) >= limit) {
    const reason = `${limitPct} % or more of the supply would be borrowed`;
    throw klendRejection('BorrowingAboveUtilizationRateDisabled', reason);
  }
  const out = floorSf(loan.debt) - loan.referrerFee;
  return {
    ...reserve,
    config: { ...config, debtWithdrawalCap },
    liquidity: {
      ...liquidity,
      borrowedAmountSf,
      totalAvailableAmount: toLamports(liquidity.totalAvailableAmount - out),
      accumulatedReferrerFeesSf: addSf(
        liquidity.accumulatedReferrerFeesSf,
        sfFromInt(loan.referrerFee),
      ),
    },
  };
}

function openBorrow(free: ObligationBorrow, address: Address, reserve: Reserve): ObligationBorrow {
  const { cumulativeBorrowRateBsf } = reserve.liquidity;
  return {
    ...emptyBorrow(free),
    borrowReserve: address,
    cumulativeBorrowRateBsf: {
      ...free.cumulativeBorrowRateBsf,
      value: cumulativeBorrowRateBsf.value,
    },
  };
}

/** A free place among the debts. */
export function emptyBorrow(borrow: ObligationBorrow): ObligationBorrow {
  const { cumulativeBorrowRateBsf, padding2 } = borrow;
  return {
    borrowReserve: ZERO_ADDRESS,
    cumulativeBorrowRateBsf: {
      value: bsfFromBits(0n),
      padding: new Uint8Array(cumulativeBorrowRateBsf.padding.length),
    },
    lastBorrowedAtTimestamp: toUnixSeconds(0n),
    borrowedAmountSf: sfFromBits(0n),
    marketValueSf: sfFromBits(0n),
    borrowFactorAdjustedMarketValueSf: sfFromBits(0n),
    borrowedAmountOutsideElevationGroups: toLamports(0n),
    fixedTermBorrowRolloverConfig: {
      autoRolloverEnabled: 0,
      openTermAllowed: 0,
      migrationToFixedEnabled: 0,
      fixedTermRolloverWindowDurationDays: 0,
      maxBorrowRateBps: 0,
      minDebtTermSeconds: 0n,
    },
    borrowedAmountAtExpiration: toLamports(0n),
    padding2: new Uint8Array(padding2.length),
  };
}

/** A debt whose term is over cannot grow. */
function requireTerm(borrow: ObligationBorrow, reserve: Reserve, { time }: LendingContext): void {
  const { debtTermSeconds } = reserve.config;
  const start = borrow.lastBorrowedAtTimestamp;
  if (debtTermSeconds === 0n || start === 0n || time.unix < start + debtTermSeconds) return;
  throw klendRejection('DebtReachedReserveDebtTerm', 'repay it first');
}

/** What must hold afterwards, of values as they were refreshed before. */
function requireSoundLoan(
  obligation: Obligation,
  terms: LendingContext,
  { reserve, loan, previousValue }: { reserve: Reserve; loan: LoanAmounts; previousValue: Sf },
): void {
  const value = marketValue(reserve.liquidity, loan.debt);
  const factor = borrowFactor(reserve.config.borrowFactorPct, obligation.elevationGroup !== 0);
  requireMinNetValue(addSf(previousValue, value), terms);
  const adjusted = addSf(obligation.borrowFactorAdjustedDebtValueSf, mulSf(value, factor));
  if (divSf(adjusted, obligation.depositedValueSf) > unhealthyLoanToValue(obligation)) {
    throw klendRejection('WorseLtvThanUnhealthyLtv', 'the loan could be liquidated at once');
  }
  if (addSf(obligation.borrowedAssetsMarketValueSf, value) >= obligation.depositedValueSf) {
    throw klendRejection('LiabilitiesBiggerThanAssets', 'the debt would be worth more');
  }
}
