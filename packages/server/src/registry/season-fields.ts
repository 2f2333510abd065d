import { parseDecimal, type Ratio, toUnixSeconds, type UnixSeconds } from '@tidegate/core/base';
import { hasCode } from '../errors.ts';
import { type DocumentPath, rejectField } from './document-fields.ts';

const ISO =
  /^(\d{4}-\d{2}-\d{2})(?:T(\d{2}:\d{2})(?::(\d{2})(?:\.(\d{1,9}))?)?(Z|[+-]\d{2}:\d{2})?)?$/;
const LATEST_SECONDS = 99_999_999_999;
const PLACEHOLDERS = {
  earliest: toUnixSeconds(0n),
  latest: toUnixSeconds(BigInt(Number.MAX_SAFE_INTEGER)),
};
const TIME_FORM =
  'must be a date like "2026-01-31" or "2026-01-31T12:00:00Z", or epoch milliseconds';

/**
 * An ISO date or time (UTC if it has no zone) or epoch milliseconds. Rounds fractions of a second up. The placeholder of an
 * invalid time is chosen so that comparisons with other times report no further problem.
 */
export function readTimeField(
  value: unknown,
  path: DocumentPath,
  placeholder: 'earliest' | 'latest',
): UnixSeconds {
  const ms = typeof value === 'string' ? parseIso(value) : value;
  if (typeof ms !== 'number' || !Number.isSafeInteger(ms) || ms < 0) {
    rejectField(path, TIME_FORM);
    return PLACEHOLDERS[placeholder];
  }
  if (typeof value === 'number' && value > 0 && value <= LATEST_SECONDS) {
    rejectField(path, `must be in milliseconds, not seconds: ${value}000`);
    return PLACEHOLDERS[placeholder];
  }
  return toUnixSeconds(BigInt(Math.ceil(ms / 1000)));
}

/** Undefined for dates that do not exist. */
function parseIso(text: string): number | undefined {
  const [, date, time = '00:00', second = '00', fraction = '', zone = 'Z'] = ISO.exec(text) ?? [];
  if (date === undefined) return undefined;
  const midnight = new Date(`${date}T00:00:00Z`);
  if (Number.isNaN(midnight.getTime()) || !midnight.toISOString().startsWith(date))
    return undefined;
  const whole = Date.parse(`${date}T${time}:${second}${zone}`);
  if (Number.isNaN(whole) || time.startsWith('24')) return undefined;
  return /[1-9]/.test(fraction) ? whole + 1000 : whole;
}

/** A non-negative decimal string. JSON numbers would lose digits. */
export function readDecimalField(value: unknown, path: DocumentPath): Ratio {
  const parsed = typeof value === 'string' ? parseDecimalOrUndefined(value) : undefined;
  if (parsed !== undefined && parsed.numerator >= 0n) return parsed;
  rejectField(path, 'must be a non-negative decimal string such as "0.25"');
  return { numerator: 1n, denominator: 1n };
}

function parseDecimalOrUndefined(text: string): Ratio | undefined {
  try {
    return parseDecimal(text);
  } catch (error) {
    if (hasCode(error, 'INVALID_DECIMAL')) return undefined;
    throw error;
  }
}
