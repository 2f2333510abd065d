import { type Lamports, toLamports } from '../../../../base/numbers/lamports.ts';
import {
  addSf,
  ceilSf,
  divSf,
  floorSf,
  maxSf,
  minSf,
  mulSf,
  ONE_SF,
  type Sf,
  sfFromBps,
  sfFromInt,
  sfFromPercent,
  subSf,
} from '../../../../base/numbers/scaled-fraction.ts';
import { klendRejection } from '../../errors.ts';
import type { LendingMarketView } from '../../layout/lending-market.ts';
import type { ObligationView } from '../../layout/obligation.ts';
import type { ReserveView } from '../../layout/reserve.ts';
import {
  findElevationGroup,
  isInGroup,
  loanToValue,
  loanToValueWithoutBorrowFactor,
  unhealthyLoanToValue,
} from '../health.ts';

type Config = ReserveView['config'];

/** A refreshed unhealthy loan with the repaid debt and the seized deposit. */
export type LiquidationInput = {
  readonly market: LendingMarketView;
  readonly obligation: ObligationView;
  readonly debtConfig: Config;
  readonly collateralConfig: Config;
  readonly debt: { readonly borrowedAmountSf: Sf; readonly marketValueSf: Sf };
  readonly deposit: { readonly depositedAmount: bigint; readonly marketValueSf: Sf };
};

export type LiquidationAmounts = {
  /** The reduction of the debt, and the payment for it, rounded up. */
  readonly settledDebt: Sf;
  readonly repaid: Lamports;
  /** In cTokens. */
  readonly collateral: bigint;
};

/** From 99 % on the bonus no longer follows the loan-to-value. */
const BAD_DEBT_LTV = sfFromPercent(99n);

export type LiquidationOffer = {
  readonly amount: bigint;
  readonly bonus: Sf;
  /** The maximum debt that can be closed. By default that of an exceeded LTV. */
  readonly maxClosed?: Sf;
  /** An order of the owner closes a part, however small the debt is. */
  readonly isOrder?: boolean;
};

/** The amounts of a liquidation with at most `amount` lamports and the liquidator's `bonus`. */
export function liquidationAmounts(
  liquidation: LiquidationInput,
  { amount, bonus, maxClosed, isOrder = false }: LiquidationOffer,
): LiquidationAmounts {
  const { market, debt, deposit } = liquidation;
  const owed = debt.borrowedAmountSf;
  const offered = minSf(sfFromInt(amount), owed);
  const isFull = !isOrder && isLiquidatedInFull(market, debt.marketValueSf);
  if (isFull && offered < owed) {
    throw klendRejection('RepayTooSmallForFullLiquidation', `all ${ceilSf(owed)} must be repaid`);
  }
  const closed = isFull ? owed : minSf(maxClosed ?? maxClosedByLtv(liquidation), offered);
  const part = divSf(closed, owed);
  const value = mulSf(mulSf(debt.marketValueSf, part), addSf(bonus, ONE_SF));
  const seized = seize(deposit, { value, closed, isFull });
  return { ...seized, repaid: toLamports(ceilSf(seized.settledDebt)) };
}

/** The liquidator's bonus as a fraction. Throws for a healthy loan. */
export function liquidationBonus(liquidation: LiquidationInput): Sf {
  const bonus = exceededLtvBonus(liquidation);
  if (bonus !== undefined) return bonus;
  throw klendRejection('ObligationHealthy', 'the loan is below its liquidation threshold');
}

