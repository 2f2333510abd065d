import type { FeatureContext } from './features/feature-context.ts';
import { features } from './features/index.ts';
import { createPathAliases, type PathAliasOptions } from './features/path-aliases.ts';
import { createHttpApp, type HttpOptions } from './http/http-app.ts';

export type AppOptions = HttpOptions &
  Pick<FeatureContext, 'version' | 'tokens' | 'demo'> & {
    readonly aliases: PathAliasOptions;
  };

/** The HTTP server with all operations. */
export function createApp(options: AppOptions) {
  const { app, metrics, isClosing, routes } = createHttpApp(options, {
    rewriteUrl: createPathAliases(options.aliases),
    builderErrorPrefix: '/ktx',
  });
  const context: FeatureContext = { ...options, metrics, isClosing, routes };
  app.register(async (scope) => {
    for (const feature of features) await feature(context)(scope, {});
  });
  return app;
}
