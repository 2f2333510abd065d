import { AsyncLocalStorage } from 'node:async_hooks';
import type { IncomingMessage } from 'node:http';
import type { RpcCallObservation } from '../chain/budget/endpoint-meter.ts';
import type { QueryObservation } from '../history/observed-queries.ts';
import type { RequestTracer, TracedRequest } from '../http/request-tracer.ts';
import type { Sampler } from './sampler.ts';
import {
  type AttributeValue,
  createSpanId,
  createTraceId,
  parseTraceParent,
  type Span,
  type SpanContext,
} from './span.ts';

type TracerOptions = {
  readonly sampler: Sampler;
  readonly onSpan: (span: Span) => void;
  /** Milliseconds since 1970, with fractions. */
  readonly now: () => number;
};

type OpenRequest = {
  readonly context: SpanContext;
  readonly parentSpanId: string | undefined;
  readonly startMs: number;
};

/** Longer texts are cut. */
const MAX_QUERY_LENGTH = 2_000;

/** Records spans of requests, and of the queries and calls within them. Others are traces of their own. */
export class Tracer implements RequestTracer {
  readonly #options: TracerOptions;
  readonly #current = new AsyncLocalStorage<SpanContext>();
  readonly #open = new WeakMap<IncomingMessage, OpenRequest>();

  constructor(options: TracerOptions) {
    this.#options = options;
  }

  run(request: IncomingMessage, handler: () => void): void {
    const parent = parseTraceParent(request.headers['traceparent']);
    const context = this.#createContext(parent);
    const startMs = this.#options.now();
    this.#open.set(request, { context, parentSpanId: parent?.spanId, startMs });
    this.#current.run(context, handler);
  }

  end(request: IncomingMessage, completed: TracedRequest): void {
    const open = this.#open.get(request);
    this.#open.delete(request);
    if (open === undefined || !open.context.isSampled) return;
    const { method, route, status, weight, isCached, id } = completed;
    this.#options.onSpan({
      ...open,
      name: `${method} ${route}`,
      kind: 'server',
      endMs: this.#options.now(),
      attributes: {
        'http.request.method': method,
        'http.route': route,
        'http.response.status_code': status,
        'tidegate.request_id': id,
        'tidegate.weight': weight,
        'tidegate.cache_hit': isCached,
      },
      error: status >= 500 ? `status ${status}` : undefined,
    });
  }

  onQuery({ sql, ms, error }: QueryObservation): void {
    const [operation = ''] = sql.trimStart().split(/\s/, 1);
    this.#recordCall(operation.toUpperCase(), ms, {
      error,
      attributes: {
        'db.system.name': 'postgresql',
        'db.operation.name': operation.toUpperCase(),
        'db.query.text': sql.slice(0, MAX_QUERY_LENGTH),
      },
    });
  }

  onRpcCall({ method, endpoint, ms, error }: RpcCallObservation): void {
    this.#recordCall(method, ms, {
      error,
      attributes: { 'rpc.system': 'jsonrpc', 'rpc.method': method, 'server.address': endpoint },
    });
  }

  /** A call that has just ended. */
  #recordCall(name: string, ms: number, call: CallDetails): void {
    const parent = this.#current.getStore();
    const context = this.#createContext(parent);
    if (!context.isSampled) return;
    const endMs = this.#options.now();
    const span = { context, parentSpanId: parent?.spanId, name, startMs: endMs - ms, endMs };
    this.#options.onSpan({ ...span, kind: 'client', ...call });
  }

  #createContext(parent: SpanContext | undefined): SpanContext {
    const traceId = parent?.traceId ?? createTraceId();
    return { traceId, spanId: createSpanId(), isSampled: this.#options.sampler(traceId, parent) };
  }
}

type CallDetails = {
  readonly attributes: Readonly<Record<string, AttributeValue>>;
  readonly error: string | undefined;
};
