import { CodedError } from '../../errors.ts';
import { parseTrustedProxies } from '../../http/limits/client-address.ts';
import { parseRateLimitPolicy } from '../../http/limits/rate-limit.ts';
import { calledServerSettings } from './called-server-settings.ts';
import { clusterSettings } from './cluster-settings.ts';
import { defineSetting, type Setting } from './define-setting.ts';
import { historySettings } from './history-settings.ts';
import { localnetSettings } from './localnet-settings.ts';
import {
  AUTO_RATE_LIMITS,
  parseBoolean,
  parseInteger,
  parseList,
  parseOneOf,
  parseRateLimit,
  parseSegments,
} from './setting-parsers.ts';
import { telemetrySettings } from './telemetry-settings.ts';
import { tokenSettings } from './token-settings.ts';
import { webhookSettings } from './webhook-settings.ts';

export type Config = {
  readonly [Name in keyof typeof settings]: Exclude<
    ReturnType<(typeof settings)[Name]['parse']>,
    undefined
  >;
} & {
  /** Settings that nobody has set. */
  readonly unset: ReadonlySet<SettingName>;
};

export type SettingName = keyof typeof settings;

const LIMIT_FORM = 'a limit such as 600/1m (units s, m, h)';

/** All settings, with default, accepted values and description. */
export const settings = {
  host: defineSetting({
    env: 'HOST',
    default: '127.0.0.1',
    accepts: 'an IP address or a host name',
    description: 'Address to listen on. `0.0.0.0` or `::` listens on all interfaces.',
    parse: (text) => (/^[\w.:%-]+$/.test(text) ? text : undefined),
  }),
  port: defineSetting({
    env: 'PORT',
    default: '8080',
    accepts: 'a whole number from 0 to 65535',
    description:
      'Port to listen on. 0 selects a free port. `tidegate serve` uses the next free port if this is not set and the default is in use.',
    parse: (text) => parseInteger(text, 0, 65_535),
  }),
  drainSeconds: defineSetting({
    env: 'DRAIN_SECONDS',
    default: '5',
    accepts: 'a whole number from 0 to 300',
    description:
      'After SIGTERM, `/ready` returns 503 and everything is answered for this time, until proxies use other processes. Longer than two of their health checks.',
    parse: (text) => parseInteger(text, 0, 300),
  }),
  workers: defineSetting({
    env: 'WORKERS',
    default: '1',
    accepts: 'a whole number from 1 to 64',
    description:
      'Processes of `tidegate serve` that answer requests on the port. With 2 or more, one further process follows the cluster and records its history.',
    parse: (text) => parseInteger(text, 1, 64),
  }),
  dataDir: defineSetting({
    env: 'DATA_DIR',
    default: '.tidegate',
    accepts: 'a folder',
    description:
      'Folder for API keys, the last good token list, the embedded cluster and the embedded database.',
    parse: (text) => text,
  }),
  ...historySettings,
  logLevel: defineSetting({
    env: 'LOG_LEVEL',
    default: 'info',
    accepts: 'debug, info, warn, error or silent',
    description:
      'Minimum severity of log lines. Each request is one line at `info`, or at `debug` on a terminal; successful requests for `/health`, `/ready` and `/metrics` are at `debug`.',
    parse: (text) => parseOneOf(text, ['debug', 'info', 'warn', 'error', 'silent'] as const),
  }),
  logFormat: defineSetting({
    env: 'LOG_FORMAT',
    default: 'auto',
    accepts: 'auto, pretty or json',
    description:
      'Format of log lines. `auto` is `pretty` on a terminal and `json`, one object per line, elsewhere.',
    parse: (text) => parseOneOf(text, ['auto', 'pretty', 'json'] as const),
  }),
  rateLimit: defineSetting({
    env: 'RATE_LIMIT',
    default: 'auto',
    accepts: `auto, off or ${LIMIT_FORM}`,
    description: `Rate limit of a client without an API key. \`auto\` is ${AUTO_RATE_LIMITS.anonymous}, and ${AUTO_RATE_LIMITS.loopback} for clients on this machine. \`off\` disables all limits.`,
    parse: parseRateLimit,
  }),
  rateLimitKey: defineSetting({
    env: 'RATE_LIMIT_KEY',
    default: '6000/1m',
    accepts: LIMIT_FORM,
    description: 'Rate limit of an API key that was created without a limit.',
    parse: (text) => parseRateLimitPolicy('key', text),
  }),
  streams: defineSetting({
    env: 'STREAMS',
    default: '5000',
    accepts: 'a whole number from 0 to 1000000',
    description: 'Open streams of one process (docs/streams.md). 0 allows none.',
    parse: (text) => parseInteger(text, 0, 1_000_000),
  }),
  streamsPerClient: defineSetting({
    env: 'STREAMS_PER_CLIENT',
    default: '50',
    accepts: 'a whole number from 0 to 1000000',
    description: 'Open streams of one API key, or of one address without a key, in one process.',
    parse: (text) => parseInteger(text, 0, 1_000_000),
  }),
  trustedProxies: defineSetting({
    env: 'TRUSTED_PROXIES',
    default: '',
    accepts: 'a comma-separated list of IP addresses and CIDR ranges',
    description: 'Proxies whose `x-forwarded-for` header is trusted.',
    parse: (text) => parseTrustedProxies(parseList(text)),
  }),
  strictStatuses: defineSetting({
    env: 'STRICT_STATUSES',
    default: 'false',
    accepts: 'true or false',
    description: 'Return 500 instead of a 400 or 404 that the operation does not document.',
    parse: parseBoolean,
  }),
  marketSegmentAliases: defineSetting({
    env: 'MARKET_SEGMENT_ALIASES',
    default: '',
    accepts: 'a comma-separated list of path segments that no other path uses',
    description: 'Aliases of the path segment `svc-market`, besides `kamino-market`.',
    parse: parseSegments,
  }),
  legacyPaths: defineSetting({
    env: 'LEGACY_PATHS',
    default: 'true',
    accepts: 'true or false',
    description:
      'Also serve the legacy paths of vaults, markets and documents (docs/hosted-api.md).',
    parse: parseBoolean,
  }),
  ...clusterSettings,
  ...localnetSettings,
  ...tokenSettings,
  ...webhookSettings,
  ...telemetrySettings,
  ...calledServerSettings,
};

