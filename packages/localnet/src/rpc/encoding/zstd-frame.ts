import { concatBytes } from '@tidegate/core/base';

/** 0xFD2FB528, little-endian. */
const MAGIC = Uint8Array.of(0x28, 0xb5, 0x2f, 0xfd);
/** Single segment: the header has the content size, and the window equals the content. */
const SINGLE_SEGMENT = 0x20;
const MAX_BLOCK = 128 * 1024;
const RAW = 0;
const REPEATED = 1;
/** A run needs a block header, and so does the data after it. */
const MIN_RUN = 16;

type Block = { readonly start: number; readonly end: number; readonly isRun: boolean };

/**
 * Encodes a valid zstd frame with raw and run-length blocks only. Account data is mostly zeros, so
 * this already saves most of the size.
 */
export function encodeZstdFrame(content: Uint8Array): Uint8Array {
  const blocks = splitRuns(content).flatMap(cutToBlocks);
  const parts = blocks.map((block, i) => encodeBlock(content, block, i === blocks.length - 1));
  return concatBytes([MAGIC, encodeSize(content.length), ...parts]);
}

/** Never empty: a frame needs a last block. */
function splitRuns(content: Uint8Array): Block[] {
  const blocks: Block[] = [];
  let start = 0;
  for (let offset = 0; offset < content.length; ) {
    let end = offset + 1;
    while (end < content.length && content[end] === content[offset]) end++;
    if (end - offset >= MIN_RUN) {
      if (offset > start) blocks.push({ start, end: offset, isRun: false });
      blocks.push({ start: offset, end, isRun: true });
      start = end;
    }
    offset = end;
  }
  if (start < content.length || blocks.length === 0) {
    blocks.push({ start, end: content.length, isRun: false });
  }
  return blocks;
}

function cutToBlocks({ start, end, isRun }: Block): Block[] {
  const count = Math.max(1, Math.ceil((end - start) / MAX_BLOCK));
  return Array.from({ length: count }, (_, i) => ({
    start: start + i * MAX_BLOCK,
    end: Math.min(end, start + (i + 1) * MAX_BLOCK),
    isRun,
  }));
}

/** The 24-bit header: last flag, two bits of type, size. */
function encodeBlock(content: Uint8Array, block: Block, isLast: boolean): Uint8Array {
  const { start, end, isRun } = block;
  const header = ((end - start) << 3) | ((isRun ? REPEATED : RAW) << 1) | (isLast ? 1 : 0);
  const body = content.subarray(start, isRun ? start + 1 : end);
  return concatBytes([Uint8Array.of(header, header >> 8, header >> 16), body]);
}

/** The descriptor defines the size of the size field; two bytes store size minus 256. */
function encodeSize(size: number): Uint8Array {
  if (size < 256) return Uint8Array.of(SINGLE_SEGMENT, size);
  if (size < 256 + 65_536) {
    const rest = size - 256;
    return Uint8Array.of(SINGLE_SEGMENT | 0x40, rest, rest >> 8);
  }
  return Uint8Array.of(SINGLE_SEGMENT | 0x80, size, size >> 8, size >> 16, size >>> 24);
}
