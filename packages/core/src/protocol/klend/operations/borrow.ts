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
import { klendRefuses } from '../errors.ts';
import type { Obligation } from '../layout/obligation.ts';
import type { Reserve } from '../layout/reserve.ts';
import { freelyAvailable } from '../math/available-liquidity.ts';
import { groupOf, isInGroup } from '../math/elevation-group.ts';
import { loanFees } from '../math/fees.ts';
import { remainingBorrowValue, unhealthyLoanToValue } from '../math/health.ts';
import { amountOfValue, borrowFactor, marketValue } from '../math/market-value.ts';
import { ALL_PRICE_CHECKS } from '../math/price-status.ts';
import { totalSupply } from '../math/supply.ts';
import { countOut } from '../math/withdrawal-caps.ts';
import { trackNewDebt } from './debt-trackers.ts';
import { requireOrdersFit } from './obligation-orders.ts';
import {
  type Borrow,
  hasDeposits,
  itemAt,
  OBSOLETE,
  type Position,
  placeFor,
  requireAmount,
  requireFresh,
  requireNetValue,
  requireOpen,
  reserveOf,
  stale,
  type Terms,
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
  position: Position,
  terms: Terms,
  { reserve: address, amount }: BorrowRequest,
): Position & LoanAmounts {
  const { obligation } = position;
  const reserve = reserveOf(position.reserves, address);
  requireAmount(amount);
  requireBorrowable(obligation, reserve, terms);
  const loan = loanAmounts(obligation, reserve, { amount, terms });
  const owed = ceilSf(loan.debt);
  const lent = lend(reserve, loan, terms);
  const addresses = obligation.borrows.map(({ borrowReserve }) => borrowReserve);
  const { place, isNew } = placeFor(addresses, address);
  const before = itemAt(obligation.borrows, place);
  const opened = isNew ? openBorrow(before, address, lent) : before;
  requireTerm(opened, reserve, terms);
  const grown = {
    ...opened,
    borrowedAmountSf: addSf(opened.borrowedAmountSf, loan.debt),
    lastBorrowedAtTimestamp:
      terms.rules.borrowTime === 'recorded' ? terms.time.unix : opened.lastBorrowedAtTimestamp,
  };
  const borrows = obligation.borrows.map((item, i) => (i === place ? grown : item));
  const indebted = stale({ ...obligation, borrows, hasDebt: 1 });
  requireOrdersFit(indebted);
  requireDebtReserveOfGroup(obligation, terms, address);
  const tracked = trackNewDebt(
    { obligation: indebted, reserves: withReserve(position.reserves, address, stale(lent)) },
    { borrow: place, reserve: address },
    owed,
  );
  requireSoundLoan(obligation, terms, { reserve, loan, previousValue: opened.marketValueSf });
  return { ...tracked, obligation: withAssetTiers(tracked.obligation, terms), ...loan };
}

function requireBorrowable(obligation: Obligation, reserve: Reserve, terms: Terms): void {
  const { market, time } = terms;
  requireOpen(terms, reserve);
  if (reserve.config.status === OBSOLETE) throw klendRefuses('ReserveObsolete', 'it is wound up');
  if (market.borrowDisabled !== 0) throw klendRefuses('BorrowingDisabled', 'the market is closed');
  requireFresh(reserve, terms, { what: 'Reserve', checks: ALL_PRICE_CHECKS });
  const maturity = reserve.config.debtMaturityTimestamp;
  if (maturity !== 0n && time.unix >= maturity) {
    throw klendRefuses('ReserveDebtMaturityReached', 'loans of this reserve are due');
  }
  if (obligation.autodeleverageMarginCallStartedTimestamp !== 0n) {
    throw klendRefuses('ObligationCurrentlyMarkedForDeleveraging', 'it must shrink');
  }
  if (obligation.numOfObsoleteBorrowReserves + obligation.numOfObsoleteDepositReserves > 0) {
    throw klendRefuses('ObligationInObsoleteReserve', 'leave the reserves that are wound up first');
  }
  requireRefreshedDeposits(obligation, terms);
  const group = groupOf(market, obligation.elevationGroup);
  if (group !== undefined && !isInGroup(reserve.config, group)) {
    throw klendRefuses('InconsistentElevationGroup', `the reserve is not in group ${group.id}`);
  }
  if (group !== undefined && group.allowNewLoans === 0) {
    throw klendRefuses('ElevationGroupNewLoansDisabled', `group ${group.id} is closed`);
  }
  if (group === undefined && obligation.borrowingDisabled > 0) {
    throw klendRefuses('BorrowingDisabledOutsideElevationGroup', 'a deposit backs groups only');
  }
}

