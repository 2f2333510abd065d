import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { Operation } from '../operation.ts';
import { createRepresentation, type Representation } from './representation.ts';

const gzipAsync = promisify(gzip);

/** Bodies below this size are sent as they are. */
export const MIN_COMPRESSED_BYTES = 1024;
const MAX_ANSWERS = 4096;
const MAX_BYTES = 64 * 1024 * 1024;
/** Spellings of one request that find its answer before the router; the oldest gives way. */
const MAX_URLS_PER_ANSWER = 8;

/** An answer as bytes, made once for all who ask the same of the same version of the data. */
export type CachedResponse = {
  readonly operation: Operation;
  /** Route pattern, for logs and metrics. */
  readonly route: string;
  readonly version: number;
  readonly plain: Representation;
  /** Undefined when the body is too small to be worth it. */
  readonly gzip: Representation | undefined;
};

type Entry = {
  readonly key: string;
  readonly answer: CachedResponse;
  readonly urls: string[];
  used: boolean;
};

/**
 * Answers by what was asked (operation and parameters) and by URL. Bounded in number and bytes;
 * an answer that was used since it was last looked at gets a second chance before it is dropped.
 */
export class ResponseCache {
  readonly #byKey = new Map<string, Entry>();
  readonly #byUrl = new Map<string, Entry>();
  #bytes = 0;

  get size(): number {
    return this.#byKey.size;
  }

  findByUrl(url: string): CachedResponse | undefined {
    return this.#current(this.#byUrl.get(url));
  }

  /** Also remembers that this URL asks for it. */
  findByKey(key: string, url: string): CachedResponse | undefined {
    const entry = this.#byKey.get(key);
    const answer = this.#current(entry);
    if (entry !== undefined && answer !== undefined) this.#addUrl(entry, url);
    return answer;
  }

  keep(key: string, url: string, answer: CachedResponse): void {
    const old = this.#byKey.get(key);
    if (old !== undefined) this.#drop(old);
    const size = sizeOf(answer);
    if (size > MAX_BYTES) return;
    while (this.#byKey.size >= MAX_ANSWERS || this.#bytes + size > MAX_BYTES) this.#evictOne();
    const entry: Entry = { key, answer, urls: [], used: false };
    this.#byKey.set(key, entry);
    this.#bytes += size;
    this.#addUrl(entry, url);
  }

  #current(entry: Entry | undefined): CachedResponse | undefined {
    if (entry === undefined) return undefined;
    const { answer } = entry;
    if (answer.operation.keptWhile?.() !== answer.version) {
      this.#drop(entry);
      return undefined;
    }
    entry.used = true;
    return answer;
  }

  #addUrl(entry: Entry, url: string): void {
    if (this.#byUrl.get(url) === entry) return;
    entry.urls.push(url);
    this.#byUrl.set(url, entry);
    if (entry.urls.length <= MAX_URLS_PER_ANSWER) return;
    const oldest = entry.urls.shift();
    if (oldest !== undefined) this.#byUrl.delete(oldest);
  }

  #evictOne(): void {
    for (const entry of this.#byKey.values()) {
      if (!entry.used) {
        this.#drop(entry);
        return;
      }
      entry.used = false;
      this.#byKey.delete(entry.key);
      this.#byKey.set(entry.key, entry);
    }
  }

  #drop(entry: Entry): void {
    if (this.#byKey.get(entry.key) !== entry) return;
    this.#byKey.delete(entry.key);
    for (const url of entry.urls) this.#byUrl.delete(url);
    this.#bytes -= sizeOf(entry.answer);
  }
}

type AnswerFacts = Pick<CachedResponse, 'operation' | 'route' | 'version'> & {
  readonly contentType: string;
};

export async function createCachedResponse(
  body: Buffer,
  facts: AnswerFacts,
): Promise<CachedResponse> {
  const { operation, route, version, contentType } = facts;
  const hash = createHash('sha256').update(body).digest('base64url').slice(0, 22);
  const plain = createRepresentation({ operation, contentType, body, etag: `"${hash}"` });
  const gzipped = body.length < MIN_COMPRESSED_BYTES ? undefined : await gzipAsync(body);
  const etag = `"${hash}-gzip"`;
  const gzipForm = gzipped && { operation, contentType, body: gzipped, etag, encoding: 'gzip' };
  return { operation, route, version, plain, gzip: gzipForm && createRepresentation(gzipForm) };
}

function sizeOf({ plain, gzip: gzipped }: CachedResponse): number {
  return plain.body.length + (gzipped?.body.length ?? 0);
}
