import { type Address, ZERO_ADDRESS } from '../../../../base/encoding/address.ts';
import { toLamports } from '../../../../base/numbers/lamports.ts';
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
} from '../../../../base/numbers/scaled-fraction.ts';
import { klendRejection } from '../../errors.ts';
import type { Reserve } from '../../layout/reserve.ts';
import { accrualDuration, interestRateBasis } from '../../math/accrual/accrual-duration.ts';
import { compoundedInterest } from '../../math/accrual/rates.ts';
import { type ElevationGroup, isInGroup } from '../../math/health.ts';
import { borrowFactor, debtAt, marketValue } from '../../math/liquidity.ts';
import { ALL_PRICE_CHECKS } from '../../math/price-status.ts';
import { trackDebtOutsideGroups } from '../debt-trackers.ts';
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
} from '../position.ts';

/** Fees of referrers from a refresh, by reserve. They are added to the referrer token states. */
export type ReferrerFees = ReadonlyMap<Address, Sf>;

export type RefreshedBorrows = {
  readonly borrows: readonly ObligationBorrow[];
  readonly reserves: ReserveMap;
  readonly value: Sf;
  readonly adjustedValue: Sf;
  readonly highestFactor: Sf;
  readonly priceStatus: number;
  readonly obsolete: number;
  /** The single debt of a group, rounded up. */
  readonly groupDebt: bigint;
  readonly referrerFees: ReferrerFees;
};

/** Refreshes the debts under the terms of `group`, which can be a requested group. */
export function refreshBorrows(
  { obligation, reserves }: ObligationPosition,
  context: LendingContext,
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
  const hasReferrer = obligation.referrer !== ZERO_ADDRESS && context.market.referralFeeBps > 0;
  let totals = start;
  for (const borrow of obligation.borrows) {
    totals = isBorrow(borrow)
      ? refreshBorrow(totals, borrow, {
          context,
          group,
          lastUpdate: obligation.lastUpdate,
          hasReferrer,
        })
      : { ...totals, borrows: [...totals.borrows, borrow] };
  }
  // the program checks each debt first
  if (group !== undefined && obligation.borrows.filter(isBorrow).length > 1) {
    throw klendRejection('InconsistentElevationGroup', 'a group allows only one debt');
  }
  return totals;
}

type BorrowInput = {
  readonly context: LendingContext;
  readonly group: ElevationGroup | undefined;
  /** Of the obligation. */
  readonly lastUpdate: ObligationPosition['obligation']['lastUpdate'];
  readonly hasReferrer: boolean;
};

function refreshBorrow(
  totals: RefreshedBorrows,
  borrow: ObligationBorrow,
  input: BorrowInput,
): RefreshedBorrows {
  const { context, group } = input;
  const address = borrow.borrowReserve;
  const before = reserveOf(totals.reserves, address);
  requireFresh(before, context, { what: 'Reserve', checks: 0 });
  if (group !== undefined) requireGroupDebt(before, address, group);
  const cumulative = before.liquidity.cumulativeBorrowRateBsf.value;
  const debt = debtAt(borrow, cumulative);
  const share = referrerShare(before, { from: borrow.borrowedAmountSf, to: debt }, input);
  const tracked = trackDebtOutsideGroups(
    { reserve: payReferrer(before, share, input.hasReferrer), borrow },
    group === undefined ? ceilSf(debt) : undefined,
  );
  const { reserve } = tracked;
  const value = marketValue(reserve.liquidity, debt);
  const factor = borrowFactor(reserve.config.borrowFactorPct, group !== undefined);
  const adjusted = mulSf(value, factor);
  const isCounted = value >= sfFromInt(context.market.minValueSkipLiquidationBfChecks);
  const refreshed = {
    ...tracked.borrow,
    cumulativeBorrowRateBsf: { ...borrow.cumulativeBorrowRateBsf, value: cumulative },
    borrowedAmountSf: debt,
    marketValueSf: value,
    borrowFactorAdjustedMarketValueSf: adjusted,
    borrowedAmountAtExpiration: amountAtExpiration(borrow, debt, { reserve, context }),
  };
  return {
    borrows: [...totals.borrows, refreshed],
    reserves: withReserve(totals.reserves, address, reserve),
    value: addSf(totals.value, value),
    adjustedValue: addSf(totals.adjustedValue, adjusted),
    highestFactor: isCounted ? maxSf(totals.highestFactor, factor) : totals.highestFactor,
    priceStatus: totals.priceStatus & reserve.lastUpdate.priceStatus,
    obsolete: totals.obsolete + (reserve.config.status === RESERVE_STATUS_OBSOLETE ? 1 : 0),
    groupDebt: totals.groupDebt + ceilSf(debt),
    referrerFees:
      input.hasReferrer && share > 0n
        ? new Map(totals.referrerFees).set(address, share)
        : totals.referrerFees,
  };
}

