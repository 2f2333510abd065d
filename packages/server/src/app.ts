import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { createDataVersions } from './clusters/data-versions.ts';
import { createHttpApp, type HttpOptions } from './http/http-app.ts';
import type { MetricValues } from './http/process-metrics.ts';
import { createExplorer, type Explorer } from './operations/explorer/explorer-files.ts';
import { missingPage } from './operations/explorer/missing-page.ts';
import { operations } from './operations/index.ts';
import type { OperationContext } from './operations/operation-context.ts';
import { createPathAliases, listPathAliases } from './operations/path-aliases.ts';
import { createUnservedReasons } from './operations/unserved-paths.ts';

export type AppOptions = HttpOptions &
  Pick<OperationContext, 'version' | 'tokens' | 'demo' | 'collectMetrics' | 'aliases'> & {
    /** Receives a function that returns the metrics of this process. */
    readonly onMetrics?: ((read: () => readonly MetricValues[]) => void) | undefined;
    /** Hosts of token images that the explorer may load; none by default. */
    readonly tokenImages?: readonly string[] | undefined;
    /** The built web app by default. */
    readonly explorer?: Explorer;
  };

/** The HTTP server with all operations. */
export function createApp(options: AppOptions) {
  const { explorer = createExplorer(undefined, options.tokenImages) } = options;
  const apiPaths = new Set<string>();
  const resolveAlias = createPathAliases(options.aliases);
  const { app, ...http } = createHttpApp(options, {
    rewriteUrl: (request) =>
      explorer.routeOf(request, apiPaths) ?? resolveAlias(request.url ?? '/'),
    aliasesOf: (path) => listPathAliases(options.aliases, path),
    unservedReason: createUnservedReasons(),
    builderErrorPrefix: '/ktx',
    missingPage: (request, error) => missingPage(request, error, explorer),
    versions: createDataVersions(options.clusters, options.tokens),
  });
  options.onMetrics?.(() => http.metrics.read());
  const context: OperationContext = { ...options, ...http, explorer };
  app.register(registerOperations(context));
  app.addHook('onReady', async () => {
    for (const { url } of http.routes) apiPaths.add(url);
  });
  return app;
}

/** One plugin for all operations: a plugin of Fastify for each would slow down the start. */
const registerOperations =
  (context: OperationContext): FastifyPluginAsyncTypebox =>
  async (app, options) => {
    for (const operation of operations) await operation(context)(app, options);
  };
