export const U64_MAX = (1n << 64n) - 1n;

/** Smallest units, or the whole balance. */
export type Amount = bigint | 'all';

export const MAX_DECIMALS = 30;

export const SOL_DECIMALS = 9;

/** Undefined if the text is not a decimal number with at most `decimals` decimals. */
export function parseUnits(text: string, decimals: number): bigint | undefined {
  const [, whole = '', fraction = ''] = /^(\d{1,40})(?:\.(\d{1,40}))?$/.exec(text) ?? [];
  const digits = fraction.replace(/0+$/, '');
  if (whole === '' || decimals < 0 || decimals > MAX_DECIMALS || digits.length > decimals) {
    return undefined;
  }
  return BigInt(whole + digits.padEnd(decimals, '0'));
}

/** Both texts mean everything, as does the largest number of smallest units. */
const ALL_TEXTS: readonly string[] = ['U64::MAX', U64_MAX.toString()];

export const isEverything = (text: string): boolean => ALL_TEXTS.includes(text);

export function formatAmount(units: bigint, decimals: number | undefined): string {
  if (decimals === undefined) return `${units} smallest units`;
  const digits = units.toString().padStart(decimals + 1, '0');
  const whole = digits.slice(0, digits.length - decimals);
  const fraction = digits.slice(digits.length - decimals).replace(/0+$/, '');
  return fraction === '' ? whole : `${whole}.${fraction}`;
}

/** Undefined if it is not a number from 0 to 2^64 - 1, or one as a string. */
export function toUnsigned(value: unknown): bigint | undefined {
  const isNumber = typeof value === 'bigint' || Number.isSafeInteger(value);
  if (!isNumber && typeof value !== 'string') return undefined;
  const text = String(value);
  const number = /^\d{1,20}$/.test(text) ? BigInt(text) : undefined;
  return number !== undefined && number <= U64_MAX ? number : undefined;
}
