import { namesReleases, rulesOfReleases } from '@tidegate/core/protocol/releases';
import { hasCode } from '../../errors.ts';
import { parseRateLimitPolicy, type RateLimitPolicy } from '../../http/limits/rate-limit.ts';
import { reservedSegments } from '../../operations/path-aliases.ts';

/** High on the local machine, safe in public. */
export const AUTO_RATE_LIMITS = { anonymous: '600/1m', loopback: '600000/1m' };

export function parseInteger(text: string, min: number, max: number): number | undefined {
  if (!/^\d{1,9}$/.test(text)) return undefined;
  const value = Number(text);
  return value >= min && value <= max ? value : undefined;
}

/** Wraps the value, because undefined means invalid. An empty text is a valid undefined value. */
export function parseOptional<Value>(
  text: string,
  parse: (text: string) => Value | undefined,
): { readonly value: Value | undefined } | undefined {
  if (text === '') return { value: undefined };
  const value = parse(text);
  return value === undefined ? undefined : { value };
}

/** Slot 0 is in 2020, and a cluster needs some history before its end. */
const MIN_TIME_MS = Date.UTC(2021, 0, 1);

/** Milliseconds since 1970 of a date, or of a time with a zone, from 2021 up to now. */
export function parseTimestamp(text: string, nowMs: number): number | undefined {
  const form = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d{1,3})?)?(Z|[+-]\d\d:\d\d))?$/;
  const ms = form.test(text) ? Date.parse(text) : Number.NaN;
  return ms >= MIN_TIME_MS && ms <= nowMs ? ms : undefined;
}

export function parseBoolean(text: string): boolean | undefined {
  return text === 'true' || text === 'false' ? text === 'true' : undefined;
}

export function parseOneOf<const Value extends string>(
  text: string,
  values: readonly Value[],
): Value | undefined {
  return values.find((value) => value === text);
}

export function parseList(text: string): string[] {
  return text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');
}

export function parseHosts(text: string): readonly string[] | undefined {
  const hosts = parseList(text);
  const isHost = (host: string) => /^(?:\[[0-9a-f:.]+\]|[\w.-]+)$/i.test(host);
  return hosts.every(isHost) ? hosts : undefined;
}

/** A scheme, a host and maybe a port, as browsers send it: without a path. */
export function parseOrigins(text: string): readonly string[] | undefined {
  const origins = parseList(text);
  const isOrigin = (origin: string) => /^[a-z][a-z0-9+.-]*:\/\/[^/?#@\s]+$/i.test(origin);
  return origins.every(isOrigin) ? origins : undefined;
}

/** Sources of a content security policy: any host over https, or origins. Nothing of them ends a directive. */
export function parseImageSources(text: string): readonly string[] | undefined {
  const sources = parseList(text);
  const isSource = (source: string) => /^https:(?:\/\/[a-z0-9.-]+(?::\d+)?)?$/i.test(source);
  return sources.every(isSource) ? sources : undefined;
}

export function parseSegments(text: string): readonly string[] | undefined {
  const segments = parseList(text);
  const isUsable = (segment: string) =>
    /^[\w.~-]+$/.test(segment) && !reservedSegments.includes(segment);
  return segments.every(isUsable) ? segments : undefined;
}

type AnonymousLimits = { readonly anonymous: RateLimitPolicy; readonly loopback: RateLimitPolicy };

/** An explicit limit applies to every client without a key, including local ones. */
export function parseRateLimit(text: string): AnonymousLimits | 'off' | undefined {
  if (text === 'off') return 'off';
  const texts = text === 'auto' ? AUTO_RATE_LIMITS : { anonymous: text, loopback: text };
  const anonymous = parseRateLimitPolicy('anonymous', texts.anonymous);
  const loopback = parseRateLimitPolicy(text === 'auto' ? 'loopback' : 'anonymous', texts.loopback);
  return anonymous && loopback && { anonymous, loopback };
}

/** Where a document is read from. */
export type DocumentLocation =
  | { readonly kind: 'file'; readonly path: string }
  | { readonly kind: 'url'; readonly url: URL };

export type TokenListLocation = { readonly kind: 'embedded' } | DocumentLocation;

export function parseTokenListLocation(text: string): TokenListLocation | undefined {
  return text === 'embedded' ? { kind: 'embedded' } : parseDocumentLocation(text);
}

/** Wraps the location, because undefined means invalid. An empty text is no location. */
export function parseRegistryLocation(
  text: string,
): { readonly location: DocumentLocation | undefined } | undefined {
  if (text === '') return { location: undefined };
  const location = parseDocumentLocation(text);
  return location && { location };
}

function parseDocumentLocation(text: string): DocumentLocation | undefined {
  if (!/^[a-z][a-z0-9+.-]*:\/\//i.test(text)) return { kind: 'file', path: text };
  if (!/^https?:/i.test(text) || !URL.canParse(text)) return undefined;
  return { kind: 'url', url: new URL(text) };
}

/** Parses a comma-separated list of URLs with these schemes, which may be empty. */
/** Releases of the programs whose rules are known; undefined for others. */
export function parseReleases(text: string): string | undefined {
  return text === '' || (namesReleases(text) && areKnownReleases(text)) ? text : undefined;
}

/** The same, or a folder. */
export const parsePrograms = (text: string): string | undefined =>
  namesReleases(text) ? parseReleases(text) : text;

function areKnownReleases(text: string): boolean {
  try {
    rulesOfReleases(text);
    return true;
  } catch (error) {
    if (hasCode(error, 'UNKNOWN_RELEASE')) return false;
    throw error;
  }
}

export function parseUrls(
  schemes: readonly string[],
): (text: string) => readonly URL[] | undefined {
  return (text) => {
    const urls = parseList(text).map((entry) => (URL.canParse(entry) ? new URL(entry) : undefined));
    const valid = urls.filter((url) => url !== undefined && schemes.includes(url.protocol));
    return valid.length === urls.length ? valid.flatMap((url) => url ?? []) : undefined;
  };
}

/** `none` disables WebSocket. With an empty list the URLs are derived from `RPC_URL`. */
export function parseWsUrls(text: string): readonly URL[] | 'none' | undefined {
  return text === 'none' ? 'none' : parseUrls(['ws:', 'wss:'])(text);
}
