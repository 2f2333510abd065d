import {
  addSf,
  divSfByInt,
  minSf,
  mulSf,
  ONE_SF,
  type Sf,
  sfFromBps,
  sfFromInt,
  sfFromPercent,
  subSfToZero,
} from '../../../../base/numbers/scaled-fraction.ts';
import type { UnixSeconds } from '../../../../base/time.ts';
import type { ReserveView } from '../../layout/reserve.ts';
import { loanToValue, loanToValueWithoutBorrowFactor } from '../health.ts';
import { type SupplySource, totalSupply } from '../supply.ts';
import { groupMaxBonusBps, type LiquidationInput } from './liquidation.ts';

const SECONDS_PER_DAY = 86_400n;
const NO_MAX_BONUS_BPS = 0xffff;

/** The state of a reserve that decides whether its loans are deleveraged. */
export type DeleveragedLiquidity = SupplySource &
  Pick<
    ReserveView['liquidity'],
    'depositLimitCrossedTimestamp' | 'borrowLimitCrossedTimestamp' | 'marketPriceSf'
  >;

export type DeleveragingInput = LiquidationInput & {
  readonly debtLiquidity: DeleveragedLiquidity;
  readonly collateralLiquidity: DeleveragedLiquidity;
  readonly now: UnixSeconds;
};

/** The bonus if the market's owner marked the loan and its margin call has ended; undefined otherwise. */
export function individualDeleveragingBonus(input: DeleveragingInput): Sf | undefined {
  const { market, obligation, now } = input;
  const startedAt = obligation.autodeleverageMarginCallStartedTimestamp;
  const period = market.individualAutodeleverageMarginCallPeriodSecs;
  if (startedAt === 0n || market.autodeleverageEnabled === 0 || period === 0n) return undefined;
  const target = sfFromPercent(BigInt(obligation.autodeleverageTargetLtvPct));
  if (loanToValue(obligation) <= target) return undefined;
  const elapsed = elapsedAfter(startedAt, period, now);
  return elapsed === undefined ? undefined : bonusOfBothReserves(input, elapsed);
}

/**
 * The bonus if a reserve of the loan is above its limit for longer than its margin call and the loan above the LTV that falls
 * with time. The deposit limit of the collateral comes before the borrow limit of the debt.
 */
export function marketWideDeleveragingBonus(input: DeleveragingInput): Sf | undefined {
  const { market, collateralConfig, debtConfig, collateralLiquidity, debtLiquidity, now } = input;
  if (market.autodeleverageEnabled === 0) return undefined;
  const bonusOf = (config: ReserveView['config'], crossedAt: UnixSeconds, isAbove: boolean) => {
    if (config.autodeleverageEnabled === 0 || !isAbove || crossedAt === 0n) return undefined;
    const elapsed = elapsedAfter(crossedAt, config.deleveragingMarginCallPeriodSecs, now);
    return elapsed === undefined ? undefined : fallingThresholdBonus(input, config, elapsed);
  };
  const isAboveDeposits =
    totalSupply(collateralLiquidity) > sfFromInt(collateralConfig.depositLimit);
  const isAboveBorrows = debtLiquidity.borrowedAmountSf > sfFromInt(debtConfig.borrowLimit);
  return (
    bonusOf(collateralConfig, collateralLiquidity.depositLimitCrossedTimestamp, isAboveDeposits) ??
    bonusOf(debtConfig, debtLiquidity.borrowLimitCrossedTimestamp, isAboveBorrows)
  );
}

/** The bonus if all debts of the reserve are due; undefined before. */
export function maturityBonus({ market, debtConfig, obligation, now }: DeleveragingInput) {
  const { debtMaturityTimestamp: maturity } = debtConfig;
  if (maturity === 0n || now < maturity) return undefined;
  if (market.matureReserveDebtLiquidationEnabled === 0) return undefined;
  return growingBonus(obligation, debtConfig, {
    elapsed: now - maturity,
    maxBps: debtConfig.maxLiquidationBonusBps,
  });
}

/** The bonus and the seconds since the term of the debt ended; undefined before, or if its start is not recorded. */
export function termBonus(
  input: DeleveragingInput & { readonly debt: { readonly lastBorrowedAtTimestamp: UnixSeconds } },
): { readonly bonus: Sf; readonly secondsSinceEnd: bigint } | undefined {
  const { market, debtConfig, debt, now } = input;
  const { lastBorrowedAtTimestamp: borrowedAt } = debt;
  const end = borrowedAt + debtConfig.debtTermSeconds;
  if (debtConfig.debtTermSeconds === 0n || borrowedAt === 0n || now < end) return undefined;
  if (market.obligationBorrowDebtTermLiquidationEnabled === 0) return undefined;
  const secondsSinceEnd = now - end;
  return { bonus: bonusOfBothReserves(input, secondsSinceEnd), secondsSinceEnd };
}

/** Seconds since the margin call ended; undefined while it lasts. */
function elapsedAfter(startedAt: bigint, period: bigint, now: bigint): bigint | undefined {
  const sinceStart = now > startedAt ? now - startedAt : 0n;
  return sinceStart < period ? undefined : sinceStart - period;
}

function fallingThresholdBonus(
  { obligation }: DeleveragingInput,
  config: ReserveView['config'],
  elapsed: bigint,
): Sf | undefined {
  const fall = mulSf(sfFromBps(config.deleveragingThresholdDecreaseBpsPerDay), days(elapsed));
  if (loanToValue(obligation) < subSfToZero(ONE_SF, fall)) return undefined;
  return growingBonus(obligation, config, { elapsed, maxBps: config.maxLiquidationBonusBps });
}

/** The reserve with the larger maximum decides, then the one with the larger growth and minimum. */
function bonusOfBothReserves(input: DeleveragingInput, elapsed: bigint): Sf {
  const { collateralConfig, debtConfig, obligation } = input;
  const config = isLarger(collateralConfig, debtConfig) ? collateralConfig : debtConfig;
  const maxBps = Math.min(config.maxLiquidationBonusBps, groupMaxBonusBps(input));
  return growingBonus(obligation, config, { elapsed, maxBps });
}

function isLarger(a: ReserveView['config'], b: ReserveView['config']): boolean {
  const keys = (config: ReserveView['config']): readonly bigint[] => [
    BigInt(config.maxLiquidationBonusBps),
    config.deleveragingBonusIncreaseBpsPerDay,
    BigInt(config.minDeleveragingBonusBps),
  ];
  const others = keys(b);
  for (const [i, key] of keys(a).entries()) {
    const other = others[i] ?? 0n;
    if (key !== other) return key > other;
  }
  return false;
}

/** Grows by the day, up to the maximum and to what the deposits are worth more than the debts. */
function growingBonus(
  obligation: DeleveragingInput['obligation'],
  config: ReserveView['config'],
  { elapsed, maxBps }: { readonly elapsed: bigint; readonly maxBps: number },
): Sf {
  const growth = mulSf(sfFromBps(config.deleveragingBonusIncreaseBpsPerDay), days(elapsed));
  const bonus = addSf(sfFromBps(BigInt(config.minDeleveragingBonusBps)), growth);
  const rest = subSfToZero(ONE_SF, loanToValueWithoutBorrowFactor(obligation));
  return minSf(bonus, minSf(sfFromBps(BigInt(Math.min(maxBps, NO_MAX_BONUS_BPS))), rest));
}

const days = (seconds: bigint): Sf => divSfByInt(sfFromInt(seconds), SECONDS_PER_DAY);
