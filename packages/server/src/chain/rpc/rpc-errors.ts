import { CodedError, hasCode } from '../../errors.ts';

/** The `error` of a JSON-RPC response. */
export type RpcError = { readonly code: number; readonly message: string };

type Rejection = 'too-large' | 'unknown-method' | 'invalid-params';

const METHOD_NOT_FOUND = -32601;
const INVALID_PARAMS = -32602;
const SCAN_TOO_LARGE = -32012;
/** Nodes use it for "node is behind", providers also for "limit exceeded". */
const LIMIT_EXCEEDED = -32005;
const TOO_MANY_REQUESTS = 429;
const PAYLOAD_TOO_LARGE = 413;
/**
 * Codes that a retry cannot fix: parse error, invalid request, unknown method, invalid parameters, no index for this
 * key, scan too large; and five codes for a block that was cleaned up, does not exist yet, or was skipped.
 */
const PERMANENT_ERRORS = new Set([
  -32700, -32600, -32601, -32602, -32010, -32012, -32001, -32004, -32007, -32009, -32014, 401, 403,
  410, 413,
]);
const RATE_LIMIT_TEXT = /too many requests|rate.?limit|requests per second/i;
const TOO_LARGE_TEXT =
  /too (large|big)|too many (inputs|accounts|addresses|results)|(size|limit) exceeded|exceed(s|ed)?\b.*\b(size|limit)/i;
/** Pause after a 429 without `retry-after`. */
const DEFAULT_RETRY_AFTER_MS = 1_000;
const MAX_RETRY_AFTER_MS = 60_000;

/** SOURCE_UNAVAILABLE if a retry may succeed, SOURCE_REFUSES with the kind of rejection if not. */
export function toSourceError(
  { code, message }: RpcError,
  source: string,
  method = 'the method',
): CodedError {
  const text = code === METHOD_NOT_FOUND ? `it does not support ${method}` : message;
  const reason = `${code} ${text}`;
  if (isRateLimit(code, message)) return rateLimited(source, reason);
  const rejection = rejectionOf(code, message);
  if (rejection !== undefined)
    return new CodedError('SOURCE_REFUSES', { source, reason, rejection });
  const kind = PERMANENT_ERRORS.has(code) ? 'SOURCE_REFUSES' : 'SOURCE_UNAVAILABLE';
  return new CodedError(kind, { source, reason });
}

/** The error of an HTTP status other than 2xx. */
export function toStatusError(
  status: number,
  retryAfter: string | undefined,
  source: string,
): CodedError {
  const reason = `status ${status}`;
  if (status === PAYLOAD_TOO_LARGE) {
    return new CodedError('SOURCE_REFUSES', { source, reason, rejection: 'too-large' });
  }
  if (status !== TOO_MANY_REQUESTS && status !== 408 && status < 500) {
    return new CodedError('SOURCE_REFUSES', { source, reason });
  }
  const requestedMs = Math.min(Number(retryAfter ?? Number.NaN) * 1000, MAX_RETRY_AFTER_MS);
  if (requestedMs >= 0) {
    return new CodedError('SOURCE_UNAVAILABLE', { source, reason, retryAfterMs: requestedMs });
  }
  return status === TOO_MANY_REQUESTS
    ? rateLimited(source, reason)
    : new CodedError('SOURCE_UNAVAILABLE', { source, reason });
}

/** Whether a smaller request may succeed. */
export const isTooLarge = (error: unknown): boolean => hasRejection(error, 'too-large');

/** Whether the endpoint does not know a parameter. */
export const isInvalidParams = (error: unknown): boolean => hasRejection(error, 'invalid-params');

/** Whether the endpoint does not know the method. */
export const lacksMethod = (error: unknown): boolean => hasRejection(error, 'unknown-method');

const hasRejection = (error: unknown, rejection: Rejection): boolean =>
  hasCode(error, 'SOURCE_REFUSES') && error.context.rejection === rejection;

const rateLimited = (source: string, reason: string): CodedError =>
  new CodedError('SOURCE_UNAVAILABLE', { source, reason, retryAfterMs: DEFAULT_RETRY_AFTER_MS });

function isRateLimit(code: number, message: string): boolean {
  return code === TOO_MANY_REQUESTS || (code === LIMIT_EXCEEDED && RATE_LIMIT_TEXT.test(message));
}

function rejectionOf(code: number, message: string): Rejection | undefined {
  switch (code) {
    case METHOD_NOT_FOUND:
      return 'unknown-method';
    case SCAN_TOO_LARGE:
    case PAYLOAD_TOO_LARGE:
      return 'too-large';
    case INVALID_PARAMS:
      return TOO_LARGE_TEXT.test(message) ? 'too-large' : 'invalid-params';
    default:
      return TOO_LARGE_TEXT.test(message) ? 'too-large' : undefined;
  }
}
