import { CodedError } from '../../errors.ts';

/** Reads a stream in pieces of given lengths. */
export class ByteReader {
  readonly #chunks: AsyncIterator<Buffer>;
  #rest: Buffer = Buffer.alloc(0);

  constructor(stream: AsyncIterable<Buffer>) {
    this.#chunks = stream[Symbol.asyncIterator]();
  }

  /** The next bytes in one piece. Throws MALFORMED_DATA if the stream ends before. */
  async take(length: number): Promise<Buffer> {
    const parts: Buffer[] = [];
    for await (const part of this.parts(length)) parts.push(part);
    return Buffer.concat(parts);
  }

  /** The next bytes in several pieces. Throws MALFORMED_DATA if the stream ends before. */
  async *parts(length: number): AsyncGenerator<Buffer> {
    let missing = length;
    while (missing > 0) {
      if (this.#rest.length === 0) await this.#fill();
      const part = this.#rest.subarray(0, missing);
      this.#rest = this.#rest.subarray(part.length);
      missing -= part.length;
      yield part;
    }
  }

  /** Reads to the end, so that the checksum of the compression is verified. */
  async skipRest(): Promise<void> {
    this.#rest = Buffer.alloc(0);
    for (;;) {
      const { done } = await this.#chunks.next();
      if (done) return;
    }
  }

  async #fill(): Promise<void> {
    const { value, done } = await this.#chunks.next();
    if (done) {
      throw new CodedError('MALFORMED_DATA', { what: 'archive', reason: 'it ends too early' });
    }
    this.#rest = value;
  }
}
