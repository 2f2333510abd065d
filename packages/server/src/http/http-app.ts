import type { IncomingMessage, RequestListener } from 'node:http';
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { Logger } from '@tidegate/core/base';
import fastify, { type FastifyInstance, type FastifyRequest } from 'fastify';
import type { TSchema } from 'typebox';
import type { DataVersions } from '../clusters/data-versions.ts';
import type { Clusters } from '../clusters/served-clusters.ts';
import type { CodedError } from '../errors.ts';
import type { ApiKeys } from './auth/api-keys.ts';
import { type Admission, createAuthenticator, type RateLimits } from './auth/authenticator.ts';
import { addCacheHook } from './cache/cache-hook.ts';
import { createFastPath } from './cache/fast-path.ts';
import { ResponseCache } from './cache/response-cache.ts';
import {
  createErrorHandler,
  createFrameworkErrorHandler,
  type HtmlResponse,
} from './errors/error-handler.ts';
import { createFreshness } from './freshness.ts';
import { addJsonBodyParser } from './json-body.ts';
import type { TrustedProxies } from './limits/client-address.ts';
import { createProxyWarning, type ProxyWarning } from './limits/proxy-warning.ts';
import { createMinContextSlotWait } from './min-context-slot.ts';
import { createNearestPath } from './nearest-path.ts';
import { createNodeServer, rejectMalformedRequest } from './node-server.ts';
import { type DocumentedRoute, pathOf } from './openapi-document.ts';
import { shedLoad } from './overload/load-shedding.ts';
import { ProcessMetrics } from './process-metrics.ts';
import {
  addRequestHooks,
  BODY_LIMIT_BYTES,
  createComputationCharge,
  createRequestHooks,
} from './request-hooks.ts';
import {
  type CompletedRequest,
  createRequestIdGenerator,
  createRequestLog,
} from './request-log.ts';
import { type RequestTracer, traceListener } from './request-tracer.ts';
import { RouteTable } from './route-table.ts';
import { lazySerializer } from './schemas/compiled-schemas.ts';
import { Shutdown } from './shutdown.ts';
import { addStreamHook } from './streams/state-streams.ts';
import {
  DEFAULT_STREAM_SETTINGS,
  StreamRegistry,
  type StreamSettings,
} from './streams/stream-registry.ts';
import { createBodyValidator, createStringValidator } from './validation.ts';

const HANDLER_TIMEOUT_MS = 30_000;
/** Above the limit on the path length, so that the schema rejects a parameter that is too long. */
const MAX_PARAM_LENGTH = 4096;

export type HttpOptions = {
  readonly keys: ApiKeys;
  /** Undefined when rate limiting is off. */
  readonly limits: RateLimits | undefined;
  readonly trustedProxies: TrustedProxies;
  /** Reports a 400 or 404 that an operation does not list as 500. */
  readonly strictStatuses: boolean;
  /** The clusters that are served, the primary one first. */
  readonly clusters: Clusters;
  /** Epoch ms. */
  readonly clock: () => number;
  readonly log: Logger;
  /** Records requests as spans, if tracing is on. */
  readonly tracer?: RequestTracer | undefined;
  /** Limits of streams that differ from the default. */
  readonly streamSettings?: Partial<StreamSettings> | undefined;
  /** Controls the end of the server; without it, the server ends when it is closed. */
  readonly shutdown?: Shutdown | undefined;
  /** Logs one completed request. */
  readonly logRequest: (request: CompletedRequest) => void;
};

type Routing = {
  /** Versions of the data that responses depend on, for the response cache. */
  readonly versions: DataVersions;
  /** Maps a request to the URL that is routed. */
  readonly rewriteUrl: (request: IncomingMessage) => string;
  /** Further names of a path such as `/a/{x}`, which are also served. */
  readonly aliasesOf: (path: string) => readonly string[];
  /** Why a path that clients know is not served; undefined for other paths. */
  readonly unservedReason: (path: string) => string | undefined;
  /** Paths with this prefix that no route matches get errors in the builder format. */
  readonly builderErrorPrefix: string;
  /** The page for navigation to a path that does not exist; undefined for other requests. */
  readonly missingPage: (request: FastifyRequest, error: CodedError) => HtmlResponse | undefined;
};

/** The HTTP server without operations. A request passes: fast path, request hooks, validation, cache hook, route. */
export function createHttpApp(options: HttpOptions, routing: Routing) {
  const metrics = new ProcessMetrics();
  const responses = new ResponseCache();
  const { shutdown = new Shutdown() } = options;
  const proxyWarning = createProxyWarning(options.log);
  const pipeline = createPipeline(options, { metrics, responses, shutdown, proxyWarning });
  const app = createFastify(options, routing, pipeline);

  addJsonBodyParser(app);
  app.setValidatorCompiler(({ schema, httpPart }) => {
    if (httpPart === 'body') return createBodyValidator(schema as TSchema);
    const code = httpPart === 'params' ? 'INVALID_PATH' : 'INVALID_QUERY';
    return createStringValidator(schema as TSchema, code);
  });
  app.setSerializerCompiler(({ schema }) => lazySerializer(schema as TSchema));
  const streams = createStreamRegistry(options, pipeline);
  shutdown.onClosing(() => streams.closeAll());
  app.addHook('preClose', async () => shutdown.close());
  app.addHook('onClose', async () => metrics.close());
  metrics.gauge('tidegate_cached_responses', 'Cached responses.', () => responses.size);
  const bytes = 'Bytes of cached responses, with keys and URLs.';
  metrics.gauge('tidegate_cached_response_bytes', bytes, () => responses.bytes);
  const hits = 'Requests that a cached response answered.';
  metrics.counter('tidegate_response_cache_hits_total', hits, () => responses.hits);
  const misses = 'Requests for a cacheable response that was not cached.';
  metrics.counter('tidegate_response_cache_misses_total', misses, () => responses.misses);
  metrics.gauge('tidegate_api_keys', 'Valid API keys.', () => options.keys.count());
  addLimitMetric(metrics, options.limits);

  const { table, routes } = collectRoutes(app);
  const nearestPath = createNearestPath(() => listPaths(routes, routing));
  const { unservedReason } = routing;
  addRequestHooks(app, { ...pipeline, table, nearestPath, unservedReason });
  addStreamHook(app, { ...options, ...pipeline, ...routing, registry: streams });
  addCacheHook(app, { responses, ...routing });
  const chargeComputation = createComputationCharge(pipeline);
  const keyIdOf = ({ raw }: FastifyRequest) => pipeline.admissions.get(raw)?.keyId;
  const served = { app, metrics, shutdown, routes, chargeComputation, streams, keyIdOf };
  return { ...served, warnings: proxyWarning.messages };
}

