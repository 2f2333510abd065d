import { CodedError } from '../../errors.ts';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/** Nesting depth of an array directly inside `result`. */
const LIST_DEPTH = 3;
/** A page of accounts is one level deeper: `result.value.accounts`. */
const PAGE_DEPTH = 4;
const PAGE_START = /"accounts"\s*:\s*\[$/;
/** The envelope is small, however long the array is, and so is each element: an account has at most 10 MiB. */
const MAX_PART_BYTES = 64 * 1024 * 1024;

/**
 * Splits a JSON-RPC response while it arrives: emits each element of the array in `result` as text, or of the `accounts` in
 * its value, and collects the rest as JSON with an empty array. A program's accounts can exceed the maximum string length, and need not be in memory
 * twice.
 */
export class ResponseSplitter {
  readonly #onElement: ((text: string) => void) | undefined;
  readonly #envelope: Buffer[] = [];
  #envelopeBytes = 0;
  #element: Buffer[] = [];
  #elementBytes = 0;
  #depth = 0;
  #inString = false;
  /** Whether the last chunk ended within an escape sequence. */
  #escaped = false;
  #inList = false;
  #listDepth = 0;

  /** Without `onElement`, the envelope is the whole response. */
  constructor(onElement?: (text: string) => void) {
    this.#onElement = onElement;
  }

  push(chunk: Uint8Array): void {
    const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length);
    let start = 0;
    for (let at = 0; at < bytes.length; ) {
      if (this.#inString) {
        at = this.#skipString(bytes, at);
        continue;
      }
      const byte = bytes[at];
      if (this.#endsElement(byte)) {
        this.#addToElement(bytes.subarray(start, at));
        this.#finishElement();
        // skip the comma between two elements
        start = byte === COMMA ? at + 1 : at;
      }
      this.#enter(byte);
      at++;
      if (byte === OPEN_ARRAY && !this.#inList && this.#isList(bytes.subarray(start, at))) {
        this.#addToEnvelope(bytes.subarray(start, at));
        this.#listDepth = this.#depth;
        this.#inList = true;
        start = at;
      }
    }
    const rest = bytes.subarray(start);
    if (this.#inList) this.#addToElement(rest);
    else this.#addToEnvelope(rest);
  }

  /** The response without the elements. */
  envelope(): string {
    return Buffer.concat(this.#envelope).toString('utf8');
  }

  /** Whether the array that begins at the end of these bytes of the envelope is the list. */
  #isList(bytes: Buffer): boolean {
    if (this.#onElement === undefined) return false;
    if (this.#depth === LIST_DEPTH) return true;
    return this.#depth === PAGE_DEPTH && PAGE_START.test(this.envelope() + bytes.toString('utf8'));
  }

  #endsElement(byte: number | undefined): boolean {
    if (!this.#inList || this.#depth !== this.#listDepth) return false;
    return byte === COMMA || byte === CLOSE_ARRAY;
  }

  #enter(byte: number | undefined): void {
    if (byte === QUOTE) {
      this.#inString = true;
      this.#escaped = false;
    } else if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) {
      this.#depth++;
    } else if (byte === CLOSE_OBJECT || byte === CLOSE_ARRAY) {
      this.#depth--;
      if (this.#depth < this.#listDepth) this.#inList = false;
    }
  }

  /** Only base58, base64 and numbers of an element are used, so Latin-1 is sufficient. */
  #finishElement(): void {
    const [only] = this.#element;
    const whole = this.#element.length === 1 && only ? only : Buffer.concat(this.#element);
    this.#element = [];
    this.#elementBytes = 0;
    const text = whole.toString('latin1').trim();
    if (text !== '') this.#onElement?.(text);
  }

  /** Returns the next position: after a quote, or at the end of the chunk. */
  #skipString(bytes: Buffer, at: number): number {
    const quote = bytes.indexOf(QUOTE, at);
    const end = quote === -1 ? bytes.length : quote;
    let slashes = 0;
    while (end - slashes > at && bytes[end - slashes - 1] === BACKSLASH) slashes++;
    if (slashes === end - at && this.#escaped) slashes++;
    const isEscaped = slashes % 2 === 1;
    this.#escaped = quote === -1 && isEscaped;
    if (quote === -1) return bytes.length;
    this.#inString = isEscaped;
    return quote + 1;
  }

  #addToEnvelope(bytes: Buffer): void {
    this.#envelopeBytes += bytes.length;
    requireWithinLimit(this.#envelopeBytes);
    this.#envelope.push(bytes);
  }

  #addToElement(bytes: Buffer): void {
    this.#elementBytes += bytes.length;
    requireWithinLimit(this.#elementBytes);
    this.#element.push(bytes);
  }
}

function requireWithinLimit(bytes: number): void {
  if (bytes <= MAX_PART_BYTES) return;
  throw new CodedError('MALFORMED_DATA', { what: 'response', reason: 'it is too large' });
}
