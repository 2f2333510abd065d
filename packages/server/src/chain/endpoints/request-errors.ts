import { hasCode } from '@tidegate/core/base';

/** Whether the same request may succeed later or at another endpoint. */
export function isTransient(error: unknown): boolean {
  return hasCode(error, 'SOURCE_UNAVAILABLE') || hasCode(error, 'SOURCE_LAGS');
}

/** Whether only another endpoint may serve the request. */
export function isRejection(error: unknown): boolean {
  return hasCode(error, 'SOURCE_REFUSES') || hasCode(error, 'RPC_BUDGET_SPENT');
}