const createStreamRegistry = (options: HttpOptions, pipeline: Pipeline): StreamRegistry =>
  new StreamRegistry({
    ...options,
    ...pipeline,
    settings: { ...DEFAULT_STREAM_SETTINGS, ...options.streamSettings },
  });

function addLimitMetric(metrics: ProcessMetrics, limits: RateLimits | undefined): void {
  metrics.register({
    name: 'tidegate_rate_limits_shared',
    type: 'gauge',
    help: 'Whether rate limits are shared with other processes: 1 or 0.',
    read() {
      const isShared = limits?.store.isShared?.();
      return isShared === undefined ? [] : [{ value: Number(isShared) }];
    },
  });
}

type Pipeline = ReturnType<typeof createPipeline>;

type PipelineState = {
  readonly metrics: ProcessMetrics;
  readonly responses: ResponseCache;
  readonly shutdown: Shutdown;
  readonly proxyWarning: ProxyWarning;
};

function createPipeline(options: HttpOptions, state: PipelineState) {
  const freshness = createFreshness(options.clusters);
  const onCompleted = createRequestLog(options.logRequest, state.metrics);
  const onUntrustedProxy = () => state.proxyWarning.raise();
  const authenticator = createAuthenticator({ ...options, onUntrustedProxy });
  const admissions = new WeakMap<IncomingMessage, Admission>();
  const { tracer } = options;
  const streamed = new WeakSet<IncomingMessage>();
  const shared = { ...state, freshness, onCompleted, authenticator, admissions, tracer, streamed };
  return {
    ...shared,
    requestId: createRequestIdGenerator(),
    hooks: createRequestHooks(shared),
    waitForMinContextSlot: createMinContextSlotWait(options.clusters),
  };
}

function createFastify(options: HttpOptions, routing: Routing, pipeline: Pipeline) {
  const { hooks, onCompleted } = pipeline;
  const { builderErrorPrefix, missingPage, rewriteUrl } = routing;
  const onError = createErrorHandler({ ...options, builderErrorPrefix, missingPage });
  const shedding = { ...options, ...pipeline, builderErrorPrefix };
  const app = fastify({
    serverFactory: (router) => {
      const served = traceListener(createFastPath(pipeline, router), options.tracer);
      return createNodeServer(closeWhileDraining(shedLoad(served, shedding), pipeline.shutdown));
    },
    genReqId: pipeline.requestId,
    rewriteUrl,
    bodyLimit: BODY_LIMIT_BYTES,
    handlerTimeout: HANDLER_TIMEOUT_MS,
    return503OnClosing: false,
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: MAX_PARAM_LENGTH },
    frameworkErrors: createFrameworkErrorHandler(onError, hooks),
    clientErrorHandler: (error, socket) => {
      const status = rejectMalformedRequest(error, socket);
      if (status === undefined) return;
      onCompleted({ id: '-', method: '-', route: 'unreadable', status, ms: 0 });
    },
  }).withTypeProvider<TypeBoxTypeProvider>();
  app.setErrorHandler(onError);
  return app;
}

/** A proxy that gets `connection: close` uses another process for its next request. */
const closeWhileDraining =
  (listener: RequestListener, shutdown: Shutdown): RequestListener =>
  (request, response) => {
    if (shutdown.isDraining) response.shouldKeepAlive = false;
    listener(request, response);
  };

/** Records every route: for 405, preflight requests and the OpenAPI document. */
function collectRoutes(app: FastifyInstance): {
  table: RouteTable;
  routes: readonly DocumentedRoute[];
} {
  const table = new RouteTable();
  const routes: DocumentedRoute[] = [];
  app.addHook('onRoute', ({ method, url, schema, config }) => {
    const methods = [method].flat();
    table.add(url, methods);
    const operation = config?.operation;
    if (operation === undefined || operation.hidden || methods.includes('HEAD')) return;
    routes.push({
      method: methods[0] ?? 'GET',
      url,
      operation,
      schema: schema as DocumentedRoute['schema'],
    });
  });
  return { table, routes };
}

/** The documented paths with their aliases, each once. */
function listPaths(
  routes: readonly DocumentedRoute[],
  { aliasesOf }: Pick<Routing, 'aliasesOf'>,
): readonly string[] {
  const paths = new Set(routes.map(pathOf));
  return [...paths].flatMap((path) => [path, ...aliasesOf(path)]);
}
