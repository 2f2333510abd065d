import { onTestFinished } from 'vitest';
import type { Logger } from '#core/base/logger.ts';
import { embeddedTokens } from '#core/protocol/spl/known-tokens.ts';
import { createApp } from '#server/app.ts';
import type { ApiContext } from '#server/features/feature-context.ts';
import { createKeyRing } from '#server/http/auth/api-keys.ts';
import { parseTrustedProxies, type TrustedProxies } from '#server/http/limits/client-address.ts';
import type { FinishedRequest } from '#server/http/request-log.ts';
import { fixedTokens } from '#server/registry/token-feed.ts';
import { goldenClusters } from '../golden/golden-clusters.ts';

type LogLine = {
  readonly level: string;
  readonly message: string;
  readonly facts: Readonly<Record<string, unknown>>;
};

export type App = ReturnType<typeof createApp>;

export type RunningApi = {
  readonly url: string;
  readonly app: App;
  readonly lines: readonly LogLine[];
  /** The path's answer, with its body read as JSON. */
  readonly get: (path: string, headers?: Record<string, string>) => Promise<JsonAnswer>;
};

export type JsonAnswer = {
  readonly status: number;
  readonly headers: Headers;
  readonly body: unknown;
};

type ApiOptions = Partial<ApiContext> & {
  /** Adds routes before the server listens. */
  readonly routes?: (app: App) => void;
};

/** A real server on a free port, with the embedded tokens and no limits unless told otherwise; closed with the test. */
export async function startApi({ routes, ...given }: ApiOptions = {}): Promise<RunningApi> {
  const lines: LogLine[] = [];
  const log = collectingLog(lines);
  const logRequest = (request: FinishedRequest) => log.info(request, 'request');
  const app = createApp({ ...defaults(), log, logRequest, ...given });
  routes?.(app);
  const url = await app.listen({ host: '127.0.0.1', port: 0 });
  onTestFinished(() => app.close());
  return { url, app, lines, get: (path, headers) => getJson(`${url}${path}`, headers) };
}

async function getJson(url: string, headers?: Record<string, string>): Promise<JsonAnswer> {
  const response = await fetch(url, headers && { headers });
  return readJson(response);
}

export async function readJson(response: Response): Promise<JsonAnswer> {
  const text = await response.text();
  const body: unknown = text === '' ? undefined : JSON.parse(text);
  return { status: response.status, headers: response.headers, body };
}

/** What a caller acts on, for a comparison that lets nothing extra through. */
export function statusAndBody({ status, body }: JsonAnswer): unknown {
  return { status, body };
}

export function trust(...entries: string[]): TrustedProxies {
  const trusted = parseTrustedProxies(entries);
  if (trusted === undefined) throw new Error(`not proxies: ${entries}`);
  return trusted;
}

function collectingLog(lines: LogLine[]): Logger {
  const at = (level: string) => (facts: LogLine['facts'], message: string) => {
    lines.push({ level, message, facts });
  };
  return { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') };
}

function defaults(): Omit<ApiContext, 'log' | 'logRequest'> {
  return {
    version: '0.0.0-test',
    tokens: fixedTokens(embeddedTokens),
    keys: createKeyRing([]),
    limits: undefined,
    trustedProxies: trust(),
    aliases: { marketSegments: [], legacyPaths: true },
    strictStatuses: false,
    clusters: goldenClusters(),
    demo: undefined,
    clock: Date.now,
  };
}
