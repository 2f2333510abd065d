import { formatExactDecimal, multiplyDecimals, parseDecimal } from '@tidegate/client';

/**
 * Numbers as text, by the rules of the explorer: short, at least three significant digits, never more than the source
 * has, and never a zero for something that is not zero. A source is a decimal string of the API or a number.
 */

export type NumberSource = string | number;

export type NumberText = {
  /** For display. */
  readonly short: string;
  /** All digits of the source, grouped, with the unit. */
  readonly exact: string;
  /** The plain value, for the clipboard. */
  readonly plain: string;
};

type Options = Intl.NumberFormatOptions;

const NO_BREAK_SPACE = '\u00a0';
/** Values from here on are abbreviated: 1.25M. */
const COMPACT_FROM = 1_000_000;

const formats = new Map<string, Intl.NumberFormat>();

/** Creating a format is slow, so each one is created once. */
function numberFormat(locale: string | undefined, options: Options): Intl.NumberFormat {
  const key = `${locale}${JSON.stringify(options)}`;
  const format = formats.get(key) ?? new Intl.NumberFormat(locale, options);
  formats.set(key, format);
  return format;
}

/** As wide as a digit, and the same in all locales; some have a hyphen. */
const MINUS = '\u2212';
const withMinus = (text: string): string => text.replace('-', MINUS);

/** `Intl` reads a decimal string exactly; its type does not accept `string`. */
const formatDecimal = (format: Intl.NumberFormat, value: NumberSource): string =>
  withMinus(format.format(value as Intl.StringNumericLiteral));

/** The value with all its digits. `Intl` formats at most 20 after the point, so these are put in as they are. */
function formatExact(value: NumberSource, options: Options, locale: string | undefined): string {
  const [whole = '0', fraction = ''] = plainDecimal(value).split('.');
  const digits = fraction === '' ? 0 : 1;
  const format = numberFormat(locale, {
    ...options,
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  });
  const source = fraction === '' ? whole : `${whole}.1`;
  const parts = format.formatToParts(source as Intl.StringNumericLiteral);
  return withMinus(
    parts.map((part) => (part.type === 'fraction' ? fraction : part.value)).join(''),
  );
}

/** Without an exponent. */
const plainDecimal = (value: NumberSource): string =>
  formatExactDecimal(parseDecimal(String(value)));

const percentOf = (fraction: NumberSource): string => multiplyDecimals(String(fraction), '100');

/** How many digits a value of this size is shown with. */
function shownDigits(size: number, value: NumberSource): Options {
  if (size >= COMPACT_FROM) {
    return { notation: 'compact', minimumSignificantDigits: 3, maximumSignificantDigits: 3 };
  }
  if (size >= 1_000 || size === 0) return { maximumFractionDigits: 0 };
  if (size < 1) return { maximumSignificantDigits: 3 };
  const [, available = ''] = String(value).split('.');
  const digits = Math.min(2, available.length);
  return { minimumFractionDigits: digits, maximumFractionDigits: digits };
}

/** `71.30 SOL`, `5,120 USDC`, `1.25M USDC`, `0.00312 BTC`. */
export function formatAmount(value: NumberSource, unit = '', locale?: string): NumberText {
  const suffix = unit === '' ? '' : `${NO_BREAK_SPACE}${unit}`;
  const digits = shownDigits(Math.abs(Number(value)), value);
  return {
    short: formatDecimal(numberFormat(locale, digits), value) + suffix,
    exact: formatExact(value, {}, locale) + suffix,
    plain: String(value),
  };
}

/** A count, such as 1,234. */
export const formatCount = (value: NumberSource, locale?: string): string =>
  formatDecimal(numberFormat(locale, { maximumFractionDigits: 0 }), value);

const usd = { style: 'currency', currency: 'USD', currencyDisplay: 'narrowSymbol' } as const;
const twoDigits = { minimumFractionDigits: 2, maximumFractionDigits: 2 };
const CENT = 0.01;

/** `$12.4M`, `$12,002`, `$118.40`, `< $0.01`. */
export function formatUsd(value: NumberSource, locale?: string): NumberText {
  const size = Math.abs(Number(value));
  const digits = size > 0 && size < 1 ? twoDigits : shownDigits(size, value);
  const format = numberFormat(locale, { ...usd, minimumFractionDigits: 0, ...digits });
  const isBelowCent = size > 0 && size < CENT;
  return {
    short: isBelowCent ? belowCent(Number(value), locale) : formatDecimal(format, value),
    exact: formatExact(value, usd, locale),
    plain: String(value),
  };
}

function belowCent(value: number, locale: string | undefined): string {
  const cent = formatDecimal(
    numberFormat(locale, { ...usd, ...twoDigits }),
    value < 0 ? -CENT : CENT,
  );
  return `${value < 0 ? '>' : '<'}${NO_BREAK_SPACE}${cent}`;
}

