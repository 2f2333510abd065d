import {
  type Issue,
  isValidDate,
  startOfDate,
  toUnixSeconds,
  type UnixSeconds,
} from '@tidegate/core/base';

export type ParsedInstant =
  | { readonly instant: UnixSeconds }
  | { readonly issues: readonly [Issue, ...Issue[]] };

const DATE = /^(\d{4})-(\d{2})-(\d{2})/;
const TIME = /^T(\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{1,9}))?)?/;
const ZONE = /^(?:Z|([+-])(\d{2}):?(\d{2}))?$/;
const LOST_PLUS = /T[\d:.]+ \d{2}:?\d{2}$/;
const WHOLE_NUMBER = /^\d+$/;
const EPOCH_SECONDS = /^[1-9]\d{9,10}(?:\.\d+)?$/;

const FIRST = startOfDate({ year: 0, month: 1, day: 1 });
const END = startOfDate({ year: 10_000, month: 1, day: 1 });
const MS_PER_SECOND = 1000n;

/**
 * Parses an ISO 8601 date or date-time (default time zone: UTC) or epoch milliseconds. Rounds fractions of a second up.
 * Recorded times are whole seconds, so rounding changes neither an inclusive start nor an exclusive end.
 */
export function parseInstant(text: string, name: string): ParsedInstant {
  if (EPOCH_SECONDS.test(text)) return { issues: [secondsIssue(text, name)] };
  const instant = WHOLE_NUMBER.test(text) ? instantOfMs(text) : instantOfIso(text);
  if (instant === undefined) return { issues: [formatIssue(text, name)] };
  if (instant < FIRST || instant > END) return { issues: [yearIssue(name)] };
  return { instant };
}

/** Truncates very long numbers; the result is out of range either way. */
const instantOfMs = (text: string): UnixSeconds =>
  roundUpToSeconds(BigInt(text.length > 20 ? text.slice(0, 20) : text), MS_PER_SECOND);

function instantOfIso(text: string): UnixSeconds | undefined {
  const date = DATE.exec(text);
  if (date === null) return undefined;
  const [year = 0, month = 0, day = 0] = date.slice(1).map(Number);
  if (!isValidDate({ year, month, day })) return undefined;
  const midnight = startOfDate({ year, month, day });
  const rest = text.slice(date[0].length);
  if (rest === '') return midnight;
  const time = secondsOfTime(rest);
  return time === undefined ? undefined : toUnixSeconds(midnight + time);
}

/** Parses the part from `T` on to seconds after midnight UTC; negative or above a day for some time zones. */
function secondsOfTime(text: string): bigint | undefined {
  const time = TIME.exec(text);
  const zone = time === null ? null : ZONE.exec(text.slice(time[0].length));
  if (time === null || zone === null) return undefined;
  const [hour = 0, minute = 0, second = 0] = time.slice(1, 4).map((part) => Number(part ?? 0));
  const [, sign, zoneHours = '0', zoneMinutes = '0'] = zone;
  const [hours, minutes] = [Number(zoneHours), Number(zoneMinutes)];
  if (hour > 23 || minute > 59 || second > 59 || hours > 23 || minutes > 59) return undefined;
  const fraction = /[1-9]/.test(time[4] ?? '') ? 1 : 0;
  const offset = (hours * 60 + minutes) * (sign === '-' ? -60 : 60);
  return BigInt(hour * 3600 + minute * 60 + second + fraction - offset);
}

const roundUpToSeconds = (amount: bigint, perSecond: bigint): UnixSeconds =>
  toUnixSeconds((amount + perSecond - 1n) / perSecond);

function secondsIssue(text: string, name: string): Issue {
  const [whole = ''] = text.split('.');
  const message = `${name} looks like epoch seconds; use milliseconds: ${whole}000`;
  return { path: [name], code: 'epoch_seconds', message, suggestion: `${whole}000` };
}

function formatIssue(text: string, name: string): Issue {
  const plus = LOST_PLUS.test(text) ? '. Encode the + of the time zone as %2B' : '';
  const message = `${name} must be a date like 2024-01-31 or 2024-01-31T12:00:00Z, or epoch milliseconds${plus}`;
  return { path: [name], code: 'invalid_date', message };
}

function yearIssue(name: string): Issue {
  const message = `${name} must be between the years 0 and 9999; numbers are epoch milliseconds`;
  return { path: [name], code: 'out_of_range', message };
}
