import { constants, crc32, deflateRawSync, inflateRawSync } from 'node:zlib';

/**
 * A text that was compressed on its own: raw deflate blocks, none of them the last one, that end on a full byte. Several
 * in a row are one compressed text.
 */
export type DeflatedText = {
  readonly blocks: Buffer;
  /** Of the text, in bytes. */
  readonly length: number;
  readonly crc: number;
};

/** Half the time of the default level, for JSON that is 4 % larger. */
const LEVEL = 3;

export const deflateText = (text: Buffer): DeflatedText => ({
  blocks: deflateRawSync(text, { level: LEVEL, finishFlush: constants.Z_FULL_FLUSH }),
  length: text.length,
  crc: crc32(text),
});

export const inflateText = ({ blocks }: DeflatedText): Buffer =>
  inflateRawSync(blocks, { finishFlush: constants.Z_SYNC_FLUSH });

/** An empty block that is the last one (RFC 1951). */
export const LAST_BLOCK = Buffer.from([3, 0]);

/** The text of several deflated texts in a row; `length` is that of the text. */
export const inflateAll = (blocks: readonly Buffer[], length: number): Buffer =>
  inflateRawSync(Buffer.concat([...blocks, LAST_BLOCK]), {
    // one buffer instead of many that are joined; if it were full, zlib would allocate a second one
    chunkSize: Math.max(length + 1, constants.Z_MIN_CHUNK),
  });
