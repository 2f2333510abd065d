import type { IncomingMessage } from 'node:http';
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import fastify, { type FastifyInstance } from 'fastify';
import type { TSchema } from 'typebox';
import { docsRoutes } from './features/docs/docs.ts';
import type { FeatureContext } from './features/feature-context.ts';
import { HistoryChunkCache } from './features/history-query/history-chunk-cache.ts';
import { priceRoutes } from './features/markets/oracle-prices.ts';
import { createPathAliases } from './features/path-aliases.ts';
import { builderRoutes } from './features/routes/builder-routes.ts';
import { earnRoutes } from './features/routes/earn-routes.ts';
import { lendingRoutes } from './features/routes/lending-routes.ts';
import { statusRoutes } from './features/status/status.ts';
import { listTokens } from './features/tokens/tokens.ts';
import { findLookupTables } from './features/transactions/lookup-table-search.ts';
import { type Admission, createAuthenticator } from './http/auth/authenticator.ts';
import { addCacheHook } from './http/cache/cache-hook.ts';
import { createFastPath } from './http/cache/fast-path.ts';
import { ResponseCache } from './http/cache/response-cache.ts';
import { createErrorHandler, createFrameworkErrorHandler } from './http/errors/error-handler.ts';
import { createFreshness } from './http/freshness.ts';
import { addJsonBodyParser } from './http/json-body.ts';
import { answerMalformedRequest, createNodeServer } from './http/node-server.ts';
import type { DocumentedRoute } from './http/openapi-document.ts';
import { ProcessMetrics } from './http/process-metrics.ts';
import { addRequestHooks, BODY_LIMIT_BYTES, createRequestHooks } from './http/request-hooks.ts';
import { createRequestIdGenerator, createRequestLog } from './http/request-log.ts';
import { RouteTable } from './http/route-table.ts';
import { createBodyValidator, createStringValidator } from './http/validation.ts';

const HANDLER_TIMEOUT_MS = 30_000;
/** A path parameter may be as long as the path limit lets it, so that it is refused by its schema. */
const MAX_PARAM_LENGTH = 4096;

/** The server, in the order a request meets it: fast path, reception, validation, kept answers, routes, errors. */
export function createApp(context: FeatureContext) {
  const freshness = createFreshness(context.clusters, context.clock);
  const metrics = new ProcessMetrics();
  const finished = createRequestLog(context.logRequest, metrics);
  const requestId = createRequestIdGenerator();
  const gatekeeper = createAuthenticator(context);
  const answers = new ResponseCache();
  const pieces = new HistoryChunkCache(context.clock);
  const admissions = new WeakMap<IncomingMessage, Admission>();
  let isClosing = false;
  const closing = () => isClosing;
  const fast = { answers, gatekeeper, requestId, freshness, finished, closing, admissions };
  const canonical = createPathAliases(context.aliases);
  const reception = createRequestHooks({ freshness, gatekeeper, admissions, metrics, finished });
  const onError = createErrorHandler(context);

  const app = fastify({
    serverFactory: (router) => createNodeServer(createFastPath(fast, router)),
    genReqId: requestId,
    rewriteUrl: (request) => canonical(request.url ?? '/'),
    bodyLimit: BODY_LIMIT_BYTES,
    handlerTimeout: HANDLER_TIMEOUT_MS,
    return503OnClosing: false,
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: MAX_PARAM_LENGTH },
    frameworkErrors: createFrameworkErrorHandler(onError, reception),
    clientErrorHandler: (error, socket) => {
      const status = answerMalformedRequest(error, socket);
      if (status === undefined) return;
      finished({ id: '-', method: '-', route: 'unreadable', status, ms: 0 });
    },
  }).withTypeProvider<TypeBoxTypeProvider>();

  addJsonBodyParser(app);
  app.setErrorHandler(onError);
  app.setValidatorCompiler(({ schema, httpPart }) => {
    if (httpPart === 'body') return createBodyValidator(schema as TSchema);
    return createStringValidator(
      schema as TSchema,
      httpPart === 'params' ? 'INVALID_PATH' : 'INVALID_QUERY',
    );
  });
  app.addHook('preClose', async () => {
    isClosing = true;
  });
  app.addHook('onClose', async () => metrics.close());

  metrics.gauge('tidegate_kept_answers', 'Answers kept as bytes.', () => answers.size);
  metrics.gauge('tidegate_past_bytes', 'Bytes of the past kept as JSON.', () => pieces.bytes);
  metrics.gauge('tidegate_tokens', 'Tokens in the catalogue.', () => context.tokens.status().count);

  const { table, documented } = collectRoutes(app);
  addRequestHooks(app, { reception, freshness, table });
  addCacheHook(app, answers);

  app.register(listTokens(context));
  app.register(lendingRoutes(context, pieces));
  app.register(earnRoutes(context));
  app.register(priceRoutes(context));
  app.register(findLookupTables(context));
  app.register(builderRoutes(context));
  app.register(statusRoutes({ context, metrics, closing }));
  app.register(docsRoutes({ version: context.version, routes: documented }));
  return app;
}

/** What is registered, as data: for 405, preflights and the OpenAPI document. */
function collectRoutes(app: FastifyInstance): {
  table: RouteTable;
  documented: readonly DocumentedRoute[];
} {
  const table = new RouteTable();
  const documented: DocumentedRoute[] = [];
  app.addHook('onRoute', ({ method, url, schema, config }) => {
    const methods = [method].flat();
    table.add(url, methods);
    const operation = config?.operation;
    if (operation === undefined || operation.hidden || methods.includes('HEAD')) return;
    documented.push({
      method: methods[0] ?? 'GET',
      url,
      operation,
      schema: schema as DocumentedRoute['schema'],
    });
  });
  return { table, documented };
}
