import { reservedSegments } from '../../features/path-aliases.ts';
import { parseRateLimitPolicy, type RateLimitPolicy } from '../../http/limits/rate-limit.ts';

/** Generous to a developer's own machine, sane in public. */
export const AUTO_RATE_LIMITS = { anonymous: '600/1m', loopback: '600000/1m' };

export function parseInteger(text: string, min: number, max: number): number | undefined {
  if (!/^\d{1,9}$/.test(text)) return undefined;
  const value = Number(text);
  return value >= min && value <= max ? value : undefined;
}

/** Undefined inside for none. */
export function parseOptional<Value>(
  text: string,
  parse: (text: string) => Value | undefined,
): { readonly given: Value | undefined } | undefined {
  if (text === '') return { given: undefined };
  const given = parse(text);
  return given === undefined ? undefined : { given };
}

/** Slots are counted from a day in 2020; a cluster needs some time before its end. */
const FIRST_MS = Date.UTC(2021, 0, 1);

/** A date and time with its zone, in milliseconds since 1970; none that is still to come, or before there were slots. */
export function parsePastTime(text: string, nowMs: number): number | undefined {
  const form = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d{1,3})?)?(Z|[+-]\d\d:\d\d))?$/;
  const ms = form.test(text) ? Date.parse(text) : Number.NaN;
  return ms >= FIRST_MS && ms <= nowMs ? ms : undefined;
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

export function parseSegments(text: string): readonly string[] | undefined {
  const segments = parseList(text);
  const usable = (segment: string) =>
    /^[\w.~-]+$/.test(segment) && !reservedSegments.includes(segment);
  return segments.every(usable) ? segments : undefined;
}

type AnonymousLimits = { readonly anonymous: RateLimitPolicy; readonly loopback: RateLimitPolicy };

/** A limit that is set applies to every caller without a key, wherever it calls from. */
export function parseRateLimit(text: string): AnonymousLimits | 'off' | undefined {
  if (text === 'off') return 'off';
  const texts = text === 'auto' ? AUTO_RATE_LIMITS : { anonymous: text, loopback: text };
  const anonymous = parseRateLimitPolicy('anonymous', texts.anonymous);
  const loopback = parseRateLimitPolicy(text === 'auto' ? 'loopback' : 'anonymous', texts.loopback);
  return anonymous && loopback && { anonymous, loopback };
}

/** A document that is read from outside. */
export type DocumentLocation =
  | { readonly kind: 'file'; readonly path: string }
  | { readonly kind: 'url'; readonly url: URL };

export type TokenListLocation = { readonly kind: 'embedded' } | DocumentLocation;

export function parseTokenListLocation(text: string): TokenListLocation | undefined {
  return text === 'embedded' ? { kind: 'embedded' } : parseDocumentPlace(text);
}

/** Undefined inside for none. */
export function parseRegistryLocation(
  text: string,
): { readonly place: DocumentLocation | undefined } | undefined {
  if (text === '') return { place: undefined };
  const place = parseDocumentPlace(text);
  return place && { place };
}

function parseDocumentPlace(text: string): DocumentLocation | undefined {
  if (!/^[a-z][a-z0-9+.-]*:\/\//i.test(text)) return { kind: 'file', path: text };
  if (!/^https?:/i.test(text) || !URL.canParse(text)) return undefined;
  return { kind: 'url', url: new URL(text) };
}

/** A comma list of URLs of these schemes; empty for none. */
export function parseUrls(
  schemes: readonly string[],
): (text: string) => readonly URL[] | undefined {
  return (text) => {
    const urls = parseList(text).map((entry) => (URL.canParse(entry) ? new URL(entry) : undefined));
    const known = urls.filter((url) => url !== undefined && schemes.includes(url.protocol));
    return known.length === urls.length ? known.flatMap((url) => url ?? []) : undefined;
  };
}

/** `none` turns them off; an empty list leaves them to be derived. */
export function parseWsUrls(text: string): readonly URL[] | 'none' | undefined {
  return text === 'none' ? 'none' : parseUrls(['ws:', 'wss:'])(text);
}
