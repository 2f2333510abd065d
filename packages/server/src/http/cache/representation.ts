import { KEEP_ALIVE_SECONDS } from '../node-server.ts';
import type { Operation } from '../operation.ts';
import { createStaticBody, type StaticBody, StaticHeaders } from './static-headers.ts';

/** A body in one encoding with its headers, as a flat list: name, value, name, value. */
export type Representation = StaticBody & {
  readonly etag: string;
  readonly headers: readonly string[];
  /** Headers of a 304 response. */
  readonly notModifiedHeaders: readonly string[];
  readonly head: StaticHeaders;
};

type ValidatedParts = {
  readonly operation: Operation;
  /** What the data lacks: name, value, name, value. */
  readonly dataHeaders?: readonly string[];
  readonly etag: string;
};

type RepresentationParts = ValidatedParts & {
  readonly contentType: string;
  readonly body: Buffer;
  readonly encoding?: string;
};

export function createRepresentation(parts: RepresentationParts): Representation {
  const { contentType, body, etag, encoding } = parts;
  const notModifiedHeaders = createNotModifiedHeaders(parts);
  const headers = [
    ...notModifiedHeaders,
    ...['content-type', contentType, 'content-length', String(body.length)],
    ...(encoding === undefined ? [] : ['content-encoding', encoding]),
  ];
  const head = new StaticHeaders(headers, KEEP_ALIVE_SECONDS);
  return { ...createStaticBody(body), etag, headers, notModifiedHeaders, head };
}

/** Headers of a 304 response. */
export function createNotModifiedHeaders({
  operation,
  dataHeaders = [],
  etag,
}: ValidatedParts): readonly string[] {
  const { cacheControl = 'no-cache', headers = [] } = operation;
  return [
    ...['etag', etag, 'cache-control', cacheControl, 'vary', 'accept-encoding'],
    ...headers,
    ...dataHeaders,
  ];
}

const GZIP = ['gzip', 'x-gzip'];

export const acceptsGzip = (header: string | string[] | undefined): boolean =>
  acceptsCoding(header, GZIP);

/** Whether the header lists the coding (by one of its names) or `*` with a quality above zero (RFC 9110). */
export function acceptsCoding(
  header: string | string[] | undefined,
  names: readonly string[],
): boolean {
  if (header === undefined) return false;
  let acceptsAny = false;
  for (const item of String(header).toLowerCase().split(',')) {
    const [coding = '', ...parameters] = item.split(';').map((part) => part.trim());
    const isAccepted = !parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter));
    // a name takes precedence over `*`
    if (names.includes(coding)) return isAccepted;
    if (coding === '*') acceptsAny = isAccepted;
  }
  return acceptsAny;
}
