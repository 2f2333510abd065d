import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { DataVersion } from '../../clusters/data-versions.ts';
import type { Operation } from '../operation.ts';
import { createEtag, matchesEtag, tagEncoding } from './etag.ts';
import {
  acceptsGzip,
  createNotModifiedHeaders,
  createRepresentation,
  type Representation,
} from './representation.ts';

export type Compress = (text: Buffer | string) => Promise<Buffer>;

export const compressGzip: Compress = promisify<Buffer | string, Buffer>(gzip);

/** Smaller bodies are not compressed. */
export const MIN_COMPRESSED_BYTES = 1024;

type ResponseMetadata = {
  readonly operation: Operation;
  /** Route pattern, for logs and metrics. */
  readonly route: string;
  /** Of the data of the response. */
  readonly version: number;
  /** The version that the same data has now. */
  readonly currentVersion: DataVersion;
  readonly contentType: string;
  /** What the data lacks: name, value, name, value. */
  readonly dataHeaders?: readonly string[];
  readonly compress?: Compress;
};

type AcceptEncoding = string | string[] | undefined;

/**
 * A response for one operation, its parameters and a data version. It is compressed for the first client that accepts
 * gzip: most data changes with each slot, and many responses are never requested in that form.
 */
export class CachedResponse {
  readonly operation: Operation;
  readonly route: string;
  readonly version: number;
  readonly currentVersion: DataVersion;
  readonly plain: Representation;
  readonly #metadata: ResponseMetadata;
  #gzip: Representation | undefined;
  #compressing: Promise<Representation> | undefined;

  constructor(body: Buffer, metadata: ResponseMetadata) {
    this.operation = metadata.operation;
    this.route = metadata.route;
    this.version = metadata.version;
    this.currentVersion = metadata.currentVersion;
    this.plain = createRepresentation({ ...metadata, body, etag: createEtag(body) });
    this.#metadata = metadata;
  }

  /** Of its bodies, compressed or not. */
  get bytes(): number {
    return this.plain.body.length + (this.#gzip?.body.length ?? 0);
  }

  /** The representation for a client; undefined if it is not compressed yet. */
  find(acceptEncoding: AcceptEncoding): Representation | undefined {
    return this.#isCompressedFor(acceptEncoding) ? this.#gzip : this.plain;
  }

  /** Compresses the body if the client accepts that. */
  prepare(acceptEncoding: AcceptEncoding): Promise<Representation> | Representation {
    const found = this.find(acceptEncoding);
    if (found !== undefined) return found;
    this.#compressing ??= this.#compress();
    return this.#compressing;
  }

  /** Whether the client has the current content, in either encoding. */
  isNotModified(ifNoneMatch: string | undefined): boolean {
    if (ifNoneMatch === undefined) return false;
    const { etag } = this.plain;
    return matchesEtag(ifNoneMatch, this.#isCompressible ? [etag, this.#gzipEtag] : [etag]);
  }

  /** Headers of a 304 response. */
  notModifiedHeaders(acceptEncoding: AcceptEncoding): readonly string[] {
    if (!this.#isCompressedFor(acceptEncoding)) return this.plain.notModifiedHeaders;
    return createNotModifiedHeaders({ ...this.#metadata, etag: this.#gzipEtag });
  }

  get #gzipEtag(): string {
    return tagEncoding(this.plain.etag, 'gzip');
  }

  get #isCompressible(): boolean {
    return this.plain.body.length >= MIN_COMPRESSED_BYTES;
  }

  #isCompressedFor(acceptEncoding: AcceptEncoding): boolean {
    return this.#isCompressible && acceptsGzip(acceptEncoding);
  }

  async #compress(): Promise<Representation> {
    const { compress = compressGzip } = this.#metadata;
    const body = await compress(this.plain.body);
    const encoded = { body, etag: this.#gzipEtag, encoding: 'gzip' };
    this.#gzip = createRepresentation({ ...this.#metadata, ...encoded });
    return this.#gzip;
  }
}
