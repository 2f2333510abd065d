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

/** The largest number not above a positive value, for a limit that must not be exceeded. Usually the exact value. */
export function toLiveNumberDown(value: Ratio): number {
  const nearest = toLiveNumber(value);
  return isAbove(nearest, value) ? nextBelow(nearest) : nearest;
}

/** Compares the number as JSON prints it. */
function isAbove(number: number, { numerator, denominator }: Ratio): boolean {
  const [mantissa = '', exponent = ''] = number.toExponential().split('e');
  const [whole = '', decimals = ''] = mantissa.split('.');
  const power = BigInt(exponent) - BigInt(decimals.length);
  const digits = BigInt(whole + decimals);
  return power < 0n
    ? digits * denominator > numerator * 10n ** -power
    : digits * 10n ** power * denominator > numerator;
}

function nextBelow(positive: number): number {
  const bytes = new DataView(new ArrayBuffer(8));
  bytes.setFloat64(0, positive);
  bytes.setBigUint64(0, bytes.getBigUint64(0) - 1n);
  return bytes.getFloat64(0);
}

export const toEpochMillis = (unix: UnixSeconds): number => Number(unix) * 1000;

export const formatIsoInstant = (unix: UnixSeconds): string =>
  new Date(toEpochMillis(unix)).toISOString();