export const settingNames = Object.keys(settings) as readonly SettingName[];

/** A setting whose value is rejected. The value itself may be a credential. */
export type InvalidSetting = {
  readonly name: string;
  readonly value: string;
  readonly accepts: string;
};

/** A flag overrides the environment variable. An empty value counts as not set. Throws INVALID_SETTING. */
export function readConfig(
  flags: Readonly<Record<string, string>>,
  env: NodeJS.ProcessEnv = process.env,
): Config {
  const { config, invalid } = readSettings(flags, env);
  const [first] = invalid;
  if (first !== undefined) throw new CodedError('INVALID_SETTING', first);
  return config;
}

/** All settings. One with an invalid value has its default. */
export function readSettings(
  flags: Readonly<Record<string, string>>,
  env: NodeJS.ProcessEnv = process.env,
): { readonly config: Config; readonly invalid: readonly InvalidSetting[] } {
  const invalid: InvalidSetting[] = [];
  const textOf = (setting: Setting<unknown>) => flags[flagName(setting.env)] || env[setting.env];
  const unset = new Set(settingNames.filter((name) => !textOf(settings[name])));
  const entries = Object.entries(settings).map(([name, setting]) => {
    const text = textOf(setting) || setting.default;
    const value = setting.parse(text);
    if (value !== undefined) return [name, value];
    invalid.push({ name: setting.env, value: text, accepts: setting.accepts });
    return [name, setting.parse(setting.default)];
  });
  return { config: Object.freeze({ ...Object.fromEntries(entries), unset } as Config), invalid };
}

export function flagName(env: string): string {
  return env.toLowerCase().replaceAll('_', '-');
}
