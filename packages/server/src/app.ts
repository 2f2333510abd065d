import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { createDataVersions } from './clusters/data-versions.ts';
import { createExplorer, type Explorer } from './features/explorer/explorer-files.ts';
import type { FeatureContext } from './features/feature-context.ts';
import { features } from './features/index.ts';
import { createPathAliases, listPathAliases } from './features/path-aliases.ts';
import { createUnservedReasons } from './features/unserved-paths.ts';
import { createHttpApp, type HttpOptions } from './http/http-app.ts';

export type AppOptions = HttpOptions &
  Pick<FeatureContext, 'version' | 'tokens' | 'demo' | 'collectMetrics' | 'aliases'> & {
    /** Receives a function that returns the metrics of this process. */
    readonly onMetrics?: ((read: () => string) => void) | undefined;
    /** The built web app by default. */
    readonly explorer?: Explorer;
  };

/** The HTTP server with all operations. */
export function createApp(options: AppOptions) {
  const { explorer = createExplorer() } = options;
  const apiPaths = new Set<string>();
  const resolveAlias = createPathAliases(options.aliases);
  const { app, ...http } = createHttpApp(options, {
    rewriteUrl: (request) =>
      explorer.routeOf(request, apiPaths) ?? resolveAlias(request.url ?? '/'),
    aliasesOf: (path) => listPathAliases(options.aliases, path),
    unservedReason: createUnservedReasons(),
    builderErrorPrefix: '/ktx',
    versions: createDataVersions(options.clusters, options.tokens),
  });
  options.onMetrics?.(() => http.metrics.text());
  const context: FeatureContext = { ...options, ...http, explorer };
  app.register(registerFeatures(context));
  app.addHook('onReady', async () => {
    for (const { url } of http.routes) apiPaths.add(url);
  });
  return app;
}

/** One plugin for all features: a plugin per feature would slow down the start. */
const registerFeatures =
  (context: FeatureContext): FastifyPluginAsyncTypebox =>
  async (app, options) => {
    for (const feature of features) await feature(context)(app, options);
  };
