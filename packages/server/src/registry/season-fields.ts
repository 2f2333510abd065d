import {
  hasCode,
  parseDecimal,
  type Ratio,
  toUnixSeconds,
  type UnixSeconds,
} from '@tidegate/core/base';
import { type DocumentPath, invalidField } from './document-fields.ts';

const ISO =
  /^(\d{4}-\d{2}-\d{2})(?:T(\d{2}:\d{2})(?::(\d{2})(?:\.(\d{1,9}))?)?(Z|[+-]\d{2}:\d{2})?)?$/;
const LATEST_SECONDS = 99_999_999_999;
const TIME_FORM =
  'must be a date like "2026-01-31" or "2026-01-31T12:00:00Z", or epoch milliseconds';

/** A date or a time, UTC where it names no zone, or epoch milliseconds. A part of a second counts as a whole one. */
export function readTimeField(value: unknown, place: DocumentPath): UnixSeconds {
  const ms = typeof value === 'string' ? msOfIso(value) : value;
  if (typeof ms !== 'number' || !Number.isSafeInteger(ms) || ms < 0) {
    throw invalidField(place, TIME_FORM);
  }
  if (typeof value === 'number' && value > 0 && value <= LATEST_SECONDS) {
    throw invalidField(place, `looks like epoch seconds, it takes milliseconds: ${value}000`);
  }
  return toUnixSeconds(BigInt(Math.ceil(ms / 1000)));
}

/** Undefined for what the calendar does not have. */
function msOfIso(text: string): number | undefined {
  const [, date, time = '00:00', second = '00', fraction = '', zone = 'Z'] = ISO.exec(text) ?? [];
  if (date === undefined) return undefined;
  const midnight = new Date(`${date}T00:00:00Z`);
  if (Number.isNaN(midnight.getTime()) || !midnight.toISOString().startsWith(date))
    return undefined;
  const whole = Date.parse(`${date}T${time}:${second}${zone}`);
  if (Number.isNaN(whole) || time.startsWith('24')) return undefined;
  return /[1-9]/.test(fraction) ? whole + 1000 : whole;
}

/** Zero or more, as a text: a number would have lost digits before it is read. */
export function readDecimalField(value: unknown, place: DocumentPath): Ratio {
  const parsed = typeof value === 'string' ? decimalOfText(value) : undefined;
  if (parsed !== undefined && parsed.numerator >= 0n) return parsed;
  throw invalidField(place, 'must be a decimal in quotes that is not negative, such as "0.25"');
}

function decimalOfText(text: string): Ratio | undefined {
  try {
    return parseDecimal(text);
  } catch (error) {
    if (hasCode(error, 'INVALID_DECIMAL')) return undefined;
    throw error;
  }
}
