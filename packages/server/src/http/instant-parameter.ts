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
const WHOLE = /^\d+$/;
const LATE_SECONDS = /^[1-9]\d{9,10}(?:\.\d+)?$/;

const FIRST = startOfDate({ year: 0, month: 1, day: 1 });
const END = startOfDate({ year: 10_000, month: 1, day: 1 });
const MS_PER_SECOND = 1000n;

/**
 * An ISO 8601 date or date-time, UTC where it names no zone, or epoch milliseconds. A part of a second counts as a
 * whole one: everything recorded has whole seconds, so that neither an inclusive start nor an exclusive end
 * lets in or leaves out anything else by it.
 */
export function parseInstant(text: string, name: string): ParsedInstant {
  if (LATE_SECONDS.test(text)) return { issues: [secondsIssue(text, name)] };
  const instant = WHOLE.test(text) ? instantOfMs(text) : instantOfIso(text);
  if (instant === undefined) return { issues: [formIssue(text, name)] };
  if (instant < FIRST || instant > END) return { issues: [yearIssue(name)] };
  return { instant };
}

/** Digits that no number of milliseconds up to the year 9999 has are cut off, as none of them matters. */
const instantOfMs = (text: string): UnixSeconds =>
  wholeSecondsUp(BigInt(text.length > 20 ? text.slice(0, 20) : text), MS_PER_SECOND);

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

/** Of the part from the `T` on: seconds after midnight in UTC, which may be of the day before or after. */
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

const wholeSecondsUp = (amount: bigint, perSecond: bigint): UnixSeconds =>
  toUnixSeconds((amount + perSecond - 1n) / perSecond);

function secondsIssue(text: string, name: string): Issue {
  const [whole = ''] = text.split('.');
  const message = `${name} looks like epoch seconds, it takes milliseconds: ${whole}000`;
  return { path: [name], code: 'epoch_seconds', message, suggestion: `${whole}000` };
}

function formIssue(text: string, name: string): Issue {
  const plus = LOST_PLUS.test(text) ? '. Write the + of its zone as %2B' : '';
  const message = `${name} must be a date like 2024-01-31 or 2024-01-31T12:00:00Z, or epoch milliseconds${plus}`;
  return { path: [name], code: 'invalid_date', message };
}

function yearIssue(name: string): Issue {
  const message = `${name} must be in the years 0 to 9999; numbers are epoch milliseconds`;
  return { path: [name], code: 'out_of_range', message };
}