function requireGroupDebt(reserve: Reserve, address: Address, group: ElevationGroup): void {
  if (!isInGroup(reserve.config, group)) {
    throw klendRejection('InconsistentElevationGroup', `${address} is not in group ${group.id}`);
  }
  if (address !== group.debtReserve) {
    throw klendRejection(
      'ElevationGroupHasAnotherDebtReserve',
      `the debt reserve of the group is ${group.debtReserve}`,
    );
  }
}

/** The referrer's part of the variable interest of a debt, at most the pending fees. */
function referrerShare(
  reserve: Reserve,
  debt: { readonly from: Sf; readonly to: Sf },
  { lastUpdate, context: { time, rules } }: BorrowInput,
): Sf {
  const { absoluteReferralRateSf, pendingReferrerFeesSf } = reserve.liquidity;
  if (absoluteReferralRateSf === 0n) return ZERO_SF;
  const hostRate = sfFromBps(BigInt(reserve.config.hostFixedInterestRateBps));
  const grown = subSf(debt.to, debt.from);
  const duration = accrualDuration(interestRateBasis(reserve.config, rules), lastUpdate, time);
  const growth = compoundedInterest(hostRate, duration, rules);
  const fixed = subSf(mulSf(debt.from, growth), debt.from);
  if (fixed > grown) {
    throw klendRejection(
      'CannotCalculateReferralAmountDueToSlotsMismatch',
      'the fixed interest exceeds the total interest',
    );
  }
  return minSf(mulSf(subSf(grown, fixed), absoluteReferralRateSf), pendingReferrerFeesSf);
}

/** Moves the share from the pending fees to the referrer, or to the protocol without a referrer. */
function payReferrer(reserve: Reserve, share: Sf, hasReferrer: boolean): Reserve {
  if (share === 0n) return reserve;
  const { liquidity } = reserve;
  const pendingReferrerFeesSf = subSf(liquidity.pendingReferrerFeesSf, share);
  const paid = hasReferrer
    ? { accumulatedReferrerFeesSf: addSf(liquidity.accumulatedReferrerFeesSf, share) }
    : { accumulatedProtocolFeesSf: addSf(liquidity.accumulatedProtocolFeesSf, share) };
  return { ...reserve, liquidity: { ...liquidity, pendingReferrerFeesSf, ...paid } };
}

/** The debt at the end of its term, rounded up. Recorded once. */
function amountAtExpiration(
  borrow: ObligationBorrow,
  debt: Sf,
  { reserve, context }: { readonly reserve: Reserve; readonly context: LendingContext },
): ObligationBorrow['borrowedAmountAtExpiration'] {
  const { debtTermSeconds } = reserve.config;
  const borrowedAt = borrow.lastBorrowedAtTimestamp;
  const recorded = borrow.borrowedAmountAtExpiration;
  if (recorded !== 0n || debtTermSeconds === 0n || borrowedAt === 0n) return recorded;
  return context.time.unix < borrowedAt + debtTermSeconds ? recorded : toLamports(ceilSf(debt));
}