/** A group lends one token. */
function requireDebtReserveOfGroup(obligation: Obligation, terms: Terms, address: Address): void {
  const group = groupOf(terms.market, obligation.elevationGroup);
  if (group === undefined || group.debtReserve === address) return;
  const reason = `group ${group.id} lends ${group.debtReserve}`;
  throw klendRefuses('ElevationGroupHasAnotherDebtReserve', reason);
}

/** Refused unless the obligation is refreshed with all price checks and its deposits have a value. */
export function requireRefreshedDeposits(obligation: Obligation, terms: Terms): void {
  requireFresh(obligation, terms, { what: 'Obligation', checks: ALL_PRICE_CHECKS });
  if (!hasDeposits(obligation)) {
    throw klendRefuses('ObligationDepositsEmpty', 'there is nothing to borrow against');
  }
  if (obligation.depositedValueSf === 0n) {
    throw klendRefuses('ObligationDepositsZero', 'its deposits have no value');
  }
}

function loanAmounts(
  obligation: Obligation,
  reserve: Reserve,
  { amount, terms }: { readonly amount: bigint; readonly terms: Terms },
): LoanAmounts {
  const room = remainingBorrowValue(obligation);
  if (room === 0n) throw klendRefuses('BorrowTooLarge', 'its deposits allow no more debt');
  const capacity = remainingCapacity(reserve);
  if (capacity === 0n) throw klendRefuses('BorrowLimitExceeded', 'the reserve lends no more');
  const available = sfFromInt(freelyAvailable(reserve, terms.rules));
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
  const limits: [Sf, Sf, Parameters<typeof klendRefuses>[0]][] = [
    [mulSf(marketValue(reserve.liquidity, debt), factor), room, 'BorrowTooLarge'],
    [debt, capacity, 'BorrowLimitExceeded'],
    [debt, available, 'InsufficientLiquidity'],
  ];
  const exceeded = limits.find(([asked, allowed]) => asked > allowed);
  if (exceeded !== undefined) {
    throw klendRefuses(exceeded[2], 'with its fee it is more than what is left');
  }
  return requireReceived({
    debt,
    received: toLamports(amount),
    protocolFee: protocol,
    referrerFee: referrer,
  });
}

function requireReceived(loan: LoanAmounts): LoanAmounts {
  if (loan.received === 0n) throw klendRefuses('BorrowTooSmall', 'fees take all of it');
  return loan;
}

const remainingCapacity = ({ config, liquidity }: Reserve): Sf =>
  subSfToZero(sfFromInt(config.borrowLimit), liquidity.borrowedAmountSf);

/** The reserve after the loan. The referrer's fee stays in it. */
function lend(reserve: Reserve, loan: LoanAmounts, terms: Terms): Reserve {
  const { liquidity, config } = reserve;
  const debtWithdrawalCap = countOut(config.debtWithdrawalCap, ceilSf(loan.debt), terms.time.unix);
  const borrowedAmountSf = addSf(liquidity.borrowedAmountSf, loan.debt);
  const limitPct = config.utilizationLimitBlockBorrowingAbovePct;
  const limit = sfFromPercent(BigInt(limitPct));
  if (limitPct !== 0 && divSf(borrowedAmountSf, totalSupply(liquidity)) >= limit) {
    const reason = `${limitPct} % or more of the supply would be borrowed`;
    throw klendRefuses('BorrowingAboveUtilizationRateDisabled', reason);
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

function openBorrow(free: Borrow, address: Address, reserve: Reserve): Borrow {
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
export function emptyBorrow(borrow: Borrow): Borrow {
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
function requireTerm(borrow: Borrow, reserve: Reserve, { time }: Terms): void {
  const { debtTermSeconds } = reserve.config;
  const start = borrow.lastBorrowedAtTimestamp;
  if (debtTermSeconds === 0n || start === 0n || time.unix < start + debtTermSeconds) return;
  throw klendRefuses('DebtReachedReserveDebtTerm', 'repay it first');
}

/** What must hold afterwards, of values as they were refreshed before. */
function requireSoundLoan(
  obligation: Obligation,
  terms: Terms,
  { reserve, loan, previousValue }: { reserve: Reserve; loan: LoanAmounts; previousValue: Sf },
): void {
  const value = marketValue(reserve.liquidity, loan.debt);
  const factor = borrowFactor(reserve.config.borrowFactorPct, obligation.elevationGroup !== 0);
  requireNetValue(addSf(previousValue, value), terms);
  const adjusted = addSf(obligation.borrowFactorAdjustedDebtValueSf, mulSf(value, factor));
  if (divSf(adjusted, obligation.depositedValueSf) > unhealthyLoanToValue(obligation)) {
    throw klendRefuses('WorseLtvThanUnhealthyLtv', 'the loan could be liquidated at once');
  }
  if (addSf(obligation.borrowedAssetsMarketValueSf, value) >= obligation.depositedValueSf) {
    throw klendRefuses('LiabilitiesBiggerThanAssets', 'the debt would be worth more');
  }
}
