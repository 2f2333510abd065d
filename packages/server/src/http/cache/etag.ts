import { createHash } from 'node:crypto';

/** Bits enough that two versions never share a tag. */
const HASH_LENGTH = 22;

/** Quoted entity tag of a content. */
export function createEtag(content: string | Buffer): string {
  const hash = createHash('sha256').update(content).digest('base64url').slice(0, HASH_LENGTH);
  return `"${hash}"`;
}

/** Tag of the same content in another encoding. */
export const tagEncoding = (etag: string, encoding: string): string =>
  `${etag.slice(0, -1)}-${encoding}"`;

/** Whether `if-none-match` lists one of the tags. Uses weak comparison (RFC 9110). */
export function matchesEtag(header: string | undefined, etags: readonly string[]): boolean {
  if (header === undefined) return false;
  if (header.trim() === '*') return true;
  const listed = header.split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  return etags.some((etag) => listed.includes(etag));
}
