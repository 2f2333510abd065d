import { createHash } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import { splitCredentials } from '@tidegate/core/base';
import { fetchDocument } from './fetch-document.ts';
import { readLimitedText } from './limited-text.ts';

/** A file or URL that contains a registry or a token list. `tag` identifies the version of the document. */
export type DocumentSource = {
  readonly kind: 'file' | 'url';
  /** A name that is safe to publish, without folder, credentials or query. */
  readonly label: string;
  /** Identifies the source in files. A hash, because the query may contain a secret. */
  readonly identity: string;
  readonly read: (knownTag: string | undefined) => Promise<DocumentReading>;
};

type DocumentReading =
  | { readonly kind: 'unchanged' }
  | { readonly kind: 'document'; readonly document: unknown; readonly tag: string | undefined };

const MAX_BYTES = 256 * 1024 * 1024;
const TIMEOUT_MS = 30_000;

export function createFileSource(path: string): DocumentSource {
  return {
    kind: 'file',
    label: basename(path),
    identity: identityOf(resolve(path)),
    read: async (knownTag) => {
      const { mtimeMs, size } = await stat(path);
      const tag = `${mtimeMs}-${size}`;
      if (tag === knownTag) return { kind: 'unchanged' };
      return { kind: 'document', document: JSON.parse(await readFile(path, 'utf8')), tag };
    },
  };
}

export function createUrlSource(url: URL): DocumentSource {
  const { url: address, headers } = splitCredentials(url);
  return {
    kind: 'url',
    label: `${url.origin}${url.pathname}`,
    identity: identityOf(address.href),
    read: async (knownTag) => {
      const response = await fetchDocument(address, {
        headers: {
          accept: 'application/json',
          ...headers,
          ...(knownTag && { 'if-none-match': knownTag }),
        },
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
      const { status, body } = response;
      if (status !== 200) {
        body.destroy();
        if (status === 304 && knownTag !== undefined) return { kind: 'unchanged' };
        throw new Error(`it responds with status ${status}`);
      }
      const document: unknown = JSON.parse(await readLimitedText(body, MAX_BYTES));
      return { kind: 'document', document, tag: response.headers.etag };
    },
  };
}

function identityOf(address: string): string {
  return createHash('sha256').update(address).digest('hex');
}