/** The bonus of a loan above its liquidation threshold; undefined below it, or if the market disables such liquidations. */
export function exceededLtvBonus(liquidation: LiquidationInput): Sf | undefined {
  const { market, obligation, debtConfig, collateralConfig } = liquidation;
  const ltv = loanToValue(obligation);
  const threshold = unhealthyLoanToValue(obligation);
  if (ltv < threshold || market.priceTriggeredLiquidationDisabled !== 0) return undefined;
  const plain = loanToValueWithoutBorrowFactor(obligation);
  const larger = (field: 'minLiquidationBonusBps' | 'maxLiquidationBonusBps'): number =>
    Math.max(debtConfig[field], collateralConfig[field]);
  if (plain >= BAD_DEBT_LTV) {
    const bps = Math.min(
      debtConfig.badDebtLiquidationBonusBps,
      collateralConfig.badDebtLiquidationBonusBps,
    );
    const bad = sfFromBps(BigInt(bps));
    return plain < ONE_SF ? maxSf(bad, subSf(ONE_SF, plain)) : bad;
  }
  const minBonus = maxSf(
    sfFromBps(BigInt(larger('minLiquidationBonusBps'))),
    subSf(ltv, threshold),
  );
  const maxBps = Math.min(larger('maxLiquidationBonusBps'), groupMaxBonusBps(liquidation));
  return minSf(minSf(minBonus, sfFromBps(BigInt(maxBps))), subSf(ONE_SF, plain));
}

/** The protocol's part of the bonus: rounded up, at least one lamport. */
export function protocolLiquidationFee(liquidity: bigint, bonus: Sf, feePct: number): Lamports {
  const amount = sfFromInt(liquidity);
  const bonusAmount = subSf(amount, divSf(amount, addSf(bonus, ONE_SF)));
  const fee = ceilSf(mulSf(bonusAmount, sfFromPercent(BigInt(feePct))));
  return toLamports(fee > 1n ? fee : 1n);
}

/** Whether a liquidation must repay the debt in full because its value is small. */
export const isLiquidatedInFull = (market: CloseRules, value: Sf): boolean =>
  value < sfFromInt(market.minFullLiquidationValueThreshold);

/** The part of all debts that one liquidation can close, in percent: all of them close to insolvency. */
export const closeFactorPct = (market: CloseRules, ltv: Sf): bigint =>
  ltv > sfFromPercent(BigInt(market.insolvencyRiskUnhealthyLtvPct))
    ? 100n
    : BigInt(market.liquidationMaxDebtCloseFactorPct);

type CloseRules = Pick<
  LendingMarketView,
  | 'insolvencyRiskUnhealthyLtvPct'
  | 'liquidationMaxDebtCloseFactorPct'
  | 'minFullLiquidationValueThreshold'
>;

/** The maximum debt that one liquidation of a loan above its threshold, or of a deleveraged one, can close. */
export function maxClosedByLtv({ market, obligation, debt }: LiquidationInput): Sf {
  const factor = sfFromPercent(closeFactorPct(market, loanToValue(obligation)));
  const value = minSf(
    minSf(mulSf(obligation.borrowedAssetsMarketValueSf, factor), debt.marketValueSf),
    sfFromInt(market.maxLiquidatableDebtMarketValueAtOnce),
  );
  return mulSf(debt.borrowedAmountSf, divSf(value, debt.marketValueSf));
}

/** The cTokens for the payout. If the deposit is worth less, less debt is settled. */
function seize(
  deposit: LiquidationInput['deposit'],
  { value, closed, isFull }: { readonly value: Sf; readonly closed: Sf; readonly isFull: boolean },
): { readonly settledDebt: Sf; readonly collateral: bigint } {
  const { depositedAmount, marketValueSf } = deposit;
  if (value < marketValueSf) {
    const part = divSf(value, marketValueSf);
    const collateral = floorSf(mulSf(sfFromInt(depositedAmount), part));
    return { settledDebt: closed, collateral: isFull && collateral === 0n ? 1n : collateral };
  }
  if (isFull) return { settledDebt: closed, collateral: depositedAmount };
  return { settledDebt: mulSf(closed, divSf(marketValueSf, value)), collateral: depositedAmount };
}

/** The group's maximum applies if both reserves are in the group and neither has a lower maximum. */
export function groupMaxBonusBps(liquidation: LiquidationInput): number {
  const { market, obligation, debtConfig, collateralConfig } = liquidation;
  const none = 0xffff;
  const group = findElevationGroup(market, obligation.elevationGroup);
  if (group === undefined) return none;
  if (!isInGroup(debtConfig, group) || !isInGroup(collateralConfig, group)) return none;
  const bps = group.maxLiquidationBonusBps;
  const isAbove =
    bps > debtConfig.maxLiquidationBonusBps || bps > collateralConfig.maxLiquidationBonusBps;
  return bps === 0 || isAbove ? none : bps;
}
