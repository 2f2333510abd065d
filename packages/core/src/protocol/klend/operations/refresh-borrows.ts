import { type Address, ZERO_ADDRESS } from '../../../base/encoding/address.ts';
import { toLamports } from '../../../base/numbers/lamports.ts';
import {
  addSf,
  ceilSf,
  maxSf,
  minSf,
  mulSf,
  ONE_SF,
  type Sf,
  sfFromBps,
  sfFromInt,
  subSf,
  ZERO_SF,
} from '../../../base/numbers/scaled-fraction.ts';
import { klendRejection } from '../errors.ts';
import type { Reserve } from '../layout/reserve.ts';
import { slotsElapsed } from '../math/accrual.ts';
import { debtAt } from '../math/debt.ts';
import { type ElevationGroup, isInGroup } from '../math/elevation-group.ts';
import { compoundedInterest } from '../math/interest.ts';
import { borrowFactor, marketValue } from '../math/market-value.ts';
import { ALL_PRICE_CHECKS } from '../math/price-status.ts';
import { trackDebtOutsideGroups } from './debt-trackers.ts';
import {
  isBorrow,
  type LendingContext,
  type ObligationBorrow,
  type ObligationPosition,
  RESERVE_STATUS_OBSOLETE,
  type ReserveMap,
  requireFresh,
  reserveOf,
  withReserve,
} from './position.ts';

/** What referrers earned by the refresh, by reserve: it goes to their token states. */
export type ReferrerFees = ReadonlyMap<Address, Sf>;

export type RefreshedBorrows = {
  readonly borrows: readonly ObligationBorrow[];
  readonly reserves: ReserveMap;
  readonly value: Sf;
  readonly adjustedValue: Sf;
  readonly highestFactor: Sf;
  readonly priceStatus: number;
  readonly obsolete: number;
  /** The one debt of a group, rounded up. */
  readonly groupDebt: bigint;
  readonly referrerFees: ReferrerFees;
};

/** The debts, under the terms of `group`, which may be one that is only asked for. */
export function refreshBorrows(
  { obligation, reserves }: ObligationPosition,
  terms: LendingContext,
  group: ElevationGroup | undefined,
): RefreshedBorrows {
  const start: RefreshedBorrows = {
    borrows: [],
    reserves,
    value: ZERO_SF,
    adjustedValue: ZERO_SF,
    highestFactor: ONE_SF,
    priceStatus: ALL_PRICE_CHECKS,
    obsolete: 0,
    groupDebt: 0n,
    referrerFees: new Map(),
  };
  const elapsed = slotsElapsed(obligation.lastUpdate.slot, terms.time.slot);
  const hasReferrer = obligation.referrer !== ZERO_ADDRESS && terms.market.referralFeeBps > 0;
  let so = start;
  for (const borrow of obligation.borrows) {
    so = isBorrow(borrow)
      ? refreshBorrow(so, borrow, { terms, group, elapsed, hasReferrer })
      : { ...so, borrows: [...so.borrows, borrow] };
  }
  // after each of them was looked at by itself
  if (group !== undefined && obligation.borrows.filter(isBorrow).length > 1) {
    throw klendRejection('InconsistentElevationGroup', 'a group allows one debt');
  }
  return so;
}

type BorrowTerms = {
  readonly terms: LendingContext;
  readonly group: ElevationGroup | undefined;
  /** Slots since the obligation's own last refresh. */
  readonly elapsed: bigint;
  readonly hasReferrer: boolean;
};

