import type { ApiError } from './result.ts';

const FIRST_DELAY_MS = 500;
const MAX_DELAY_MS = 30_000;

/** Statuses of a server or proxy that cannot answer now. */
const TEMPORARY_STATUSES = [429, 502, 503, 504];

/** A 503 that stays one until the operator changes a setting. */
const LASTING_CODES: readonly string[] = ['HISTORY_DISABLED'];

/**
 * How long to wait before a call is repeated: as long as the server says, otherwise twice as long after each attempt.
 * Undefined if the same call would fail again.
 */
export function retryDelayMs(error: ApiError, attempt: number): number | undefined {
  if (error.kind === 'network' || error.kind === 'timeout') return backoffMs(attempt);
  if (error.kind !== 'http' || LASTING_CODES.includes(error.code)) return undefined;
  if (!TEMPORARY_STATUSES.includes(error.status)) return undefined;
  return error.retryAfterMs ?? backoffMs(attempt);
}

export const backoffMs = (attempt: number, firstMs = FIRST_DELAY_MS): number =>
  Math.min(MAX_DELAY_MS, firstMs * 2 ** Math.min(attempt, 16));

/** Calls without effect, which are safe to repeat: reads, also those with a body, and builders, which create nothing. */
export function isRepeatable(operation: string): boolean {
  if (operation.startsWith('GET ')) return true;
  return REPEATABLE_POSTS.some((pattern) => pattern.test(operation));
}

const REPEATABLE_POSTS = [
  /^POST \/ktx\//,
  /^POST \/(v2|v3)\/svc-market\/\{pubkey\}\/transactions$/,
  /^POST \/kvaults\/(vaults\/\{pubkey\}\/)?transactions$/,
  /^POST \/luts\/find-minimal$/,
];

/** Seconds or a date, as HTTP allows. */
export function parseRetryAfter(header: string | null, now: number): number | undefined {
  if (header === null) return undefined;
  if (/^\d{1,9}$/.test(header.trim())) return Number(header) * 1000;
  const date = Date.parse(header);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}
