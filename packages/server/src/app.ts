import type { IncomingMessage } from 'node:http';
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import fastify, { type FastifyInstance } from 'fastify';
import type { TSchema } from 'typebox';
import { docsRoutes } from './features/docs/docs.ts';
import type { ApiContext } from './features/feature-context.ts';
import { PastPieces } from './features/history-query/history-chunk-cache.ts';
import { priceRoutes } from './features/markets/oracle-prices.ts';
import { createAliases } from './features/path-aliases.ts';
import { builderRoutes } from './features/routes/builder-routes.ts';
import { earnRoutes } from './features/routes/earn-routes.ts';
import { lendingRoutes } from './features/routes/lending-routes.ts';
import { statusRoutes } from './features/status/status.ts';
import { tokenRoutes } from './features/tokens/tokens.ts';
import { lookupTableRoutes } from './features/transactions/lookup-table-search.ts';
import { type Admission, createGatekeeper } from './http/auth/authenticator.ts';
import { addKeeping } from './http/cache/cache-hook.ts';
import { createFastPath } from './http/cache/fast-path.ts';
import { KeptAnswers } from './http/cache/response-cache.ts';
import { createErrorHandler, createFrameworkErrorHandler } from './http/errors/error-handler.ts';
import { createFreshness } from './http/freshness.ts';
import { addJsonBody } from './http/json-body.ts';
import { answerUnreadable, createHttpServer } from './http/node-server.ts';
import type { DocumentedRoute } from './http/openapi-document.ts';
import { Metrics } from './http/process-metrics.ts';
import { addReception, BODY_LIMIT_BYTES, createReception } from './http/request-hooks.ts';
import { createRequestIds, createRequestLog } from './http/request-log.ts';
import { RouteTable } from './http/route-table.ts';
import { bodyReader, textReader } from './http/validation.ts';

const HANDLER_TIMEOUT_MS = 30_000;
/** A path parameter may be as long as the path limit lets it, so that it is refused by its schema. */
const MAX_PARAM_LENGTH = 4096;

/** The server, in the order a request meets it: fast path, reception, validation, kept answers, routes, errors. */
export function createApp(context: ApiContext) {
  const freshness = createFreshness(context.clusters, context.clock);
  const metrics = new Metrics();
  const finished = createRequestLog(context.logRequest, metrics);
  const requestId = createRequestIds();
  const gatekeeper = createGatekeeper(context);
  const answers = new KeptAnswers();
  const pieces = new PastPieces(context.clock);
  const admissions = new WeakMap<IncomingMessage, Admission>();
  let isClosing = false;
  const closing = () => isClosing;
  const fast = { answers, gatekeeper, requestId, freshness, finished, closing, admissions };
  const canonical = createAliases(context.aliases);
  const reception = createReception({ freshness, gatekeeper, admissions, metrics, finished });
  const onError = createErrorHandler(context);

  const app = fastify({
    serverFactory: (router) => createHttpServer(createFastPath(fast, router)),
    genReqId: requestId,
    rewriteUrl: (request) => canonical(request.url ?? '/'),
    bodyLimit: BODY_LIMIT_BYTES,
    handlerTimeout: HANDLER_TIMEOUT_MS,
    return503OnClosing: false,
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: MAX_PARAM_LENGTH },
    frameworkErrors: createFrameworkErrorHandler(onError, reception),
    clientErrorHandler: (error, socket) => {
      const status = answerUnreadable(error, socket);
      if (status === undefined) return;
      finished({ id: '-', method: '-', route: 'unreadable', status, ms: 0 });
    },
  }).withTypeProvider<TypeBoxTypeProvider>();

  addJsonBody(app);
  app.setErrorHandler(onError);
  app.setValidatorCompiler(({ schema, httpPart }) => {
    if (httpPart === 'body') return bodyReader(schema as TSchema);
    return textReader(schema as TSchema, httpPart === 'params' ? 'INVALID_PATH' : 'INVALID_QUERY');
  });
  app.addHook('preClose', async () => {
    isClosing = true;
  });
  app.addHook('onClose', async () => metrics.close());

  metrics.gauge('tidegate_kept_answers', 'Answers kept as bytes.', () => answers.size);
  metrics.gauge('tidegate_past_bytes', 'Bytes of the past kept as JSON.', () => pieces.bytes);
  metrics.gauge('tidegate_tokens', 'Tokens in the catalogue.', () => context.tokens.status().count);

  const { table, documented } = collectRoutes(app);
  addReception(app, { reception, freshness, table });
  addKeeping(app, answers);

  app.register(tokenRoutes(context));
  app.register(lendingRoutes(context, pieces));
  app.register(earnRoutes(context));
  app.register(priceRoutes(context));
  app.register(lookupTableRoutes(context));
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
