import { STATUS_CODES } from 'node:http';
import type { Issue } from '@tidegate/core/base';
import { CodedError, type ErrorCode, hasCode } from '../../errors.ts';
import { qualityOf } from '../media-quality.ts';
import type { ErrorFormat, Operation } from '../operation.ts';
import { httpStatusOf } from './error-status.ts';

/** Codes of data that is missing now. All error formats include them. */
const dataCodes: readonly ErrorCode[] = [
  'STALE_READ',
  'HISTORY_UNAVAILABLE',
  'HISTORY_INCOMPLETE',
  'HISTORY_DISABLED',
  'POSITIONS_INCOMPLETE',
  'WITHDRAW_QUEUE_INCOMPLETE',
  'ACCOUNT_UNREADABLE',
  'PRICE_UNAVAILABLE',
  'TRANSACTIONS_UNAVAILABLE',
  'RPC_BUDGET_SPENT',
];

/** Codes that builder errors include. */
const builderCodes: readonly ErrorCode[] = [
  ...dataCodes,
  'DECIMAL_TO_LAMPORTS_OVERFLOW',
  'KLEND_MARKET_NOT_FOUND',
  'KLEND_OBLIGATION_NOT_FOUND',
  'KLEND_RESERVE_NOT_FOUND',
  'KVAULT_NOT_FOUND',
  'KVAULT_NO_SHARES',
  'TRANSACTION_SIZE_ERROR',
  'KLEND_LOAN_NOT_LIQUIDATABLE',
  'KLEND_LIQUIDATION_AMOUNT',
  'PLAN_UNFUNDED',
  'PLAN_REJECTED',
  'SWAP_NOT_ACCEPTED',
];

/** For errors without their own retry time. */
const RETRY_SECONDS = '1';

export type FailedRequest = {
  readonly error: CodedError;
  readonly requestId: string;
  readonly format: ErrorFormat | undefined;
  readonly operation: Operation | undefined;
  readonly accept: string | undefined;
  readonly strictStatuses: boolean;
};

export type ErrorResponse = {
  readonly status: number;
  readonly contentType: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
};

/** Creates status, headers and body of an error response. */
export function createErrorResponse(failed: FailedRequest): ErrorResponse {
  const status = statusOf(failed);
  const error = status === 500 ? new CodedError('INTERNAL', {}) : failed.error;
  const headers = { 'cache-control': 'no-store', ...headersOf(error, status) };
  if (prefersProblem(failed.accept)) {
    const body = problemBody(error, status, failed.requestId);
    return { status, contentType: 'application/problem+json', headers, body };
  }
  const contentType = 'application/json; charset=utf-8';
  const body =
    failed.format === 'builder'
      ? builderBody(error, status)
      : standardBody(error, status, failed.operation);
  return { status, contentType, headers, body };
}

/** With strict statuses, a 400 or 404 that the operation does not list becomes 500 (CONFLICTS A22). */
function statusOf({ error, operation, strictStatuses }: FailedRequest): number {
  const status = httpStatusOf(error);
  if (!strictStatuses || operation === undefined) return status;
  if (status !== 400 && status !== 404) return status;
  return operation.statuses.includes(status) ? status : 500;
}

function standardBody(
  error: CodedError,
  status: number,
  operation: Operation | undefined,
): unknown {
  if (status === 404 && operation?.statuses.includes(404)) return { metadata: error.message };
  const details = status === 400 ? { details: issuesOf(error) } : {};
  const code = dataCodes.includes(error.code) ? { code: error.code } : {};
  return { error: error.message, ...code, ...details };
}

function builderBody(error: CodedError, statusCode: number): unknown {
  const issues = 'issues' in error.context ? error.context.issues : [];
  const reasons = issues.map((issue) => issue.message).join('; ');
  const code = builderCodes.includes(error.code) ? { code: error.code } : {};
  const message = reasons || error.message;
  return { statusCode, message, error: STATUS_CODES[statusCode], ...code };
}

/** RFC 9457. */
function problemBody(error: CodedError, status: number, requestId: string): unknown {
  return {
    type: `urn:tidegate:error:${error.code.toLowerCase().replaceAll('_', '-')}`,
    title: STATUS_CODES[status],
    status,
    detail: error.message,
    code: error.code,
    requestId,
    ...(status === 400 && { errors: issuesOf(error) }),
  };
}

function issuesOf(error: CodedError): readonly Issue[] {
  if ('issues' in error.context) return error.context.issues;
  const path = hasCode(error, 'UNKNOWN_CLUSTER') ? ['env'] : [];
  return [{ path, code: error.code.toLowerCase(), message: error.message }];
}

function headersOf(error: CodedError, status: number): Record<string, string> {
  if (hasCode(error, 'METHOD_NOT_ALLOWED')) return { allow: error.context.allowed.join(', ') };
  if (status === 401) return { 'www-authenticate': 'Bearer' };
  if ('retryAfterSeconds' in error.context) {
    return { 'retry-after': String(error.context.retryAfterSeconds) };
  }
  if (status === 503) return { 'retry-after': RETRY_SECONDS };
  return {};
}

/** Whether the client accepts problem+json with at least the quality of plain JSON. */
function prefersProblem(accept: string | undefined): boolean {
  if (accept === undefined || !accept.includes('problem+json')) return false;
  const problem = qualityOf(accept, 'application/problem+json');
  return problem > 0 && problem >= qualityOf(accept, 'application/json');
}
