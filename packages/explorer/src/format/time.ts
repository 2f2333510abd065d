/** Times as text, in the reader's language and time zone, or in UTC. */

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

const formats = new Map<string, Intl.DateTimeFormat>();

function dateFormat(
  locale: string | undefined,
  options: Intl.DateTimeFormatOptions,
): Intl.DateTimeFormat {
  const key = `${locale}${JSON.stringify(options)}`;
  const format = formats.get(key) ?? new Intl.DateTimeFormat(locale, options);
  formats.set(key, format);
  return format;
}

/** `time` is in milliseconds since 1970. `timeZone` is the reader's by default. */
type TimeOptions = { readonly locale?: string | undefined; readonly timeZone?: string | undefined };

const withZone = (
  { timeZone }: TimeOptions,
  options: Intl.DateTimeFormatOptions,
): Intl.DateTimeFormatOptions => (timeZone === undefined ? options : { ...options, timeZone });

/** `16 Nov 2026, 17:38:02`. */
export const formatDateTime = (time: number, options: TimeOptions = {}): string =>
  dateFormat(
    options.locale,
    withZone(options, { dateStyle: 'medium', timeStyle: 'medium' }),
  ).format(time);

/** `2026-11-16 17:38:02 UTC`. */
export const formatUtc = (time: number): string =>
  `${new Date(time).toISOString().slice(0, 19).replace('T', ' ')} UTC`;

/** `17:38:02`. */
export const formatClock = (time: number, options: TimeOptions = {}): string =>
  dateFormat(options.locale, withZone(options, { timeStyle: 'medium' })).format(time);

const units = [
  { unit: 'day', ms: DAY_MS },
  { unit: 'hour', ms: HOUR_MS },
  { unit: 'minute', ms: MINUTE_MS },
  { unit: 'second', ms: SECOND_MS },
] as const;

/** Units are words, so they are in the language of the page. */
const LANGUAGE = 'en';

/** A length of time in its largest unit: `3 min`, `2 hr`, `12 sec`. */
export function formatDuration(ms: number): string {
  const { unit, ms: size } = units.find((each) => ms >= each.ms) ?? units[3];
  return new Intl.NumberFormat(LANGUAGE, {
    style: 'unit',
    unit,
    unitDisplay: 'short',
    maximumFractionDigits: 0,
  }).format(Math.floor(ms / size));
}

/** `3 min. ago`. */
export function formatAgo(ms: number): string {
  const { unit, ms: size } = units.find((each) => ms >= each.ms) ?? units[3];
  const format = new Intl.RelativeTimeFormat(LANGUAGE, { numeric: 'auto', style: 'short' });
  return format.format(-Math.floor(ms / size), unit);
}

/** A tick of a time axis: years, months, days or times, by the distance of the ticks. */
export function formatTimeTick(time: number, stepMs: number, options: TimeOptions = {}): string {
  if (stepMs >= 360 * DAY_MS)
    return dateFormat(options.locale, withZone(options, { year: 'numeric' })).format(time);
  if (stepMs >= 27 * DAY_MS) {
    return dateFormat(
      options.locale,
      withZone(options, { month: 'short', year: '2-digit' }),
    ).format(time);
  }
  if (stepMs >= DAY_MS) {
    return dateFormat(options.locale, withZone(options, { day: 'numeric', month: 'short' })).format(
      time,
    );
  }
  return dateFormat(
    options.locale,
    withZone(options, { hour: '2-digit', minute: '2-digit' }),
  ).format(time);
}
