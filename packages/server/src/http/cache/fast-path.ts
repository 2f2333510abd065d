import type { IncomingMessage, ServerResponse } from 'node:http';
import { performance } from 'node:perf_hooks';
import type { Admission, Authenticator } from '../auth/authenticator.ts';
import { type Freshness, hasMinContextSlot } from '../freshness.ts';
import type { CompletedRequest } from '../request-log.ts';
import { commonHeaders } from '../response-headers.ts';
import { chooseEncoding, isNotModified } from './representation.ts';
import type { CachedResponse, ResponseCache } from './response-cache.ts';
import { sendStaticResponse } from './static-headers.ts';

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

type FastPathOptions = {
  readonly answers: ResponseCache;
  readonly gatekeeper: Authenticator;
  readonly requestId: (request: IncomingMessage) => string;
  readonly freshness: Freshness;
  readonly finished: (request: CompletedRequest) => void;
  readonly closing: () => boolean;
  /** Admissions that were made here and must not be charged again. */
  readonly admissions: WeakMap<IncomingMessage, Admission>;
};

/**
 * Answers what is kept as bytes before the router sees it: limits, headers, log line and metrics
 * included. Whatever is not plain sailing (no answer kept, unknown key, limit reached) goes on to the router.
 */
export function createFastPath(options: FastPathOptions, router: Handler): Handler {
  const { answers, gatekeeper, admissions } = options;

  const decide = (
    exchange: Exchange,
    answer: CachedResponse | undefined,
    admission: Admission,
  ): void => {
    if (answer !== undefined && admission.outcome === 'admitted') {
      send(options, exchange, { answer, admission });
    } else {
      admissions.set(exchange.request, admission);
      router(exchange.request, exchange.response);
    }
  };

  return (request, response) => {
    const answer = canBeKept(request) ? answers.findByUrl(request.url ?? '') : undefined;
    if (answer === undefined) {
      router(request, response);
      return;
    }
    const exchange = { request, response, start: performance.now() };
    const admission = gatekeeper.admit(request, answer.operation.weight);
    if (admission instanceof Promise) {
      admission.then(
        // by now there may be newer data, which the headers would tell of
        (settled) => decide(exchange, answers.findByUrl(request.url ?? ''), settled),
        () => router(request, response),
      );
    } else {
      decide(exchange, answer, admission);
    }
  };
}

type Exchange = {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly start: number;
};

function send(
  options: FastPathOptions,
  { request, response, start }: Exchange,
  { answer, admission }: { answer: CachedResponse; admission: Admission },
): void {
  const id = options.requestId(request);
  const { method = 'GET', headers: asked } = request;
  const form = chooseEncoding(answer, asked);
  const unchanged = isNotModified(answer, asked['if-none-match']);
  const status = unchanged ? 304 : 200;
  const url = request.url ?? '';
  if (options.closing()) response.shouldKeepAlive = false;

  const usual = method === 'GET' && !unchanged && response.shouldKeepAlive && isHttp11(request);
  const head = usual ? form.head.text(id, admission, options.freshness.lines(url)) : '';
  if (!usual || !sendStaticResponse(response, head, form)) {
    const own = unchanged ? form.unchangedHeaders : form.headers;
    const common = commonHeaders(id, admission, options.freshness.headers(url));
    response.writeHead(status, [...common, ...own]);
    response.end(unchanged || method === 'HEAD' ? undefined : form.body);
  }
  const ms = performance.now() - start;
  options.finished({ id, method, route: answer.route, status, ms });
}

function isHttp11({ httpVersionMajor, httpVersionMinor }: IncomingMessage): boolean {
  return httpVersionMajor === 1 && httpVersionMinor === 1;
}

/** A request with a body or one that asks for a slot is left to the router, which knows what to do with it. */
function canBeKept({ method, headers, url }: IncomingMessage): boolean {
  if (method !== 'GET' && method !== 'HEAD') return false;
  if (hasMinContextSlot(url ?? '', headers)) return false;
  return headers['content-length'] === undefined && headers['transfer-encoding'] === undefined;
}
