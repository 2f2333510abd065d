/** A decimal as a whole number of units of 10^-50, so that sums are exact. */
export type Units = bigint;

const DIGITS = 50;
const ONE: Units = 10n ** BigInt(DIGITS);
const DECIMAL = /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]\d+))?$/;

/** Parses a decimal string or a JSON number. */
export function toUnits(value: unknown): Units {
  const [, sign, whole = '0', fraction = '', exponent = '0'] = DECIMAL.exec(String(value)) ?? [];
  if (sign === undefined) throw new Error(`not a decimal: ${String(value)}`);
  const shift = DIGITS - fraction.length + Number(exponent);
  const digits = BigInt(whole + fraction);
  const units = shift >= 0 ? digits * 10n ** BigInt(shift) : digits / 10n ** BigInt(-shift);
  return sign === '-' ? -units : units;
}

export const sumUnits = (values: readonly Units[]): Units => values.reduce((a, b) => a + b, 0n);

export const multiply = (a: Units, b: Units): Units => (a * b) / ONE;

/** Whether two figures differ by at most 10^-12 of their size, or of a millionth. */
export function isNear(a: Units, b: Units): boolean {
  const difference = a > b ? a - b : b - a;
  const absolute = (value: Units) => (value < 0n ? -value : value);
  const size = [absolute(a), absolute(b), ONE / 10n ** 6n].reduce((x, y) => (x > y ? x : y));
  return difference * 10n ** 12n <= size;
}

export const formatUnits = (units: Units): string => {
  const text = (units < 0n ? -units : units).toString().padStart(DIGITS + 1, '0');
  return `${units < 0n ? '-' : ''}${text.slice(0, -DIGITS)}.${text.slice(-DIGITS, -DIGITS + 18)}`;
};
