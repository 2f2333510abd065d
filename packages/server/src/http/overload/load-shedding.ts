import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { CodedError, type Logger } from '@tidegate/core/base';
import { createErrorResponse } from '../errors/error-response.ts';
import type { ProcessMetrics } from '../process-metrics.ts';
import { commonHeaders } from '../response-headers.ts';
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
  const report = createOverloadReport(options.log);
  return (request, response) => {
    if (!monitor.mustReject() || alwaysAnswered.has(pathOf(request))) {
      listener(request, response);
      return;
    }
    report();
    sendRejection(request, response, options);
  };
}

function sendRejection(
  request: IncomingMessage,
  response: ServerResponse,
  { requestId, builderErrorPrefix, strictStatuses, metrics }: LoadSheddingOptions,
): void {
  const id = requestId(request);
  const { status, contentType, headers, body } = createErrorResponse({
    error: new CodedError('OVERLOADED', { retryAfterSeconds: RETRY_AFTER_SECONDS }),
    requestId: id,
    format: `${pathOf(request)}/`.startsWith(`${builderErrorPrefix}/`) ? 'builder' : undefined,
    operation: undefined,
    accept: request.headers.accept,
    strictStatuses,
  });
  const text = JSON.stringify(body);
  response.writeHead(status, [
    ...commonHeaders(id, undefined, []),
    ...Object.entries(headers).flat(),
    ...['content-type', contentType, 'content-length', `${Buffer.byteLength(text)}`],
  ]);
  response.end(text);
  metrics.observe({ method: request.method ?? '-', route: 'overloaded', status, ms: 0 });
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
