import { type AppOptions, createApp } from '#server/app.ts';
import { createApiKeys } from '#server/http/auth/api-keys.ts';
import { parseTrustedProxies } from '#server/http/limits/client-address.ts';
import { createStaticTokens } from '#server/registry/token-feed.ts';

type Json = Readonly<Record<string, unknown>>;

type DocumentedOperation = Json & {
  readonly operationId: string;
  readonly summary: string;
  readonly tags?: readonly string[];
};

export type OpenApi = Json & {
  readonly paths: Readonly<Record<string, Readonly<Record<string, DocumentedOperation>>>>;
  readonly tags: readonly { readonly name: string; readonly description?: string }[];
  readonly components: { readonly schemas: Readonly<Record<string, unknown>> };
};

/** An app without clusters, for scripts. The OpenAPI document needs none. */
export function createScriptApp(changes: Partial<AppOptions> = {}): ReturnType<typeof createApp> {
  const silent = () => undefined;
  return createApp({
    version: '0',
    tokens: createStaticTokens([]),
    keys: createApiKeys([]),
    limits: undefined,
    trustedProxies: parseTrustedProxies([]) ?? { has: () => false },
    aliases: { marketSegments: [], legacyPaths: true },
    strictStatuses: false,
    clusters: {
      all: [],
      find: () => undefined,
      byName: noCluster,
      requireLoaded: noCluster,
    },
    demo: () => undefined,
    clock: () => 0,
    log: { debug: silent, info: silent, warn: silent, error: silent },
    logRequest: silent,
    ...changes,
  });
}

function noCluster(): never {
  throw new Error('no cluster is served');
}

export async function readServedDocument(changes: Partial<AppOptions> = {}): Promise<OpenApi> {
  const app = createScriptApp(changes);
  const document = (await app.inject('/openapi.json')).json<OpenApi>();
  await app.close();
  return document;
}
