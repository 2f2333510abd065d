import type { ApiError } from '@tidegate/client';

/** Why a request has no data, as a page shows it. */
export type FailureKind = 'offline' | 'not-found' | 'invalid' | 'busy' | 'server';

export function failureKind(error: ApiError): FailureKind {
  switch (error.kind) {
    case 'network':
    case 'timeout':
    case 'aborted':
      return 'offline';
    case 'http':
      return kindOfStatus(error.status);
    case 'invalid':
      return 'invalid';
    default:
      return 'server';
  }
}

function kindOfStatus(status: number): FailureKind {
  if (status === 404) return 'not-found';
  if (status === 429 || status === 503) return 'busy';
  return status < 500 ? 'invalid' : 'server';
}

/** Whether the server rejects the request as it is. */
export const isRejection = (error: ApiError): boolean => failureKind(error) === 'invalid';

/** Whether the same request has the same failure again. */
export const isFinal = (error: ApiError): boolean =>
  isRejection(error) || failureKind(error) === 'not-found';

/** What finds the failure in the documentation and in the server's log. */
export function describeOrigin(error: ApiError): string {
  const id = error.kind === 'http' ? error.requestId : undefined;
  return id === undefined ? error.code : `${error.code} · request ${id}`;
}

/** How long to wait before the next attempt, as the server says. */
export const retryAfterOf = (error: ApiError): number =>
  error.kind === 'http' ? (error.retryAfterMs ?? 0) : 0;
