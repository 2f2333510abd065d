import { onTestFinished } from 'vitest';
import type { Logger } from '#core/base/logger.ts';
import { knownTokens } from '#core/protocol/spl/known-tokens.ts';
import { type AppOptions, createApp } from '#server/app.ts';
import { createApiKeys } from '#server/http/auth/api-keys.ts';
import { parseTrustedProxies, type TrustedProxies } from '#server/http/limits/client-address.ts';
import type { CompletedRequest } from '#server/http/request-log.ts';
import { createStaticTokens } from '#server/registry/token-feed.ts';
import { goldenClusters } from '../golden/golden-clusters.ts';

type LogLine = {
  readonly level: string;
  readonly message: string;
  readonly fields: Readonly<Record<string, unknown>>;
};

export type App = ReturnType<typeof createApp>;

export type RunningApi = {
  readonly url: string;
  readonly app: App;
  readonly logLines: readonly LogLine[];
  /** Requests a path and parses the JSON body. */
  readonly get: (path: string, headers?: Record<string, string>) => Promise<JsonResponse>;
};

export type JsonResponse = {
  readonly status: number;
  readonly headers: Headers;
  readonly body: unknown;
};

type ApiOptions = Partial<AppOptions> & {
  /** Adds routes before the server listens. */
  readonly routes?: (app: App) => void;
};

/**
 * Starts a server on a free port, by default with the embedded tokens and without rate limits.
 * Closes it after the test.
 */
export async function startApi(options: ApiOptions = {}): Promise<RunningApi> {
  const api = await startApp(options);
  onTestFinished(() => api.app.close());
  return api;
}

let golden: Promise<Omit<RunningApi, 'logLines'>> | undefined;

/**
 * A server of the golden cluster for tests that only read. It starts once in a test worker, because that takes a tenth of a
 * second, and its test files share it.
 */
export function goldenApi(): Promise<Omit<RunningApi, 'logLines'>> {
  golden ??= startApp().then(({ url, app, get }) => {
    // it ends with the worker
    app.server.unref();
    return { url, app, get };
  });
  return golden;
}

/** Like `startApi`, for a server that several tests share: the caller closes it. */
export async function startApp({ routes, ...overrides }: ApiOptions = {}): Promise<RunningApi> {
  const logLines: LogLine[] = [];
  const log = createLineCollector(logLines);
  const logRequest = (request: CompletedRequest) => log.info(request, 'request');
  const app = createApp({ ...appDefaults(), log, logRequest, ...overrides });
  routes?.(app);
  const url = await app.listen({ host: '127.0.0.1', port: 0 });
  return { url, app, logLines, get: (path, headers) => getJson(`${url}${path}`, headers) };
}

async function getJson(url: string, headers?: Record<string, string>): Promise<JsonResponse> {
  const response = await fetch(url, headers && { headers });
  return readJson(response);
}

export async function readJson(response: Response): Promise<JsonResponse> {
  const text = await response.text();
  const body: unknown = text === '' ? undefined : JSON.parse(text);
  return { status: response.status, headers: response.headers, body };
}

/** For exact comparisons of status and body. */
export function statusAndBody({ status, body }: JsonResponse): unknown {
  return { status, body };
}

export function trustProxies(...entries: string[]): TrustedProxies {
  const trusted = parseTrustedProxies(entries);
  if (trusted === undefined) throw new Error(`not proxies: ${entries}`);
  return trusted;
}

function createLineCollector(lines: LogLine[]): Logger {
  const at = (level: string) => (fields: LogLine['fields'], message: string) => {
    lines.push({ level, message, fields });
  };
  return { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') };
}

/** Options of a server with the golden cluster, the embedded tokens and no rate limits. */
export function appDefaults(): Omit<AppOptions, 'log' | 'logRequest'> {
  return {
    version: '0.0.0-test',
    tokens: createStaticTokens(knownTokens),
    keys: createApiKeys([]),
    limits: undefined,
    trustedProxies: trustProxies(),
    aliases: { marketSegments: [], legacyPaths: true },
    strictStatuses: false,
    clusters: goldenClusters(),
    demo: () => undefined,
    clock: Date.now,
  };
}