/** Prices below a dollar have four significant digits: `$118.40`, `$0.05572`, `$103,123`. */
export function formatPrice(value: NumberSource, locale?: string): NumberText {
  const size = Math.abs(Number(value));
  const text = formatUsd(value, locale);
  if (size >= 1 || size === 0) return text;
  const format = numberFormat(locale, { ...usd, maximumSignificantDigits: 4 });
  return { ...text, short: formatDecimal(format, value) };
}

/** A price in another token has five significant digits: `1.2318 SOL`. */
export function formatRatio(value: NumberSource, unit: string, locale?: string): NumberText {
  const text = formatAmount(value, unit, locale);
  const format = numberFormat(locale, { maximumSignificantDigits: 5 });
  const isLarge = Math.abs(Number(value)) >= COMPACT_FROM;
  if (isLarge) return text;
  return { ...text, short: `${formatDecimal(format, value)}${NO_BREAK_SPACE}${unit}` };
}

/** Below this fraction, 0.1 %, two digits after the point would be too few. */
const SMALL_PERCENT = 0.001;
/** In percent; what is less is not shown with its digits. */
const SMALLEST_PERCENT = 0.0001;

/** A fraction in percent: `5.21 %`, `0.049 %`, `< 0.0001 %`. The space before the sign is the same in all locales. */
export function formatPercent(fraction: NumberSource, locale?: string): NumberText {
  const percent = percentOf(fraction);
  const size = Math.abs(Number(fraction));
  const inPercent = (value: NumberSource, digits: Options): string =>
    `${formatDecimal(numberFormat(locale, digits), value)}${NO_BREAK_SPACE}%`;
  const shortText = (): string => {
    if (size === 0) return inPercent(0, {});
    if (size >= SMALL_PERCENT) return inPercent(percent, twoDigits);
    const small = { maximumSignificantDigits: 2 };
    if (size * 100 >= SMALLEST_PERCENT) return inPercent(percent, small);
    const isNegative = Number(fraction) < 0;
    const smallest = inPercent(isNegative ? -SMALLEST_PERCENT : SMALLEST_PERCENT, small);
    return `${isNegative ? '>' : '<'}${NO_BREAK_SPACE}${smallest}`;
  };
  return {
    short: shortText(),
    exact: `${formatExact(percent, {}, locale)}${NO_BREAK_SPACE}%`,
    plain: String(fraction),
  };
}

export type TickUnit = 'usd' | 'price' | 'percent' | 'number';

/** For an axis, where a tick is a round number: `$2M`, `40 %`, `1.5K`. */
export function formatTick(value: number, unit: TickUnit, locale?: string): string {
  const digits = { maximumSignificantDigits: unit === 'price' ? 6 : 4 };
  if (unit === 'percent') {
    return `${formatDecimal(numberFormat(locale, digits), value * 100)}${NO_BREAK_SPACE}%`;
  }
  const options: Options = { notation: 'compact', ...digits };
  const format = numberFormat(locale, unit === 'number' ? options : { ...usd, ...options });
  return formatDecimal(format, value);
}

const MOST_DIGITS = 6;

/** Digits after the point that leave six significant ones, at most; a whole number has all of its digits. */
const fractionDigits = (size: number, most: number): number =>
  Math.min(most, Math.max(0, MOST_DIGITS - String(Math.trunc(size)).length));

/** Beside a crosshair: not abbreviated, with up to six digits: `$4,152,791`, `$9,151.04`, `5.2134 %`, `$1.02345`. */
export function formatFull(value: NumberSource, unit: TickUnit, locale?: string): NumberText {
  if (unit === 'percent') {
    const text = formatPercent(value, locale);
    if (Math.abs(Number(value)) < SMALL_PERCENT) return text;
    const percent = percentOf(value);
    const most = fractionDigits(Math.abs(Number(percent)), 4);
    const digits = numberFormat(locale, {
      minimumFractionDigits: Math.min(2, most),
      maximumFractionDigits: most,
    });
    const short = `${formatDecimal(digits, percent)}${NO_BREAK_SPACE}%`;
    return { ...text, short };
  }
  const text = unit === 'number' ? formatAmount(value, '', locale) : formatPrice(value, locale);
  if (Math.abs(Number(value)) < 1) return text;
  const most = fractionDigits(Math.abs(Number(value)), unit === 'usd' ? 2 : MOST_DIGITS);
  // cents are two digits or none
  const digits = { maximumFractionDigits: unit !== 'number' && most < 2 ? 0 : most };
  const least = Math.min(2, digits.maximumFractionDigits);
  const format = numberFormat(
    locale,
    unit === 'number' ? digits : { ...usd, minimumFractionDigits: least, ...digits },
  );
  return { ...text, short: formatDecimal(format, value) };
}
