import type { PriceMoves } from '@tidegate/client';
import { compareDecimals } from '@tidegate/client';
import type { LiquidationFigure } from './liquidation-figures.ts';
import {
  ENOUGH_HOURS,
  type FixedLimits,
  LEAST_DISTANCE,
  PRICE_LIMITS,
  RATIO_LIMITS,
} from './risk-limits.ts';

/** How close a price is to a liquidation, measured by what it did before. */
export type FigureRisk = {
  readonly figure: LiquidationFigure;
  /** `danger`: a move of a day can be enough. `warning`: one of a week can be. */
  readonly level: RiskLevel;
  /** The past moves that decide; undefined if too little is recorded, and fixed limits decide. */
  readonly past: PastMoves | undefined;
  /** How many hours of the price are recorded; undefined if that cannot be read. */
  readonly sampledHours: number | undefined;
  readonly limits: FixedLimits;
};

export type RiskLevel = 'none' | 'warning' | 'danger';

/** Largest moves towards the liquidation, as positive fractions. */
export type PastMoves = {
  readonly hour: string;
  readonly day: string;
  readonly week: string;
  /** How often it moved by `size` or more within a day. */
  readonly size: string;
  readonly timesInADay: number;
};

export function judgeFigure(figure: LiquidationFigure, moves: PriceMoves | undefined): FigureRisk {
  const distance = figure.change.replace('-', '');
  const limits = figure.against === undefined ? PRICE_LIMITS : RATIO_LIMITS;
  const isEnough = moves !== undefined && moves.sampledHours >= ENOUGH_HOURS;
  const past = isEnough ? towardsLiquidation(moves, figure) : undefined;
  const { danger, warning } =
    past === undefined ? limits : { danger: past.day, warning: past.week };
  const isWithin = (limit: string): boolean => compareDecimals(distance, limit) <= 0;
  const level =
    isWithin(danger) || isWithin(LEAST_DISTANCE)
      ? 'danger'
      : isWithin(warning)
        ? 'warning'
        : 'none';
  return { figure, level, past, sampledHours: moves?.sampledHours, limits };
}

function towardsLiquidation(
  { windows, size }: PriceMoves,
  { change }: LiquidationFigure,
): PastMoves {
  const isFall = change.startsWith('-');
  const within = (hours: number) => windows.find((each) => each.hours === hours);
  const largest = (hours: number): string => {
    const found = within(hours);
    const move = isFall ? found?.largestFall : found?.largestRise;
    return move?.change.replace('-', '') ?? '0';
  };
  const day = within(24);
  return {
    hour: largest(1),
    day: largest(24),
    week: largest(168),
    size,
    timesInADay: (isFall ? day?.falls : day?.rises) ?? 0,
  };
}

const SMALL = 0.05;

/**
 * The size of the moves to count for a distance: a little less, in whole percent or, below 5 %, in tenths of one, so that it
 * stays while prices change a little.
 */
export function sizeToCount(change: string): string {
  const distance = Number(change.replace('-', ''));
  const steps = distance < SMALL ? 1_000 : 100;
  return String(Math.floor(distance * steps) / steps);
}

const order: readonly RiskLevel[] = ['none', 'warning', 'danger'];

/** The highest level of several. */
export const highestLevel = (risks: readonly FigureRisk[]): RiskLevel =>
  order.findLast((level) => risks.some((risk) => risk.level === level)) ?? 'none';
