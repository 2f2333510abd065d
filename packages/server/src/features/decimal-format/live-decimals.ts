import {
  formatRatio,
  formatSf,
  LIVE_DIGITS,
  type Ratio,
  type Sf,
  type UnixSeconds,
} from '@tidegate/core/base';

/** An exact value of now as text; one that divides by zero is `0`. */
export const formatLiveRatio = (value: Ratio | undefined): string =>
  value === undefined ? '0' : formatRatio(value, LIVE_DIGITS);

export const formatLiveSf = (value: Sf): string => formatSf(value, LIVE_DIGITS);

/** The double next to it, for the few fields that the contract has as numbers. */
export const toLiveNumber = (value: Ratio): number => Number(formatRatio(value, LIVE_DIGITS));

export const toEpochMillis = (unix: UnixSeconds): number => Number(unix) * 1000;

export const formatIsoInstant = (unix: UnixSeconds): string =>
  new Date(toEpochMillis(unix)).toISOString();
