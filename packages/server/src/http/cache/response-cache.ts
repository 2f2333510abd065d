import type { CachedResponse } from './cached-response.ts';
import type { Representation } from './representation.ts';

const MAX_RESPONSES = 4096;
const MAX_BYTES = 64 * 1024 * 1024;
/** Number of URLs by which the fast path finds one response. */
const MAX_URLS_PER_RESPONSE = 8;
/** Characters. Requests with a longer URL find a response by its key. */
const MAX_URL_LENGTH = 1024;
/** Bytes of objects, map entries and headers of one response, and of one URL: measured, rounded up. */
const RESPONSE_OVERHEAD = 2048;
const URL_OVERHEAD = 128;

export type FoundResponse = {
  readonly response: CachedResponse;
  readonly representation: Representation;
};

type Entry = {
  readonly key: string;
  /** Without those of its URLs. */
  bytes: number;
  readonly response: CachedResponse;
  readonly urls: string[];
  used: boolean;
};

/**
 * Responses by key (operation and parameters) and by URL. Bounded in number and in bytes, which include keys and URLs.
 * Eviction uses the second-chance algorithm: a response that was used since the last eviction stays.
 */
export class ResponseCache {
  readonly #byKey = new Map<string, Entry>();
  readonly #byUrl = new Map<string, Entry>();
  #bytes = 0;
  #hits = 0;
  #misses = 0;

  get size(): number {
    return this.#byKey.size;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** Requests that a cached response answered. */
  get hits(): number {
    return this.#hits;
  }

  /** Requests for a cacheable response that was not cached. */
  get misses(): number {
    return this.#misses;
  }

  /**
   * A response that can be sent at once. A request that finds nothing here is looked up by its key, which counts it.
   */
  findByUrl(url: string, acceptEncoding?: string | string[]): FoundResponse | undefined {
    const response = this.#current(this.#byUrl.get(url));
    const representation = response?.find(acceptEncoding);
    if (response === undefined || representation === undefined) return undefined;
    this.#hits += 1;
    return { response, representation };
  }

  /** Also adds the URL to the response. */
  findByKey(key: string, url: string): CachedResponse | undefined {
    const entry = this.#byKey.get(key);
    const response = this.#current(entry);
    if (entry === undefined || response === undefined) {
      this.#misses += 1;
      return undefined;
    }
    this.#hits += 1;
    this.#addUrl(entry, url);
    return response;
  }

  store(key: string, url: string, response: CachedResponse): void {
    const previous = this.#byKey.get(key);
    if (previous !== undefined) this.#drop(previous);
    const bytes = sizeOf(key, response);
    if (bytes > MAX_BYTES) return;
    const entry: Entry = { key, bytes, response, urls: [], used: false };
    this.#evictUntil(bytes);
    this.#byKey.set(key, entry);
    this.#bytes += bytes;
    this.#addUrl(entry, url);
  }

  /** Call it after a response was compressed, which makes it larger. */
  updateSize(key: string): void {
    const entry = this.#byKey.get(key);
    if (entry === undefined) return;
    const bytes = sizeOf(key, entry.response);
    this.#bytes += bytes - entry.bytes;
    entry.bytes = bytes;
    this.#evictUntil(0);
  }

  #current(entry: Entry | undefined): CachedResponse | undefined {
    if (entry === undefined) return undefined;
    const { response } = entry;
    if (response.currentVersion() !== response.version) {
      this.#drop(entry);
      return undefined;
    }
    entry.used = true;
    return response;
  }

  #addUrl(entry: Entry, url: string): void {
    if (url.length > MAX_URL_LENGTH || this.#byUrl.get(url) === entry) return;
    entry.urls.push(url);
    this.#byUrl.set(url, entry);
    this.#bytes += url.length + URL_OVERHEAD;
    if (entry.urls.length <= MAX_URLS_PER_RESPONSE) return;
    const oldest = entry.urls.shift();
    if (oldest !== undefined) this.#removeUrl(oldest);
  }

  #removeUrl(url: string): void {
    this.#byUrl.delete(url);
    this.#bytes -= url.length + URL_OVERHEAD;
  }

  #evictUntil(bytes: number): void {
    const isFull = () => this.#byKey.size >= MAX_RESPONSES || this.#bytes + bytes > MAX_BYTES;
    while (this.#byKey.size > 0 && isFull()) this.#evictOne();
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
    for (const url of entry.urls) this.#removeUrl(url);
    this.#bytes -= entry.bytes;
  }
}

const sizeOf = (key: string, { bytes }: CachedResponse): number =>
  bytes + key.length + RESPONSE_OVERHEAD;
