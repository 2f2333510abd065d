import { addRatio, compareRatios, parseDecimal, type Ratio } from '@tidegate/core/base';
import type { HookTrigger } from '../clusters/cluster-hooks.ts';

export type Side = 'above' | 'below';
export type CrossingDirection = 'rising' | 'falling';

/** A value is above from `rise` on, and below again when it is less than `fall`. Between them it stays where it was. */
export type Band = {
  readonly threshold: Ratio;
  readonly rise: Ratio;
  readonly fall: Ratio;
};

type BandOptions = Pick<HookTrigger, 'direction'> & {
  readonly threshold: string;
  readonly hysteresis?: string | undefined;
};

/** Without a hysteresis, this part of the threshold. */
const DEFAULT_HYSTERESIS: Ratio = { numerator: 1n, denominator: 100n };

/**
 * The alert comes exactly at the threshold, and the way back needs the hysteresis: below the threshold for a rising
 * alert and for both directions, above it for a falling one.
 */
export function bandOf({ threshold: text, hysteresis, direction }: BandOptions): Band {
  const threshold = parseDecimal(text);
  const width = hysteresis === undefined ? defaultWidth(threshold) : parseDecimal(hysteresis);
  return direction === 'falling'
    ? { threshold, rise: addRatio(threshold, width), fall: threshold }
    : { threshold, rise: threshold, fall: addRatio(threshold, negative(width)) };
}

/** The side of a value, after one that was on the given side; undefined for the first value. */
export function sideOf(band: Band, before: Side | undefined, value: Ratio): Side {
  if (before === undefined) return compareRatios(value, band.threshold) >= 0 ? 'above' : 'below';
  if (before === 'below') return compareRatios(value, band.rise) >= 0 ? 'above' : 'below';
  return compareRatios(value, band.fall) < 0 ? 'below' : 'above';
}

/** The crossing between two sides; undefined if there is none. */
export function crossingBetween(
  before: Side | undefined,
  after: Side,
): CrossingDirection | undefined {
  if (before === undefined || before === after) return undefined;
  return after === 'above' ? 'rising' : 'falling';
}

/** The healthy side of a loan: where one comes from that did not exist when the hook of its wallet was created. */
export const healthySide = ({ metric = 'ltv' }: Pick<HookTrigger, 'metric'>): Side =>
  metric === 'ltv' ? 'below' : 'above';

export const reportsCrossing = (
  direction: HookTrigger['direction'],
  crossing: CrossingDirection,
): boolean => direction === undefined || direction === 'both' || direction === crossing;

const defaultWidth = ({ numerator, denominator }: Ratio): Ratio => ({
  numerator: (numerator < 0n ? -numerator : numerator) * DEFAULT_HYSTERESIS.numerator,
  denominator: denominator * DEFAULT_HYSTERESIS.denominator,
});

const negative = ({ numerator, denominator }: Ratio): Ratio => ({
  numerator: -numerator,
  denominator,
});
