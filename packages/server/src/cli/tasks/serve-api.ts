import { once } from 'node:events';
import { join } from 'node:path';
import { CodedError, formatError, type Logger } from '@tidegate/core/base';
import { knownTokens } from '@tidegate/core/protocol/spl';
import { createApp } from '../../app.ts';
import type { RateLimits } from '../../http/auth/authenticator.ts';
import { MemoryRateLimitStore } from '../../http/limits/memory-limit-store.ts';
import { createFileSource, createUrlSource } from '../../registry/document-source.ts';
import type { TokenCatalogueSource } from '../../registry/token-catalogue.ts';
import { createStaticTokens, TokenFeed } from '../../registry/token-feed.ts';
import { openClusters } from '../clusters/open-clusters.ts';
import { seasonFilePath, watchSeasons } from '../files/season-file.ts';
import { watchApiKeys } from '../files/watch-api-keys.ts';
import type { ServerLog } from '../logging/server-log.ts';
import { readPackageVersion } from '../settings/package-version.ts';
import type { Config } from '../settings/settings.ts';
import { apiKeyFilePath } from './keys.ts';
import type { EmbeddedLocalnet } from './localnet.ts';

/** Open requests get this long after a signal; with the process's own end this stays below 10 s. */
const DRAIN_MS = 9_000;

type Serving = {
  readonly serverLog: ServerLog;
  /** Undefined where endpoints of other clusters are named. */
  readonly embedded: EmbeddedLocalnet | undefined;
};

/** Runs until a signal, then finishes what runs and returns. */
export async function serve(config: Config, serving: Serving): Promise<void> {
  try {
    await serveAll(config, serving);
  } catch (error) {
    await serving.embedded?.abandon();
    throw error;
  }
}

async function serveAll(config: Config, { serverLog, embedded }: Serving): Promise<void> {
  const { log, logRequest } = serverLog;
  const tokens = await openTokens(config, log);
  const keys = await watchApiKeys(apiKeyFilePath(config), log);
  const seasons = await watchSeasons(seasonFilePath(config), log);
  const open = await openClusters(config, { embedded, log, seasons: () => seasons.content });
  const app = createApp({
    version: readPackageVersion(),
    tokens: tokens.port,
    keys,
    limits: limitsOf(config),
    trustedProxies: config.trustedProxies,
    aliases: { marketSegments: config.marketSegmentAliases, legacyPaths: config.legacyPaths },
    strictStatuses: config.strictStatuses,
    clusters: open.clusters,
    demo: open.demo,
    clock: Date.now,
    log,
    logRequest,
  });

  try {
    await listen(app, config);
    announce(app, log);
    const signal = await Promise.race([received('SIGTERM'), received('SIGINT')]);
    log.info({ signal }, 'closing');
    await closeInTime(app);
    log.info({ signal }, 'closed');
  } finally {
    tokens.stop();
    keys.stop();
    seasons.stop();
    await open.stop();
  }
}

/** Requests that run get some time to finish; then their connections are cut. */
async function closeInTime(app: App): Promise<void> {
  const overdue = setTimeout(() => app.server.closeAllConnections(), DRAIN_MS);
  await app.close();
  clearTimeout(overdue);
}

type App = ReturnType<typeof createApp>;

/** A list that is polled serves its last good copy at once; without one, a file must be readable now, a URL may be later. */
async function openTokens(
  config: Config,
  log: Logger,
): Promise<{ port: TokenCatalogueSource; stop: () => void }> {
  const origin = config.tokens;
  if (origin.kind === 'embedded') {
    return { port: createStaticTokens(knownTokens), stop: () => undefined };
  }
  const source =
    origin.kind === 'file' ? createFileSource(origin.path) : createUrlSource(origin.url);
  const feed = new TokenFeed({
    source,
    format: config.tokensFormat,
    copyPath: join(config.dataDir, 'tokens.json'),
    pollMs: config.tokensPollSeconds * 1000,
    clock: Date.now,
    log,
  });
  const asked = feed.start().catch((error: unknown) => {
    const accepts = `a usable token list (${formatError(error)})`;
    const value = origin.kind === 'file' ? origin.path : source.label;
    throw new CodedError('INVALID_SETTING', { name: 'TOKENS', value, accepts });
  });
  if (origin.kind === 'file') await asked;
  return { port: feed, stop: () => feed.stop() };
}

function limitsOf({ rateLimit, rateLimitKey }: Config): RateLimits | undefined {
  if (rateLimit === 'off') return undefined;
  return { ...rateLimit, key: rateLimitKey, store: new MemoryRateLimitStore(Date.now) };
}

async function listen(app: App, { host, port }: Config): Promise<void> {
  try {
    await app.listen({ host, port });
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error;
    if (error.code === 'EADDRINUSE') throw new CodedError('ADDRESS_IN_USE', { host, port }, error);
    const accepts = `an address of this machine, with a port it may listen on (${error.code})`;
    throw new CodedError('INVALID_SETTING', { name: 'HOST', value: `${host}:${port}`, accepts });
  }
}

/** A line for the log, and one for the person in front of the terminal. */
function announce(app: App, log: Logger): void {
  const [address] = app.addresses();
  if (address === undefined || typeof address === 'string') return;
  const host = address.family === 'IPv6' ? `[${address.address}]` : address.address;
  const url = `http://${host}:${address.port}`;
  log.info({ url }, 'listening');
  process.stderr.write(`Tidegate is at ${url} (reference: ${url}/docs)\n`);
}

async function received(signal: NodeJS.Signals): Promise<NodeJS.Signals> {
  await once(process, signal);
  return signal;
}
