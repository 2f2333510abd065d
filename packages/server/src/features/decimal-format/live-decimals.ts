import {
  formatRatio,
  formatSf,
  LIVE_DIGITS,
  type Ratio,
  type Sf,
  type UnixSeconds,
} from '@tidegate/core/base';

/** Formats a current value; undefined, from a division by zero, is `0`. */
export const formatLiveRatio = (value: Ratio | undefined): string =>
  value === undefined ? '0' : formatRatio(value, LIVE_DIGITS);

export const formatLiveSf = (value: Sf): string => formatSf(value, LIVE_DIGITS);

/** The nearest double, for fields that are numbers in the contract. */
export const toLiveNumber = (value: Ratio): number => Number(formatRatio(value, LIVE_DIGITS));

export const toEpochMillis = (unix: UnixSeconds): number => Number(unix) * 1000;

export const formatIsoInstant = (unix: UnixSeconds): string =>
  new Date(toEpochMillis(unix)).toISOString();
