import { CodedError } from '@tidegate/core/base';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/** Depth of an array that is a direct part of `result`. */
const LIST_DEPTH = 3;
/** What is around the list is small, whatever the list is. */
const MAX_ENVELOPE_BYTES = 64 * 1024 * 1024;

/**
 * Takes a JSON-RPC answer apart while it arrives: each element of the list in `result` is handed out as
 * text, and the rest is kept as JSON with that list empty. A program's accounts can be larger than the longest
 * string there is, and need not be in memory twice.
 */
export class ResponseSplitter {
  readonly #onElement: ((text: string) => void) | undefined;
  readonly #envelope: Buffer[] = [];
  #envelopeBytes = 0;
  #element: Buffer[] = [];
  #depth = 0;
  #inString = false;
  /** The string so far ends in an open escape. */
  #escaped = false;
  #inList = false;

  /** Without anybody to hand elements to, all of it is kept. */
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
        this.#element.push(bytes.subarray(start, at));
        this.#finishElement();
        // The comma between two elements belongs to neither.
        start = byte === COMMA ? at + 1 : at;
      }
      this.#enter(byte);
      at++;
      if (byte === OPEN_ARRAY && this.#depth === LIST_DEPTH && this.#onElement) {
        this.#keep(bytes.subarray(start, at));
        this.#inList = true;
        start = at;
      }
    }
    const rest = bytes.subarray(start);
    if (this.#inList) this.#element.push(rest);
    else this.#keep(rest);
  }

  /** What is left when the elements are taken out. */
  envelope(): string {
    return Buffer.concat(this.#envelope).toString('utf8');
  }

  #endsElement(byte: number | undefined): boolean {
    if (!this.#inList || this.#depth !== LIST_DEPTH) return false;
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
      if (this.#depth < LIST_DEPTH) this.#inList = false;
    }
  }

  /** Nothing of a list element but base58, base64 and numbers is ever used, so Latin-1 does. */
  #finishElement(): void {
    const [only] = this.#element;
    const whole = this.#element.length === 1 && only ? only : Buffer.concat(this.#element);
    this.#element = [];
    const text = whole.toString('latin1').trim();
    if (text !== '') this.#onElement?.(text);
  }

  /** Where to go on: behind the closing quote, behind an escaped one, or at the end. */
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

  #keep(bytes: Buffer): void {
    this.#envelopeBytes += bytes.length;
    if (this.#envelopeBytes > MAX_ENVELOPE_BYTES) {
      throw new CodedError('MALFORMED_DATA', { what: 'answer', reason: 'it is too large' });
    }
    this.#envelope.push(bytes);
  }
}
