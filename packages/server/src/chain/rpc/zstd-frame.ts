import { decompress } from 'fzstd';
import { malformedData } from './response-values.ts';

const WHAT = 'data of an account';
const RLE = 1;
const DICTIONARY_ID_BYTES = [0, 1, 2, 4];
const CONTENT_SIZE_BYTES = [0, 2, 4, 8];
/** A last block of no bytes. */
const EMPTY_LAST_BLOCK = [1, 0, 0];

/**
 * Exactly `size` bytes out of a zstd frame. Frames of a node do not say their size, and without one the decoder
 * sets aside the whole window, two megabytes for each account. Given the room, it neither tells nor minds how
 * much of it was written: so the frame gets an empty block more, which is written where the others ended.
 */
export function decompressZstdFrame(frame: Uint8Array, size: number): Uint8Array {
  const room = new Room(size);
  decompress(withEmptyBlock(frame), room);
  if (room.end !== size) throw malformedData(WHAT, `it unpacks to another size than ${size}`);
  return new Uint8Array(room.buffer);
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

function lastBlock(frame: Uint8Array): { readonly start: number; readonly end: number } {
  const descriptor = byteAt(frame, 4);
  const checksumBytes = descriptor & 4;
  let start = headerBytes(descriptor);
  for (;;) {
    const first = byteAt(frame, start);
    const stated =
      (first >> 3) | (byteAt(frame, start + 1) << 5) | (byteAt(frame, start + 2) << 13);
    const end = start + 3 + (((first >> 1) & 3) === RLE ? 1 : stated);
    if ((first & 1) === 1) {
      if (end + checksumBytes !== frame.length) throw malformedData(WHAT, 'it is not one frame');
      return { start, end };
    }
    start = end;
  }
}

/** The magic number, the descriptor, then what the descriptor announces. */
function headerBytes(descriptor: number): number {
  const isSingleSegment = (descriptor & 0x20) !== 0;
  const sizeFlag = descriptor >> 6;
  const sizeBytes = sizeFlag === 0 && isSingleSegment ? 1 : CONTENT_SIZE_BYTES[sizeFlag];
  const windowBytes = isSingleSegment ? 0 : 1;
  return 5 + windowBytes + (DICTIONARY_ID_BYTES[descriptor & 3] ?? 0) + (sizeBytes ?? 0);
}

function byteAt(frame: Uint8Array, offset: number): number {
  const byte = frame[offset];
  if (byte === undefined) throw malformedData(WHAT, 'it ends too early');
  return byte;
}

class Room extends Uint8Array {
  /** Where the newest uncompressed block was written. */
  end = 0;

  /** Parts of it are plain bytes. */
  static get [Symbol.species](): Uint8ArrayConstructor {
    return Uint8Array;
  }

  override set(bytes: ArrayLike<number>, offset = 0): void {
    this.end = offset;
    super.set(bytes, offset);
  }

  /**
   * The decoder compares the room with a number, for which an array of bytes would become one long text: that
   * took longer than all of its decoding.
   */
  [Symbol.toPrimitive](): number {
    return Number.NaN;
  }
}
