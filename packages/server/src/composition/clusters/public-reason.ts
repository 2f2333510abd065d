import { CodedError, type ErrorCode } from '../../errors.ts';

/** Their messages name an endpoint or a setting. Others can name folders, users and the host of a database. */
const PUBLIC_CODES: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'INVALID_SETTING',
  'SOURCE_UNAVAILABLE',
  'SOURCE_REFUSES',
  'SOURCE_LAGS',
]);

/** Anyone can read the status; the log has every reason. */
export const publicReason = (error: unknown): string =>
  error instanceof CodedError && PUBLIC_CODES.has(error.code)
    ? error.message
    : 'the start failed, and the log has the reason';