function refreshBorrow(
  so: RefreshedBorrows,
  borrow: ObligationBorrow,
  context: BorrowTerms,
): RefreshedBorrows {
  const { terms, group } = context;
  const address = borrow.borrowReserve;
  const before = reserveOf(so.reserves, address);
  requireFresh(before, terms, { what: 'Reserve', checks: 0 });
  if (group !== undefined) requireGroupDebt(before, address, group);
  const cumulative = before.liquidity.cumulativeBorrowRateBsf.value;
  const debt = debtAt(borrow, cumulative);
  const share = referrerShare(before, { from: borrow.borrowedAmountSf, to: debt }, context.elapsed);
  const tracked = trackDebtOutsideGroups(
    { reserve: payReferrer(before, share, context.hasReferrer), borrow },
    group === undefined ? ceilSf(debt) : undefined,
  );
  const { reserve } = tracked;
  const value = marketValue(reserve.liquidity, debt);
  const factor = borrowFactor(reserve.config.borrowFactorPct, group !== undefined);
  const adjusted = mulSf(value, factor);
  const counts = value >= sfFromInt(terms.market.minValueSkipLiquidationBfChecks);
  const refreshed = {
    ...tracked.borrow,
    cumulativeBorrowRateBsf: { ...borrow.cumulativeBorrowRateBsf, value: cumulative },
    borrowedAmountSf: debt,
    marketValueSf: value,
    borrowFactorAdjustedMarketValueSf: adjusted,
    borrowedAmountAtExpiration: amountAtExpiration(borrow, debt, { reserve, terms }),
  };
  return {
    borrows: [...so.borrows, refreshed],
    reserves: withReserve(so.reserves, address, reserve),
    value: addSf(so.value, value),
    adjustedValue: addSf(so.adjustedValue, adjusted),
    highestFactor: counts ? maxSf(so.highestFactor, factor) : so.highestFactor,
    priceStatus: so.priceStatus & reserve.lastUpdate.priceStatus,
    obsolete: so.obsolete + (reserve.config.status === RESERVE_STATUS_OBSOLETE ? 1 : 0),
    groupDebt: so.groupDebt + ceilSf(debt),
    referrerFees:
      context.hasReferrer && share > 0n
        ? new Map(so.referrerFees).set(address, share)
        : so.referrerFees,
  };
}

function requireGroupDebt(reserve: Reserve, address: Address, group: ElevationGroup): void {
  if (!isInGroup(reserve.config, group)) {
    throw klendRejection('InconsistentElevationGroup', `${address} is not in group ${group.id}`);
  }
  if (address !== group.debtReserve) {
    throw klendRejection('ElevationGroupHasAnotherDebtReserve', `it is ${group.debtReserve}`);
  }
}

/** The referrers' part of the variable interest of a debt, at most what is pending. */
function referrerShare(
  reserve: Reserve,
  debt: { readonly from: Sf; readonly to: Sf },
  elapsed: bigint,
): Sf {
  const { absoluteReferralRateSf, pendingReferrerFeesSf } = reserve.liquidity;
  if (absoluteReferralRateSf === 0n) return ZERO_SF;
  const hostRate = sfFromBps(BigInt(reserve.config.hostFixedInterestRateBps));
  const grown = subSf(debt.to, debt.from);
  const fixed = subSf(mulSf(debt.from, compoundedInterest(hostRate, elapsed)), debt.from);
  if (fixed > grown) {
    throw klendRejection(
      'CannotCalculateReferralAmountDueToSlotsMismatch',
      'the fixed interest is more than all interest',
    );
  }
  return minSf(mulSf(subSf(grown, fixed), absoluteReferralRateSf), pendingReferrerFeesSf);
}

/** Moves the share out of what is pending: to the referrer, or to the protocol where there is none. */
function payReferrer(reserve: Reserve, share: Sf, hasReferrer: boolean): Reserve {
  if (share === 0n) return reserve;
  const { liquidity } = reserve;
  const pendingReferrerFeesSf = subSf(liquidity.pendingReferrerFeesSf, share);
  const paid = hasReferrer
    ? { accumulatedReferrerFeesSf: addSf(liquidity.accumulatedReferrerFeesSf, share) }
    : { accumulatedProtocolFeesSf: addSf(liquidity.accumulatedProtocolFeesSf, share) };
  return { ...reserve, liquidity: { ...liquidity, pendingReferrerFeesSf, ...paid } };
}

/** The debt, rounded up, when its term ends; noted once. */
function amountAtExpiration(
  borrow: ObligationBorrow,
  debt: Sf,
  { reserve, terms }: { readonly reserve: Reserve; readonly terms: LendingContext },
): ObligationBorrow['borrowedAmountAtExpiration'] {
  const { debtTermSeconds } = reserve.config;
  const borrowedAt = borrow.lastBorrowedAtTimestamp;
  const noted = borrow.borrowedAmountAtExpiration;
  if (noted !== 0n || debtTermSeconds === 0n || borrowedAt === 0n) return noted;
  return terms.time.unix < borrowedAt + debtTermSeconds ? noted : toLamports(ceilSf(debt));
}
