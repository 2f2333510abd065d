import { reservedSegments } from '../api/aliases.ts';
import { parseTrustedProxies } from '../api/client-address.ts';
import { type LimitPolicy, parseLimit } from '../api/rate-limit.ts';
import { CodedError } from '../base/errors.ts';
import { parseTokenFormat, tokenFormats } from '../registry/token-format.ts';

type Setting<Value> = {
  /** Name in the environment; the flag is the same in kebab-case. */
  readonly env: string;
  /** As it would be written. */
  readonly default: string;
  readonly accepts: string;
  readonly sentence: string;
  /** Undefined for what it does not accept. */
  readonly parse: (text: string) => Value | undefined;
};

export type Config = {
  readonly [Name in keyof typeof settings]: Exclude<
    ReturnType<(typeof settings)[Name]['parse']>,
    undefined
  >;
};

const LIMIT_FORM = 'a limit such as 600/1m (units s, m, h)';
/** Generous to a developer's own machine, sane in public. */
const AUTO_LIMIT = { anonymous: '600/1m', loopback: '600000/1m' };

/** All settings, each with its default, what it accepts and what it is for. */
export const settings = {
  host: setting({
    env: 'HOST',
    default: '127.0.0.1',
    accepts: 'an IP address or a host name',
    sentence: 'Address to listen on; `0.0.0.0` or `::` for all.',
    parse: (text) => (/^[\w.:%-]+$/.test(text) ? text : undefined),
  }),
  port: setting({
    env: 'PORT',
    default: '8080',
    accepts: 'a whole number from 0 to 65535',
    sentence: 'Port to listen on; 0 for any free one.',
    parse: (text) => parseWhole(text, 0, 65_535),
  }),
  dataDir: setting({
    env: 'DATA_DIR',
    default: '.tidegate',
    accepts: 'a folder',
    sentence: 'Where API keys and the last good token list are kept.',
    parse: (text) => text,
  }),
  logLevel: setting({
    env: 'LOG_LEVEL',
    default: 'info',
    accepts: 'debug, info, warn, error or silent',
    sentence: 'Least severe log line that is written. Each request is one line at `info`.',
    parse: (text) => parseOneOf(text, ['debug', 'info', 'warn', 'error', 'silent'] as const),
  }),
  rateLimit: setting({
    env: 'RATE_LIMIT',
    default: 'auto',
    accepts: `auto, off or ${LIMIT_FORM}`,
    sentence: `Limit of a caller without a key. \`auto\` is ${AUTO_LIMIT.anonymous}, and ${AUTO_LIMIT.loopback} for callers on this machine; \`off\` turns all limits off.`,
    parse: parseRateLimit,
  }),
  rateLimitKey: setting({
    env: 'RATE_LIMIT_KEY',
    default: '6000/1m',
    accepts: LIMIT_FORM,
    sentence: 'Limit of an API key that has none of its own.',
    parse: (text) => parseLimit('key', text),
  }),
  trustedProxies: setting({
    env: 'TRUSTED_PROXIES',
    default: '',
    accepts: 'a comma list of IP addresses and CIDR ranges',
    sentence: 'Proxies whose `x-forwarded-for` is believed.',
    parse: (text) => parseTrustedProxies(parseList(text)),
  }),
  strictStatuses: setting({
    env: 'STRICT_STATUSES',
    default: 'false',
    accepts: 'true or false',
    sentence: 'Answer a 400 or 404 that an operation does not list as its 500.',
    parse: parseBoolean,
  }),
  marketSegmentAliases: setting({
    env: 'MARKET_SEGMENT_ALIASES',
    default: '',
    accepts: 'a comma list of path segments that no other path uses',
    sentence: 'Other names under which the `svc-market` paths are served.',
    parse: parseSegments,
  }),
  legacyPaths: setting({
    env: 'LEGACY_PATHS',
    default: 'true',
    accepts: 'true or false',
    sentence: 'Serve the older vault and market paths too.',
    parse: parseBoolean,
  }),
  tokens: setting({
    env: 'TOKENS',
    default: 'embedded',
    accepts: 'embedded, the path of a JSON file, or an http(s) URL',
    sentence: 'Where the token catalogue comes from. A file or URL is polled.',
    parse: parseTokens,
  }),
  tokensFormat: setting({
    env: 'TOKENS_FORMAT',
    default: 'tidegate',
    accepts: `${Object.keys(tokenFormats).join(', ')}, or pairs such as mint=address,logoUrl=logoURI`,
    sentence: 'How that list is written: a known format, or a mapping of fields.',
    parse: parseTokenFormat,
  }),
  tokensPollSeconds: setting({
    env: 'TOKENS_POLL_SECONDS',
    default: '300',
    accepts: 'a whole number from 1 to 86400',
    sentence: 'How often that list is asked for.',
    parse: (text) => parseWhole(text, 1, 86_400),
  }),
};

/** Flags win over the environment, an empty value counts as none. */
export function readConfig(
  flags: Readonly<Record<string, string>>,
  env: NodeJS.ProcessEnv = process.env,
): Config {
  const entries = Object.entries(settings).map(([name, wanted]) => {
    const text = flags[flagOf(wanted.env)] || env[wanted.env] || wanted.default;
    const value = wanted.parse(text);
    if (value === undefined) {
      const { accepts } = wanted;
      throw new CodedError('INVALID_SETTING', { name: wanted.env, value: text, accepts });
    }
    return [name, value];
  });
  return Object.freeze(Object.fromEntries(entries) as Config);
}

export function flagOf(env: string): string {
  return env.toLowerCase().replaceAll('_', '-');
}

function setting<Value>(given: Setting<Value>): Setting<Value> {
  return given;
}

function parseWhole(text: string, min: number, max: number): number | undefined {
  if (!/^\d{1,9}$/.test(text)) return undefined;
  const value = Number(text);
  return value >= min && value <= max ? value : undefined;
}

function parseBoolean(text: string): boolean | undefined {
  return text === 'true' || text === 'false' ? text === 'true' : undefined;
}

function parseOneOf<const Value extends string>(
  text: string,
  values: readonly Value[],
): Value | undefined {
  return values.find((value) => value === text);
}

function parseList(text: string): string[] {
  return text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');
}

function parseSegments(text: string): readonly string[] | undefined {
  const segments = parseList(text);
  const usable = (segment: string) =>
    /^[\w.~-]+$/.test(segment) && !reservedSegments.includes(segment);
  return segments.every(usable) ? segments : undefined;
}

type AnonymousLimits = { readonly anonymous: LimitPolicy; readonly loopback: LimitPolicy };

/** A limit that is set applies to every caller without a key, wherever it calls from. */
function parseRateLimit(text: string): AnonymousLimits | 'off' | undefined {
  if (text === 'off') return 'off';
  const texts = text === 'auto' ? AUTO_LIMIT : { anonymous: text, loopback: text };
  const anonymous = parseLimit('anonymous', texts.anonymous);
  const loopback = parseLimit(text === 'auto' ? 'loopback' : 'anonymous', texts.loopback);
  return anonymous && loopback && { anonymous, loopback };
}

type TokenOrigin =
  | { readonly kind: 'embedded' }
  | { readonly kind: 'file'; readonly path: string }
  | { readonly kind: 'url'; readonly url: URL };

function parseTokens(text: string): TokenOrigin | undefined {
  if (text === 'embedded') return { kind: 'embedded' };
  if (!/^[a-z][a-z0-9+.-]*:\/\//i.test(text)) return { kind: 'file', path: text };
  if (!/^https?:/i.test(text) || !URL.canParse(text)) return undefined;
  return { kind: 'url', url: new URL(text) };
}
