import type { IncomingMessage, RequestListener } from 'node:http';
import type { CompletedRequest } from './request-log.ts';

export type TracedRequest = CompletedRequest & {
  /** Units of the rate limit. */
  readonly weight: number;
  /** Whether the response was cached and sent before the router. */
  readonly isCached: boolean;
};

/** Records requests as spans. */
export type RequestTracer = {
  /** Calls the handler within the span of the request, so that its queries and calls belong to it. */
  run(request: IncomingMessage, handler: () => void): void;
  end(request: IncomingMessage, completed: TracedRequest): void;
};

/** The listener itself without a tracer. */
export const traceListener = (
  listener: RequestListener,
  tracer: RequestTracer | undefined,
): RequestListener =>
  tracer === undefined
    ? listener
    : (request, response) => tracer.run(request, () => listener(request, response));
