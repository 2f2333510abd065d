import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { ProcessMetrics } from './process-metrics.ts';

export type CompletedRequest = {
  readonly id: string;
  readonly method: string;
  /** Route pattern, never the URL: a query or path may hold what must not be logged. */
  readonly route: string;
  readonly status: number;
  /** How long it took. */
  readonly ms: number;
};

/** One line and one observation for each request, whichever way it was answered. */
export function createRequestLog(
  logRequest: (request: CompletedRequest) => void,
  metrics: ProcessMetrics,
): (request: CompletedRequest) => void {
  return (request) => {
    metrics.observe(request);
    logRequest(request);
  };
}

/** The caller's own `x-request-id` when it is a plain token, otherwise one that is unique to this process. */
export function createRequestIdGenerator(): (request: IncomingMessage) => string {
  const prefix = randomBytes(6).toString('hex');
  let count = 0;
  return (request) => {
    const given = request.headers['x-request-id'];
    if (typeof given === 'string' && /^[\w.:-]{1,64}$/.test(given)) return given;
    count += 1;
    return `${prefix}-${count}`;
  };
}
