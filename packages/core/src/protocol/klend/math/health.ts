import type { Decoded } from '../../../base/encoding/layout.ts';
import {
  addSf,
  divSf,
  divSfByInt,
  mulSf,
  mulSfByInt,
  type Sf,
  sfFromBits,
  sfFromPercent,
  subSfToZero,
  ZERO_SF,
} from '../../../base/numbers/scaled-fraction.ts';
import { klendRejection } from '../errors.ts';
import type { elevationGroup, LendingMarketView } from '../layout/lending-market.ts';
import type { ObligationView } from '../layout/obligation.ts';

type Values = Pick<
  ObligationView,
  | 'depositedValueSf'
  | 'borrowFactorAdjustedDebtValueSf'
  | 'borrowedAssetsMarketValueSf'
  | 'allowedBorrowValueSf'
  | 'unhealthyBorrowValueSf'
>;

/** Debt with borrow factors divided by deposits. */
export const loanToValue = (values: Values): Sf =>
  divSf(values.borrowFactorAdjustedDebtValueSf, values.depositedValueSf);

/** Debt without borrow factors divided by deposits. */
export const loanToValueWithoutBorrowFactor = (values: Values): Sf =>
  divSf(values.borrowedAssetsMarketValueSf, values.depositedValueSf);

/** The loan-to-value at which the loan can be liquidated. */
export const unhealthyLoanToValue = (values: Values): Sf =>
  divSf(values.unhealthyBorrowValueSf, values.depositedValueSf);

/** The value that can still be borrowed in USD, with borrow factors. */
export const remainingBorrowValue = (values: Values): Sf =>
  subSfToZero(values.allowedBorrowValueSf, values.borrowFactorAdjustedDebtValueSf);

/** The debt limit of a withdrawal: normally the max LTV, with a repayment the liquidation threshold. */
export type WithdrawalLimit = 'max ltv' | 'liquidation threshold';

type WithdrawnDeposit = {
  readonly marketValueSf: Sf;
  readonly maxLtvPct: number;
  readonly liquidationThresholdPct: number;
};

/** The value of a deposit that the debt allows to withdraw, in USD. All of a deposit with zero LTV. */
export function maxWithdrawValue(
  values: Values,
  deposit: WithdrawnDeposit,
  limit: WithdrawalLimit,
): Sf {
  const isMaxLtv = limit === 'max ltv';
  const highest = isMaxLtv
    ? values.allowedBorrowValueSf
    : oneBitLess(values.unhealthyBorrowValueSf);
  const pct = isMaxLtv ? deposit.maxLtvPct : deposit.liquidationThresholdPct;
  const debt = values.borrowFactorAdjustedDebtValueSf;
  if (highest <= debt) return ZERO_SF;
  if (pct === 0) return deposit.marketValueSf;
  return divSfByInt(mulSfByInt(subSfToZero(highest, debt), 100n), BigInt(pct));
}

const oneBitLess = (value: Sf): Sf => sfFromBits(value === 0n ? 0n : value - 1n);

/** Sums over deposits, weighted by their LTVs. */
export type DepositTotals = {
  readonly deposited: Sf;
  readonly allowed: Sf;
  readonly unhealthy: Sf;
};

export const NO_DEPOSITS: DepositTotals = {
  deposited: ZERO_SF,
  allowed: ZERO_SF,
  unhealthy: ZERO_SF,
};

/** Adds a deposit. Each product is rounded down before the addition. */
export const addDepositToTotals = (
  sums: DepositTotals,
  value: Sf,
  terms: { readonly maxLtvPct: number; readonly liquidationThresholdPct: number },
): DepositTotals => ({
  deposited: addSf(sums.deposited, value),
  allowed: addSf(sums.allowed, mulSf(value, sfFromPercent(BigInt(terms.maxLtvPct)))),
  unhealthy: addSf(
    sums.unhealthy,
    mulSf(value, sfFromPercent(BigInt(terms.liquidationThresholdPct))),
  ),
});

export type ElevationGroup = Decoded<typeof elevationGroup>;

/** The elevation group of an obligation. Undefined for id 0. */
export function findElevationGroup(
  market: LendingMarketView,
  id: number,
): ElevationGroup | undefined {
  if (id === 0) return undefined;
  const group = market.elevationGroups.at(id - 1);
  if (group === undefined || group.ltvPct === 0 || group.liquidationThresholdPct === 0) {
    throw klendRejection('InvalidElevationGroup', `the market has no elevation group ${id}`);
  }
  return group;
}

type Config = {
  readonly loanToValuePct: number;
  readonly liquidationThresholdPct: number;
  readonly elevationGroups: Uint8Array;
};

export type LtvLimits = { readonly maxLtvPct: number; readonly liquidationThresholdPct: number };

/** The maximum and the liquidation loan-to-value of a deposit. The group's values replace the reserve's. */
export const ltvLimits = (config: Config, group: ElevationGroup | undefined): LtvLimits => ({
  maxLtvPct: group?.ltvPct ?? config.loanToValuePct,
  liquidationThresholdPct: group?.liquidationThresholdPct ?? config.liquidationThresholdPct,
});

export const isInGroup = (config: Config, group: ElevationGroup): boolean =>
  config.elevationGroups.includes(group.id);
