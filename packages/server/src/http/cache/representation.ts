import type { IncomingHttpHeaders } from 'node:http';
import { KEEP_ALIVE_SECONDS } from '../node-server.ts';
import type { Operation } from '../operation.ts';
import { createStaticBody, type StaticBody, StaticHeaders } from './static-headers.ts';

/** One form of a body, with the headers it is sent with: name, value, name, value. */
export type Representation = StaticBody & {
  readonly etag: string;
  readonly headers: readonly string[];
  /** Headers of a 304, for who has it already. */
  readonly unchangedHeaders: readonly string[];
  readonly head: StaticHeaders;
};

type Form = {
  readonly operation: Operation;
  readonly contentType: string;
  readonly body: Buffer;
  readonly etag: string;
  readonly encoding?: string;
};

export function createRepresentation(form: Form): Representation {
  const { operation, contentType, body, etag, encoding } = form;
  const { cacheControl = 'no-cache', headers: fixed = [] } = operation;
  const unchangedHeaders = [
    ...['etag', etag, 'cache-control', cacheControl, 'vary', 'accept-encoding'],
    ...fixed,
  ];
  const headers = [
    ...unchangedHeaders,
    ...['content-type', contentType, 'content-length', String(body.length)],
    ...(encoding === undefined ? [] : ['content-encoding', encoding]),
  ];
  const head = new StaticHeaders(headers, KEEP_ALIVE_SECONDS);
  return { ...createStaticBody(body), etag, headers, unchangedHeaders, head };
}

type Forms = { readonly plain: Representation; readonly gzip: Representation | undefined };

/** Plain or gzip by what the caller accepts. */
export function chooseEncoding(
  { plain, gzip }: Forms,
  headers: IncomingHttpHeaders,
): Representation {
  return gzip !== undefined && acceptsGzip(headers['accept-encoding']) ? gzip : plain;
}

/** By RFC 9110: gzip or `*` named with a quality above zero; naming gzip decides over `*`. */
export function acceptsGzip(header: string | string[] | undefined): boolean {
  if (header === undefined) return false;
  let any = false;
  for (const item of String(header).toLowerCase().split(',')) {
    const [coding = '', ...parameters] = item.split(';').map((part) => part.trim());
    const wanted = !parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter));
    if (coding === 'gzip' || coding === 'x-gzip') return wanted;
    if (coding === '*') any = wanted;
  }
  return any;
}

/** Whether the caller has it already. Weak comparison, as `if-none-match` asks for; either form's tag will do. */
export const isNotModified = ({ plain, gzip }: Forms, header: string | undefined): boolean =>
  matchesEtag(header, gzip === undefined ? [plain.etag] : [plain.etag, gzip.etag]);

/** Whether `if-none-match` names one of those tags, which are in quotes. */
export function matchesEtag(header: string | undefined, etags: readonly string[]): boolean {
  if (header === undefined) return false;
  if (header.trim() === '*') return true;
  const tags = header.split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  return etags.some((etag) => tags.includes(etag));
}
