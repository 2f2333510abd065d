import type { IncomingMessage, RequestListener } from 'node:http';
import type { Logger } from '@tidegate/core/base';
import { CodedError } from '../../errors.ts';
import {
  canSendStatic,
  createStaticBody,
  type StaticBody,
  StaticHeaders,
  sendStaticResponse,
} from '../cache/static-headers.ts';
import { createErrorResponse, type FailedRequest } from '../errors/error-response.ts';
import { KEEP_ALIVE_SECONDS } from '../node-server.ts';
import type { ProcessMetrics } from '../process-metrics.ts';
import { staticResponseHeaders } from '../response-headers.ts';
import { LoadMonitor } from './load-monitor.ts';

type LoadSheddingOptions = {
  readonly metrics: Pick<ProcessMetrics, 'observe'>;
  readonly requestId: (request: IncomingMessage) => string;
  /** Paths with this prefix have errors in the builder format. */
  readonly builderErrorPrefix: string;
  readonly strictStatuses: boolean;
  readonly log: Logger;
  readonly monitor?: Pick<LoadMonitor, 'mustReject'>;
};

const RETRY_AFTER_SECONDS = 1;
/** Without a rejection for this time the overload has ended. */
const QUIET_MS = 5_000;
/** They show the operator what happens, and decide whether the process gets requests. */
const alwaysAnswered: ReadonlySet<string> = new Set(['/health', '/ready', '/status', '/metrics']);

/** Rejects requests with 503 while more arrive than the process can answer, so that the others are answered in time. */
export function shedLoad(listener: RequestListener, options: LoadSheddingOptions): RequestListener {
  const { monitor = new LoadMonitor() } = options;
  const { requestId, metrics } = options;
  const report = createOverloadReport(options.log);
  const rejectionOf = createRejections(options);
  return (request, response) => {
    if (!monitor.mustReject() || alwaysAnswered.has(pathOf(request))) {
      listener(request, response);
      return;
    }
    report();
    const id = requestId(request);
    const { status, headers, text, prepared } = rejectionOf(request, id);
    const isSent =
      canSendStatic(request, response) &&
      sendStaticResponse(response, prepared.head.text(id), prepared.body);
    if (!isSent) {
      response
        .writeHead(status, ['x-request-id', id, ...staticResponseHeaders, ...headers])
        .end(text);
    }
    metrics.observe({ method: request.method ?? '-', route: 'overloaded', status, ms: 0 });
  };
}

type Rejection = {
  readonly status: number;
  readonly headers: readonly string[];
  readonly text: string;
  readonly prepared: { readonly head: StaticHeaders; readonly body: StaticBody };
};

/** Rejecting must cost much less than answering, so the response is created once per format. */
function createRejections({ builderErrorPrefix, strictStatuses }: LoadSheddingOptions) {
  const error = new CodedError('OVERLOADED', { retryAfterSeconds: RETRY_AFTER_SECONDS });
  const create = (failed: Pick<FailedRequest, 'format' | 'accept' | 'requestId'>): Rejection => {
    const response = createErrorResponse({
      error,
      operation: undefined,
      strictStatuses,
      ...failed,
    });
    const { status, contentType } = response;
    const text = JSON.stringify(response.body);
    const length = ['content-length', `${Buffer.byteLength(text)}`];
    const headers = [
      ...Object.entries(response.headers).flat(),
      ...['content-type', contentType, ...length],
    ];
    const head = new StaticHeaders(headers, KEEP_ALIVE_SECONDS, status);
    return { status, headers, text, prepared: { head, body: createStaticBody(Buffer.from(text)) } };
  };
  const plain = (format: 'builder' | undefined) =>
    create({ format, accept: undefined, requestId: '' });
  const [standard, builder] = [plain(undefined), plain('builder')];
  return (request: IncomingMessage, requestId: string): Rejection => {
    const isBuilder = `${pathOf(request)}/`.startsWith(`${builderErrorPrefix}/`);
    const { accept } = request.headers;
    if (!accept?.includes('problem+json')) return isBuilder ? builder : standard;
    return create({ format: isBuilder ? 'builder' : undefined, accept, requestId });
  };
}

/** Logs the begin and the end of an overload, not every request. */
function createOverloadReport(log: Logger): () => void {
  let rejected = 0;
  let timer: NodeJS.Timeout | undefined;
  return () => {
    rejected += 1;
    if (timer !== undefined) {
      timer.refresh();
      return;
    }
    log.warn({}, 'overloaded, some requests are rejected with 503');
    timer = setTimeout(() => {
      timer = undefined;
      log.info({ rejected }, 'the overload has ended');
      rejected = 0;
    }, QUIET_MS).unref();
  };
}

function pathOf({ url = '' }: IncomingMessage): string {
  const end = url.indexOf('?');
  return end === -1 ? url : url.slice(0, end);
}
