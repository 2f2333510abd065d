import { type Address, ZERO_ADDRESS } from '../../../base/encoding/address.ts';
import { CodedError } from '../../../base/errors.ts';
import { type Ratio, ratio } from '../../../base/numbers/decimal.ts';
import {
  FRACTION_BITS,
  ONE_SF,
  type Sf,
  sfFromBits,
  sfFromPercent,
} from '../../../base/numbers/scaled-fraction.ts';
import type { LendingMarketView } from '../layout/lending-market.ts';
import type { ObligationView } from '../layout/obligation.ts';
import { collateralWorth } from './exchange-rate.ts';
import { findElevationGroup } from './health.ts';
import { debtAt } from './liquidity.ts';
import type { ReserveAtSlot } from './reserve-at-slot.ts';

/**
 * Values and limits of a loan in USD, as after a refresh in the slot. A ratio with a zero denominator is undefined.
 */
export type ObligationStats = {
  readonly userTotalDeposit: Sf;
  /** Deposits with a max LTV above zero, and deposits with a liquidation threshold above zero. */
  readonly userTotalCollateralDeposit: Sf;
  readonly userTotalLiquidatableDeposit: Sf;
  /** Ignores the market's `globalAllowedBorrowValue`. */
  readonly borrowLimit: Sf;
  readonly borrowLiquidationLimit: Sf;
  readonly userTotalBorrow: Sf;
  readonly userTotalBorrowBorrowFactorAdjusted: Sf;
  /** Deposits minus debts. Negative for an underwater loan. */
  readonly netAccountValue: Ratio;
  readonly loanToValue: Ratio | undefined;
  /** The loan-to-value at which the loan can be liquidated. */
  readonly liquidationLtv: Ratio | undefined;
  readonly borrowUtilization: Ratio | undefined;
  readonly leverage: Ratio | undefined;
};

export type ObligationStatsInput = {
  readonly market: LendingMarketView;
  /** The market's reserves at the requested slot. */
  readonly reserves: ReadonlyMap<Address, ReserveAtSlot>;
};

type GroupTerms = { readonly maxLtv: Sf; readonly liquidationThreshold: Sf } | undefined;

/** Computes the stats of one obligation. The cost grows with the number of positions. */
export function obligationStats(
  obligation: ObligationView,
  terms: ObligationStatsInput,
): ObligationStats {
  const group = groupTerms(terms.market, obligation.elevationGroup);
  const deposits = sumDeposits(obligation, terms, group);
  const { total, adjusted } = sumBorrows(obligation, terms, group);
  const net = deposits.total - total;
  return {
    userTotalDeposit: sfFromBits(deposits.total),
    userTotalCollateralDeposit: sfFromBits(deposits.collateral),
    userTotalLiquidatableDeposit: sfFromBits(deposits.liquidatable),
    borrowLimit: sfFromBits(deposits.limit),
    borrowLiquidationLimit: sfFromBits(deposits.liquidationLimit),
    userTotalBorrow: sfFromBits(total),
    userTotalBorrowBorrowFactorAdjusted: sfFromBits(adjusted),
    netAccountValue: { numerator: net, denominator: ONE_SF },
    loanToValue: over(adjusted, deposits.collateral),
    liquidationLtv: over(deposits.liquidationLimit, deposits.liquidatable),
    borrowUtilization: over(adjusted, deposits.limit),
    leverage: over(deposits.total, net),
  };
}

function sumDeposits(
  { deposits }: ObligationView,
  { reserves }: ObligationStatsInput,
  group: GroupTerms,
) {
  const sums = { total: 0n, collateral: 0n, liquidatable: 0n, limit: 0n, liquidationLimit: 0n };
  for (let i = 0; i < deposits.length; i++) {
    const deposit = deposits.at(i);
    const address = deposit?.depositReserve;
    if (deposit === undefined || address === undefined || address === ZERO_ADDRESS) continue;
    const reserve = known(reserves, address);
    const worth = collateralWorth(reserve.rate, deposit.depositedAmount);
    const value = (worth * reserve.price) / reserve.priceDivisor;
    const { maxLtv, liquidationThreshold } = group ?? reserve;
    sums.total += value;
    if (maxLtv > 0n) sums.collateral += value;
    if (liquidationThreshold > 0n) sums.liquidatable += value;
    sums.limit += (value * maxLtv) >> FRACTION_BITS;
    sums.liquidationLimit += (value * liquidationThreshold) >> FRACTION_BITS;
  }
  return sums;
}

function sumBorrows(
  { borrows }: ObligationView,
  { reserves }: ObligationStatsInput,
  group: GroupTerms,
) {
  let total = 0n;
  let adjusted = 0n;
  for (let i = 0; i < borrows.length; i++) {
    const borrow = borrows.at(i);
    const address = borrow?.borrowReserve;
    if (borrow === undefined || address === undefined || address === ZERO_ADDRESS) continue;
    const reserve = known(reserves, address);
    const debt = debtAt(borrow, reserve.cumulativeBorrowRate);
    const value = (debt * reserve.price) / reserve.priceDivisor;
    total += value;
    adjusted += group === undefined ? (value * reserve.borrowFactor) >> FRACTION_BITS : value;
  }
  return { total, adjusted };
}

/** In a group, its LTVs apply to every deposit and debts have no borrow factor. */
function groupTerms(market: LendingMarketView, id: number): GroupTerms {
  const group = findElevationGroup(market, id);
  if (group === undefined) return undefined;
  return {
    maxLtv: sfFromPercent(BigInt(group.ltvPct)),
    liquidationThreshold: sfFromPercent(BigInt(group.liquidationThresholdPct)),
  };
}

const over = (numerator: bigint, denominator: bigint): Ratio | undefined =>
  denominator === 0n ? undefined : ratio(numerator, denominator);

function known(reserves: ObligationStatsInput['reserves'], address: Address): ReserveAtSlot {
  const reserve = reserves.get(address);
  if (reserve !== undefined) return reserve;
  const reason = `its reserve ${address} is not in the market`;
  throw new CodedError('MALFORMED_DATA', { what: 'obligation', reason });
}
