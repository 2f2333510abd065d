import { decompress } from 'fzstd';
import { malformedData } from './response-values.ts';

const WHAT = 'data of an account';
const RLE = 1;
const COMPRESSED = 2;
const MAX_BLOCK_BYTES = 128 * 1024;
const DICTIONARY_ID_BYTES = [0, 1, 2, 4];
const CONTENT_SIZE_BYTES = [0, 2, 4, 8];
/** An empty last block. */
const EMPTY_LAST_BLOCK = [1, 0, 0];

/**
 * Decompresses a zstd frame to exactly `size` bytes. Frames from nodes do not contain their size, and without an output
 * buffer the decoder allocates the whole window: two megabytes per account. With an output buffer, it does not report
 * how many bytes it wrote. An additional empty block at the end of the frame reveals the position.
 */
export function decompressZstdFrame(frame: Uint8Array, size: number): Uint8Array {
  const output = new OutputBuffer(size);
  decompress(withEmptyBlock(frame), output);
  if (output.end !== size) throw malformedData(WHAT, `it does not decompress to ${size} bytes`);
  return new Uint8Array(output.buffer);
}

/** Decompresses a zstd frame of unknown size. A few bytes can stand for gigabytes, so more than `maxSize` bytes throw. */
export function decompressZstdFrameUpTo(frame: Uint8Array, maxSize: number): Uint8Array {
  const output = new OutputBuffer(Math.min(lastBlock(frame).contentBound, maxSize));
  decompress(withEmptyBlock(frame), output);
  return new Uint8Array(output.buffer.slice(0, output.end));
}

function withEmptyBlock(frame: Uint8Array): Uint8Array {
  const last = lastBlock(frame);
  const longer = new Uint8Array(frame.length + EMPTY_LAST_BLOCK.length);
  longer.set(frame.subarray(0, last.end));
  longer.set(EMPTY_LAST_BLOCK, last.end);
  longer.set(frame.subarray(last.end), last.end + EMPTY_LAST_BLOCK.length);
  longer[last.start] = byteAt(frame, last.start) & ~1;
  return longer;
}

type LastBlock = {
  readonly start: number;
  readonly end: number;
  /** No content of the frame is larger. */
  readonly contentBound: number;
};

function lastBlock(frame: Uint8Array): LastBlock {
  const descriptor = byteAt(frame, 4);
  const checksumBytes = descriptor & 4;
  let start = headerBytes(descriptor);
  let contentBound = 0;
  for (;;) {
    const first = byteAt(frame, start);
    const stated =
      (first >> 3) | (byteAt(frame, start + 1) << 5) | (byteAt(frame, start + 2) << 13);
    const type = (first >> 1) & 3;
    const end = start + 3 + (type === RLE ? 1 : stated);
    contentBound += type === COMPRESSED ? MAX_BLOCK_BYTES : stated;
    if ((first & 1) === 1) {
      if (end + checksumBytes !== frame.length)
        throw malformedData(WHAT, 'it is not a single frame');
      return { start, end, contentBound };
    }
    start = end;
  }
}

/** Size of the magic number, the descriptor, and the fields that the descriptor announces. */
function headerBytes(descriptor: number): number {
  const isSingleSegment = (descriptor & 0x20) !== 0;
  const sizeFlag = descriptor >> 6;
  const sizeBytes = sizeFlag === 0 && isSingleSegment ? 1 : CONTENT_SIZE_BYTES[sizeFlag];
  const windowBytes = isSingleSegment ? 0 : 1;
  return 5 + windowBytes + (DICTIONARY_ID_BYTES[descriptor & 3] ?? 0) + (sizeBytes ?? 0);
}

function byteAt(frame: Uint8Array, offset: number): number {
  const byte = frame[offset];
  if (byte === undefined) throw malformedData(WHAT, 'it is truncated');
  return byte;
}

class OutputBuffer extends Uint8Array {
  /** Position of the last uncompressed block. */
  end = 0;

  /** Subarrays are plain byte arrays. */
  static get [Symbol.species](): Uint8ArrayConstructor {
    return Uint8Array;
  }

  override set(bytes: ArrayLike<number>, offset = 0): void {
    this.end = offset;
    super.set(bytes, offset);
  }

  /**
   * The decoder compares the buffer with a number. Without this, the buffer would be converted to a string, which takes
   * longer than the decompression.
   */
  [Symbol.toPrimitive](): number {
    return Number.NaN;
  }
}
