import { CodedError } from '@tidegate/core/base';
import { CLUSTER_NAMES } from '../../clusters/served-clusters.ts';
import { parseTrustedProxies } from '../../http/limits/client-address.ts';
import { parseRateLimitPolicy } from '../../http/limits/rate-limit.ts';
import { parseTokenFormat, tokenFormats } from '../../registry/token-format.ts';
import { defineSetting } from './define-setting.ts';
import { historySettings } from './history-settings.ts';
import {
  AUTO_RATE_LIMITS,
  parseBoolean,
  parseInteger,
  parseList,
  parseOneOf,
  parseOptional,
  parsePastTime,
  parseRateLimit,
  parseRegistryLocation,
  parseSegments,
  parseTokenListLocation,
  parseUrls,
  parseWsUrls,
} from './setting-parsers.ts';

export type Config = {
  readonly [Name in keyof typeof settings]: Exclude<
    ReturnType<(typeof settings)[Name]['parse']>,
    undefined
  >;
};

const LIMIT_FORM = 'a limit such as 600/1m (units s, m, h)';

/** All settings, each with its default, what it accepts and what it is for. */
export const settings = {
  host: defineSetting({
    env: 'HOST',
    default: '127.0.0.1',
    accepts: 'an IP address or a host name',
    sentence: 'Address to listen on; `0.0.0.0` or `::` for all.',
    parse: (text) => (/^[\w.:%-]+$/.test(text) ? text : undefined),
  }),
  port: defineSetting({
    env: 'PORT',
    default: '8080',
    accepts: 'a whole number from 0 to 65535',
    sentence: 'Port to listen on; 0 for any free one.',
    parse: (text) => parseInteger(text, 0, 65_535),
  }),
  dataDir: defineSetting({
    env: 'DATA_DIR',
    default: '.tidegate',
    accepts: 'a folder',
    sentence:
      'Where API keys, the last good token list, the embedded cluster and the embedded database are kept.',
    parse: (text) => text,
  }),
  ...historySettings,
  logLevel: defineSetting({
    env: 'LOG_LEVEL',
    default: 'info',
    accepts: 'debug, info, warn, error or silent',
    sentence: 'Least severe log line that is written. Each request is one line at `info`.',
    parse: (text) => parseOneOf(text, ['debug', 'info', 'warn', 'error', 'silent'] as const),
  }),
  rateLimit: defineSetting({
    env: 'RATE_LIMIT',
    default: 'auto',
    accepts: `auto, off or ${LIMIT_FORM}`,
    sentence: `Limit of a caller without a key. \`auto\` is ${AUTO_RATE_LIMITS.anonymous}, and ${AUTO_RATE_LIMITS.loopback} for callers on this machine; \`off\` turns all limits off.`,
    parse: parseRateLimit,
  }),
  rateLimitKey: defineSetting({
    env: 'RATE_LIMIT_KEY',
    default: '6000/1m',
    accepts: LIMIT_FORM,
    sentence: 'Limit of an API key that has none of its own.',
    parse: (text) => parseRateLimitPolicy('key', text),
  }),
  trustedProxies: defineSetting({
    env: 'TRUSTED_PROXIES',
    default: '',
    accepts: 'a comma list of IP addresses and CIDR ranges',
    sentence: 'Proxies whose `x-forwarded-for` is believed.',
    parse: (text) => parseTrustedProxies(parseList(text)),
  }),
  strictStatuses: defineSetting({
    env: 'STRICT_STATUSES',
    default: 'false',
    accepts: 'true or false',
    sentence: 'Answer a 400 or 404 that an operation does not list as its 500.',
    parse: parseBoolean,
  }),
  marketSegmentAliases: defineSetting({
    env: 'MARKET_SEGMENT_ALIASES',
    default: '',
    accepts: 'a comma list of path segments that no other path uses',
    sentence: 'Other names under which the `svc-market` paths are served.',
    parse: parseSegments,
  }),
  legacyPaths: defineSetting({
    env: 'LEGACY_PATHS',
    default: 'true',
    accepts: 'true or false',
    sentence: 'Serve the older vault and market paths too.',
    parse: parseBoolean,
  }),
  rpcUrl: defineSetting({
    env: 'RPC_URL',
    default: '',
    accepts: 'a comma list of http(s) URLs',
    sentence:
      'JSON-RPC endpoints of the primary cluster, best first. Without one, an embedded localnet is started and served.',
    parse: parseUrls(['http:', 'https:']),
  }),
  wsUrl: defineSetting({
    env: 'WS_URL',
    default: '',
    accepts: 'a comma list of ws(s) URLs, or none',
    sentence:
      'WebSocket endpoints, in the order of `RPC_URL`; by default the same addresses. `none` polls instead.',
    parse: parseWsUrls,
  }),
  geyserUrl: defineSetting({
    env: 'GEYSER_URL',
    default: '',
    accepts: 'an http(s) URL',
    sentence:
      'Yellowstone gRPC endpoint of the primary cluster, preferred to WebSocket; needs the package `@triton-one/yellowstone-grpc`.',
    parse: parseUrls(['http:', 'https:']),
  }),
  geyserToken: defineSetting({
    env: 'GEYSER_TOKEN',
    default: '',
    accepts: 'any text',
    sentence: 'Token of that endpoint.',
    parse: (text) => text,
  }),
  cluster: defineSetting({
    env: 'CLUSTER',
    default: 'mainnet-beta',
    accepts: CLUSTER_NAMES.join(', '),
    sentence: 'Which cluster `RPC_URL` is; its genesis is compared.',
    parse: (text) => parseOneOf(text, CLUSTER_NAMES),
  }),
  rpcUrlDevnet: defineSetting({
    env: 'RPC_URL_DEVNET',
    default: '',
    accepts: 'a comma list of http(s) URLs',
    sentence: 'Endpoints of devnet, to serve it beside the primary cluster.',
    parse: parseUrls(['http:', 'https:']),
  }),
  rpcUrlMainnet: defineSetting({
    env: 'RPC_URL_MAINNET',
    default: '',
    accepts: 'a comma list of http(s) URLs',
    sentence: 'Endpoints of mainnet-beta, to serve it beside the primary cluster.',
    parse: parseUrls(['http:', 'https:']),
  }),
  commitment: defineSetting({
    env: 'COMMITMENT',
    default: 'confirmed',
    accepts: 'confirmed or finalized',
    sentence: 'How certain the data is that is served.',
    parse: (text) => parseOneOf(text, ['confirmed', 'finalized'] as const),
  }),
  obligations: defineSetting({
    env: 'OBLIGATIONS',
    default: 'all',
    accepts: 'all or on-demand',
    sentence:
      'Follow every loan of the program, or each when it is first asked for (for endpoints that refuse large scans).',
    parse: (text) => parseOneOf(text, ['all', 'on-demand'] as const),
  }),
  maxLagSlots: defineSetting({
    env: 'MAX_LAG_SLOTS',
    default: '150',
    accepts: 'a whole number from 1 to 1000000',
    sentence: 'Slots that state may be behind before `/ready` answers 503.',
    parse: (text) => parseInteger(text, 1, 1_000_000),
  }),
  registry: defineSetting({
    env: 'REGISTRY',
    default: '',
    accepts: 'the path of a JSON file, or an http(s) URL',
    sentence: 'Facts that no chain holds: market names and lookup tables, seasons, stake pools.',
    parse: parseRegistryLocation,
  }),
  localnetRpcPort: defineSetting({
    env: 'LOCALNET_RPC_PORT',
    default: '8899',
    accepts: 'a whole number from 0 to 65534',
    sentence:
      'Port of the embedded cluster on loopback, WebSockets on the next one too; 0 for any free one.',
    parse: (text) => parseInteger(text, 0, 65_534),
  }),
  localnetSeed: defineSetting({
    env: 'LOCALNET_SEED',
    default: '',
    accepts: 'any text',
    sentence:
      'What the embedded cluster is made from, `tidegate` by default; same seed, days and end, same cluster.',
    parse: (text) => parseOptional(text, (seed) => seed),
  }),
  localnetDays: defineSetting({
    env: 'LOCALNET_DAYS',
    default: '',
    accepts: 'a whole number from 1 to 3650',
    sentence: 'How many days of its past are played at the first start, 365 by default.',
    parse: (text) => parseOptional(text, (days) => parseInteger(days, 1, 3_650)),
  }),
  localnetUntil: defineSetting({
    env: 'LOCALNET_UNTIL',
    default: '',
    accepts:
      'a date such as 2026-01-31 or a time such as 2026-01-31T12:00:00Z, from 2021 up to now',
    sentence: 'When the played time ends; by default at the first start.',
    parse: (text) => parseOptional(text, (time) => parsePastTime(time, Date.now())),
  }),
  localnetSpeed: defineSetting({
    env: 'LOCALNET_SPEED',
    default: '1',
    accepts: 'a whole number from 1 to 1000',
    sentence: 'How much faster than the wall clock the embedded cluster runs once it is up.',
    parse: (text) => parseInteger(text, 1, 1_000),
  }),
  localnetPrograms: defineSetting({
    env: 'LOCALNET_PROGRAMS',
    default: '',
    accepts: 'a folder',
    sentence:
      'Folder with binaries of the programs, as `tidegate programs pull` writes them, which the embedded cluster runs instead of its own model of them; needs the package `litesvm`.',
    parse: (text) => text,
  }),
  tokens: defineSetting({
    env: 'TOKENS',
    default: 'embedded',
    accepts: 'embedded, the path of a JSON file, or an http(s) URL',
    sentence: 'Where the token catalogue comes from. A file or URL is polled.',
    parse: parseTokenListLocation,
  }),
  tokensFormat: defineSetting({
    env: 'TOKENS_FORMAT',
    default: 'tidegate',
    accepts: `${Object.keys(tokenFormats).join(', ')}, or pairs such as mint=address,logoUrl=logoURI`,
    sentence: 'How that list is written: a known format, or a mapping of fields.',
    parse: parseTokenFormat,
  }),
  tokensPollSeconds: defineSetting({
    env: 'TOKENS_POLL_SECONDS',
    default: '300',
    accepts: 'a whole number from 1 to 86400',
    sentence: 'How often that list is asked for.',
    parse: (text) => parseInteger(text, 1, 86_400),
  }),
};

/** Flags win over the environment, an empty value counts as none. */
export function readConfig(
  flags: Readonly<Record<string, string>>,
  env: NodeJS.ProcessEnv = process.env,
): Config {
  const entries = Object.entries(settings).map(([name, wanted]) => {
    const text = flags[flagName(wanted.env)] || env[wanted.env] || wanted.default;
    const value = wanted.parse(text);
    if (value === undefined) {
      const { accepts } = wanted;
      throw new CodedError('INVALID_SETTING', { name: wanted.env, value: text, accepts });
    }
    return [name, value];
  });
  return Object.freeze(Object.fromEntries(entries) as Config);
}

export function flagName(env: string): string {
  return env.toLowerCase().replaceAll('_', '-');
}
