import type { IncomingMessage, ServerResponse } from 'node:http';
import { performance } from 'node:perf_hooks';
import type { Admission, Authenticator } from '../auth/authenticator.ts';
import type { Freshness } from '../freshness.ts';
import { hasMinContextSlot } from '../min-context-slot.ts';
import type { CompletedRequest } from '../request-log.ts';
import type { RequestTracer } from '../request-tracer.ts';
import { commonHeaders } from '../response-headers.ts';
import { prefersEventStream } from '../streams/accept-event-stream.ts';
import type { CachedResponse } from './cached-response.ts';
import type { Representation } from './representation.ts';
import type { FoundResponse, ResponseCache } from './response-cache.ts';
import { canSendStatic, sendStaticResponse } from './static-headers.ts';

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

type FastPathOptions = {
  readonly responses: ResponseCache;
  readonly authenticator: Authenticator;
  readonly requestId: (request: IncomingMessage) => string;
  readonly freshness: Freshness;
  readonly onCompleted: (request: CompletedRequest) => void;
  readonly tracer: RequestTracer | undefined;
  /** Requests that were already charged here. */
  readonly admissions: WeakMap<IncomingMessage, Admission>;
};

/**
 * Serves cached responses before the router, including rate limit, headers, log line and metrics. All other requests
 * (not cached, not compressed yet, unknown key, over the limit) go to the router.
 */
export function createFastPath(options: FastPathOptions, router: Handler): Handler {
  const { responses, authenticator, admissions } = options;

  const find = ({ url = '', headers }: IncomingMessage): FoundResponse | undefined =>
    responses.findByUrl(url, headers['accept-encoding']);

  const decide = (
    exchange: Exchange,
    found: FoundResponse | undefined,
    admission: Admission,
  ): void => {
    if (found !== undefined && admission.outcome === 'admitted') {
      const { response: cached, representation } = found;
      send(options, exchange, { cached, representation, admission });
    } else {
      admissions.set(exchange.request, admission);
      router(exchange.request, exchange.response);
    }
  };

  return (request, response) => {
    const found = isCacheable(request) ? find(request) : undefined;
    if (found === undefined) {
      router(request, response);
      return;
    }
    const exchange = { request, response, start: performance.now() };
    const admission = authenticator.authenticate(request, found.response.operation.weight);
    if (admission instanceof Promise) {
      admission.then(
        // Look it up again: the data can have changed during the wait.
        (settled) => decide(exchange, find(request), settled),
        () => router(request, response),
      );
    } else {
      decide(exchange, found, admission);
    }
  };
}

type Exchange = {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly start: number;
};

type Admitted = {
  readonly cached: CachedResponse;
  readonly representation: Representation;
  readonly admission: Admission;
};

function send(
  options: FastPathOptions,
  { request, response, start }: Exchange,
  { cached, representation, admission }: Admitted,
): void {
  const id = options.requestId(request);
  const { method = 'GET', headers } = request;
  const notModified = cached.isNotModified(headers['if-none-match']);
  const status = notModified ? 304 : 200;
  const url = request.url ?? '';

  const isStatic = !notModified && canSendStatic(request, response);
  const head = isStatic
    ? representation.head.text(id, admission, options.freshness.lines(url, cached.operation))
    : '';
  if (!isStatic || !sendStaticResponse(response, head, representation)) {
    const common = commonHeaders(id, admission, options.freshness.headers(url, cached.operation));
    const { notModifiedHeaders, headers: fullHeaders, body } = representation;
    response.writeHead(status, [...common, ...(notModified ? notModifiedHeaders : fullHeaders)]);
    response.end(notModified || method === 'HEAD' ? undefined : body);
  }
  const ms = performance.now() - start;
  const { keyId } = admission;
  const completed = { id, method, route: cached.route, status, ms, keyId };
  options.onCompleted(completed);
  options.tracer?.end(request, {
    ...completed,
    weight: cached.operation.weight,
    isCached: true,
  });
}

/** Requests with a body, with `minContextSlot` or for a stream go to the router. */
function isCacheable({ method, headers, url }: IncomingMessage): boolean {
  if (method !== 'GET' && method !== 'HEAD') return false;
  if (hasMinContextSlot(url ?? '', headers) || prefersEventStream(headers)) return false;
  return headers['content-length'] === undefined && headers['transfer-encoding'] === undefined;
}
