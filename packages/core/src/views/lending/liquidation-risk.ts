import { type Address, ZERO_ADDRESS } from '../../base/encoding/address.ts';
import { ONE_BSF } from '../../base/numbers/big-scaled-fraction.ts';
import { ONE_SF } from '../../base/numbers/scaled-fraction.ts';
import type { ObligationView } from '../../protocol/klend/layout/obligation.ts';
import type { MarketSnapshot } from './market-snapshot.ts';
import type { ReserveSnapshot } from './reserve-snapshot.ts';

/*
 * Finds the loans that may be liquidatable among hundreds of thousands. The numbers here are doubles: they decide which
 * loans are evaluated exactly, and no response contains them.
 */

/** The values of a market's reserves, by the index of the reserve. */
export type RiskScale = {
  readonly indexes: ReadonlyMap<Address, number>;
  /** USD of one lamport of cTokens, without the liquidation threshold. */
  readonly deposit: readonly number[];
  /** USD of one lamport of debt, without the borrow factor, over the cumulative rate of the debt. */
  readonly debt: readonly number[];
  readonly thresholdPct: readonly number[];
  readonly borrowFactorPct: readonly number[];
  /** Thresholds of elevation groups by id; they replace those of the reserves. */
  readonly groupThresholdPct: readonly number[];
  /** Whether loans with a deposit or a debt in the reserve may be liquidatable for another reason than their LTV. */
  readonly isDue: readonly boolean[];
};

/** The positions of a loan with debt. */
export type LoanRisk = {
  /** Index of the reserve, lamports of cTokens; and so on. */
  readonly deposits: readonly number[];
  /** Index of the reserve, lamports of debt over the cumulative rate; and so on. */
  readonly borrows: readonly number[];
  readonly group: number;
  /** Whether the loan may be liquidatable whatever its LTV is. */
  readonly isSpecial: boolean;
};

export function viewRiskScale(market: MarketSnapshot): RiskScale {
  const reserves = [...market.reserves.values()];
  const { fields } = market;
  return {
    indexes: new Map(reserves.map(({ address }, index) => [address, index])),
    deposit: reserves.map((reserve) => usdPerLamport(reserve) * ctokenRate(reserve)),
    debt: reserves.map((reserve) => {
      return usdPerLamport(reserve) * (Number(reserve.cumulativeBorrowRate) / Number(ONE_BSF));
    }),
    thresholdPct: reserves.map(({ config }) => config.liquidationThresholdPct),
    borrowFactorPct: reserves.map(({ config }) => Math.max(100, Number(config.borrowFactorPct))),
    groupThresholdPct: [...fields.elevationGroups].map((group) => group.liquidationThresholdPct),
    isDue: reserves.map((reserve) => isDue(reserve, market)),
  };
}

const usdPerLamport = ({ price, priceDivisor }: ReserveSnapshot): number =>
  Number(price) / Number(priceDivisor);

function ctokenRate({ rate }: ReserveSnapshot): number {
  const supply = Number(rate.totalSupply) / Number(ONE_SF);
  return rate.mintTotalSupply === 0n ? 1 : supply / Number(rate.mintTotalSupply);
}

/** Debts with a maturity or a term, and limits that were crossed while the market deleverages. */
function isDue({ config, address }: ReserveSnapshot, { fields, refreshed, at }: MarketSnapshot) {
  if (config.debtMaturityTimestamp !== 0n || config.debtTermSeconds !== 0n) return true;
  if (fields.autodeleverageEnabled === 0 || config.autodeleverageEnabled === 0) return false;
  const liquidity = refreshed.reserve(address, refreshed.contextAt(at.slot))?.liquidity;
  if (liquidity === undefined) return true;
  return (
    liquidity.depositLimitCrossedTimestamp !== 0n || liquidity.borrowLimitCrossedTimestamp !== 0n
  );
}

/** Undefined for a loan without debt, which nobody liquidates. */
export function readLoanRisk(fields: ObligationView, scale: RiskScale): LoanRisk | undefined {
  const borrows: number[] = [];
  for (const { borrowReserve, borrowedAmountSf, cumulativeBorrowRateBsf } of fields.borrows) {
    if (borrowReserve === ZERO_ADDRESS) continue;
    const since = Number(cumulativeBorrowRateBsf.value) / Number(ONE_BSF);
    const amount = Number(borrowedAmountSf) / Number(ONE_SF);
    borrows.push(scale.indexes.get(borrowReserve) ?? -1, amount / since);
  }
  if (borrows.length === 0) return undefined;
  const deposits: number[] = [];
  for (const { depositReserve, depositedAmount } of fields.deposits) {
    if (depositReserve === ZERO_ADDRESS) continue;
    deposits.push(scale.indexes.get(depositReserve) ?? -1, Number(depositedAmount));
  }
  return { deposits, borrows, group: fields.elevationGroup, isSpecial: isSpecial(fields) };
}

/** Marked for deleveraging, or with an order of the owner. */
function isSpecial(fields: ObligationView): boolean {
  if (fields.autodeleverageMarginCallStartedTimestamp !== 0n) return true;
  for (const { conditionType } of fields.obligationOrders) if (conditionType !== 0) return true;
  return false;
}

const NO_RISK = { risk: 0, debt: 0 };

/**
 * The debt over the debt at which the loan is liquidatable, and the debt in USD. The risk is infinite for a loan that must
 * be evaluated whatever its LTV is, and 0 for one in a reserve that has no price, which cannot be evaluated.
 */
export function riskOf(
  { deposits, borrows, group, isSpecial: isMarked }: LoanRisk,
  scale: RiskScale,
): { readonly risk: number; readonly debt: number } {
  let isCertain = !isMarked;
  let owed = 0;
  let debt = 0;
  for (let i = 0; i < borrows.length; i += 2) {
    const [index = -1, amount = 0] = [borrows[i], borrows[i + 1]];
    if (index === -1) return NO_RISK;
    const value = amount * (scale.debt[index] ?? 0);
    debt += value;
    owed += group > 0 ? value : (value * (scale.borrowFactorPct[index] ?? 100)) / 100;
    isCertain &&= scale.isDue[index] === false;
  }
  let allowed = 0;
  for (let i = 0; i < deposits.length; i += 2) {
    const [index = -1, amount = 0] = [deposits[i], deposits[i + 1]];
    if (index === -1) return NO_RISK;
    const groupPct = group > 0 ? scale.groupThresholdPct[group - 1] : undefined;
    const thresholdPct = groupPct ?? scale.thresholdPct[index] ?? 0;
    allowed += (amount * (scale.deposit[index] ?? 0) * thresholdPct) / 100;
    isCertain &&= scale.isDue[index] === false;
  }
  return { risk: isCertain ? owed / allowed : Number.POSITIVE_INFINITY, debt };
}

/** Whether values have changed so much, or rules at all, that a loan that was far from its threshold may be close now. */
export function hasDrifted(before: RiskScale, now: RiskScale, tolerance: number): boolean {
  const isMoved = (values: readonly number[], others: readonly number[]): boolean =>
    values.some((value, i) => Math.abs(value / (others[i] ?? 0) - 1) > tolerance);
  const rules = ({ indexes, thresholdPct, borrowFactorPct, groupThresholdPct, isDue }: RiskScale) =>
    [[...indexes.keys()], thresholdPct, borrowFactorPct, groupThresholdPct, isDue].join();
  return (
    isMoved(now.deposit, before.deposit) ||
    isMoved(now.debt, before.debt) ||
    rules(before) !== rules(now)
  );
}
