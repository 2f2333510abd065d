import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { ProcessMetrics } from './process-metrics.ts';

export type CompletedRequest = {
  readonly id: string;
  readonly method: string;
  /** Route pattern. The URL is not logged, because it can contain sensitive values. */
  readonly route: string;
  readonly status: number;
  /** Duration. */
  readonly ms: number;
  /** Id of the API key; undefined without a valid one. The key itself is never logged. */
  readonly keyId?: string | undefined;
};

/** Logs and measures completed requests of the fast path and of the router. */
export function createRequestLog(
  logRequest: (request: CompletedRequest) => void,
  metrics: ProcessMetrics,
): (request: CompletedRequest) => void {
  return (request) => {
    metrics.observe(request);
    if (request.keyId !== undefined) metrics.countKeyRequest(request.keyId);
    logRequest(request);
  };
}

/** Uses `x-request-id` of the client if it is a plain token; otherwise creates an id. */
export function createRequestIdGenerator(): (request: IncomingMessage) => string {
  const prefix = randomBytes(6).toString('hex');
  let count = 0;
  return (request) => {
    const id = request.headers['x-request-id'];
    if (typeof id === 'string' && /^[\w.:-]{1,64}$/.test(id)) return id;
    count += 1;
    return `${prefix}-${count}`;
  };
}
