import { crc32 } from 'node:zlib';
import { combineCrc32 } from './combine-crc32.ts';
import {
  type DeflatedText,
  deflateText,
  inflateAll,
  inflateText,
  LAST_BLOCK,
} from './deflated-text.ts';

/** A part of a body: as text, compressed, or both. */
export type BodyPart =
  | { readonly text: Buffer; readonly deflated?: undefined }
  | { readonly text?: Buffer; readonly deflated: DeflatedText };

/** Encodes a body part by part. */
export type BodyEncoder = {
  encode(part: BodyPart): readonly Buffer[];
  /** What was encoded so far and can be sent. */
  flush(): readonly Buffer[];
  end(): readonly Buffer[];
};

export const partLength = ({ text, deflated }: BodyPart): number =>
  deflated === undefined ? text.length : deflated.length;

export const partText = ({ text, deflated }: BodyPart): Buffer =>
  deflated === undefined ? text : (text ?? inflateText(deflated));

/** The text of all parts. What is compressed is inflated in runs, which takes half the time and one buffer per run. */
export class PlainEncoder implements BodyEncoder {
  #blocks: Buffer[] = [];
  /** Of the text in `#blocks`. */
  #length = 0;

  encode({ text, deflated }: BodyPart): readonly Buffer[] {
    if (deflated === undefined) return this.#addText(text);
    return text === undefined ? this.#add(deflated) : this.#addText(text);
  }

  flush(): readonly Buffer[] {
    const [blocks, length] = [this.#blocks, this.#length];
    this.#blocks = [];
    this.#length = 0;
    return length === 0 ? [] : [inflateAll(blocks, length)];
  }

  end(): readonly Buffer[] {
    return this.flush();
  }

  /** A separator does not end a run. */
  #addText(text: Buffer): readonly Buffer[] {
    const isSeparator = this.#length > 0 && text.length < MIN_DEFLATED_BYTES;
    return isSeparator ? this.#add(storeText(text)) : [...this.flush(), text];
  }

  #add({ blocks, length }: DeflatedText): readonly Buffer[] {
    this.#blocks.push(blocks);
    this.#length += length;
    return [];
  }
}

/** Magic number, deflate, no flags, no time, no hints, unknown system (RFC 1952). */
const HEADER = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff]);
/** A shorter text is not compressed. */
const MIN_DEFLATED_BYTES = 64;
const U32 = 2 ** 32;

/** One gzip member of all parts. Parts that are compressed already are copied. */
export class GzipEncoder implements BodyEncoder {
  #isStarted = false;
  #crc = 0;
  #length = 0;
  /** Text that is not written yet. */
  #pending: Buffer[] = [];

  encode({ text, deflated }: BodyPart): readonly Buffer[] {
    if (deflated !== undefined) return [...this.#writePending(), ...this.#write(deflated)];
    this.#pending.push(text);
    return [];
  }

  /** A text that waits is compressed together with the next ones. */
  flush(): readonly Buffer[] {
    return [];
  }

  end(): readonly Buffer[] {
    const trailer = Buffer.alloc(8);
    const rest = this.#writePending();
    trailer.writeUInt32LE(this.#crc, 0);
    trailer.writeUInt32LE(this.#length % U32, 4);
    return [...this.#start(), ...rest, LAST_BLOCK, trailer];
  }

  #writePending(): readonly Buffer[] {
    const text = Buffer.concat(this.#pending);
    this.#pending = [];
    if (text.length === 0) return [];
    return this.#write(text.length < MIN_DEFLATED_BYTES ? storeText(text) : deflateText(text));
  }

  #write({ blocks, length, crc }: DeflatedText): readonly Buffer[] {
    this.#crc = combineCrc32(this.#crc, crc, length);
    this.#length += length;
    return [...this.#start(), blocks];
  }

  #start(): readonly Buffer[] {
    if (this.#isStarted) return [];
    this.#isStarted = true;
    return [HEADER];
  }
}

/** A text of at most 65,535 bytes in one block that is not compressed. */
function storeText(text: Buffer): DeflatedText {
  const head = Buffer.alloc(5);
  head.writeUInt16LE(text.length, 1);
  head.writeUInt16LE(~text.length & 0xffff, 3);
  return { blocks: Buffer.concat([head, text]), length: text.length, crc: crc32(text) };
}
