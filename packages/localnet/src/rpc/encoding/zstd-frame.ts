import { concatBytes } from '@tidegate/core/base';

/** 0xFD2FB528, low byte first. */
const MAGIC = Uint8Array.of(0x28, 0xb5, 0x2f, 0xfd);
/** One segment: the window is the content, whose size is in the frame's head. */
const SINGLE_SEGMENT = 0x20;
const MAX_BLOCK = 128 * 1024;
const RAW = 0;
const REPEATED = 1;
/** A run costs a head of its own and one for what follows. */
const SHORTEST_RUN = 16;

type Block = { readonly start: number; readonly end: number; readonly isRun: boolean };

/**
 * A valid zstd frame whose blocks are stored as they are or as one byte and a count. Accounts are mostly zeros, so
 * that already makes them a fraction of their size.
 */
export function encodeZstdFrame(content: Uint8Array): Uint8Array {
  const blocks = splitRuns(content).flatMap(cutToBlocks);
  const parts = blocks.map((block, i) => encodeBlock(content, block, i === blocks.length - 1));
  return concatBytes([MAGIC, encodeSize(content.length), ...parts]);
}

/** Never empty: a frame has a last block. */
function splitRuns(content: Uint8Array): Block[] {
  const blocks: Block[] = [];
  let start = 0;
  for (let at = 0; at < content.length; ) {
    let end = at + 1;
    while (end < content.length && content[end] === content[at]) end++;
    if (end - at >= SHORTEST_RUN) {
      if (at > start) blocks.push({ start, end: at, isRun: false });
      blocks.push({ start: at, end, isRun: true });
      start = end;
    }
    at = end;
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

/** The head has 24 bits: whether it is the last, its type in two, its size. */
function encodeBlock(content: Uint8Array, block: Block, isLast: boolean): Uint8Array {
  const { start, end, isRun } = block;
  const head = ((end - start) << 3) | ((isRun ? REPEATED : RAW) << 1) | (isLast ? 1 : 0);
  const body = content.subarray(start, isRun ? start + 1 : end);
  return concatBytes([Uint8Array.of(head, head >> 8, head >> 16), body]);
}

/** The descriptor says in how many bytes the size follows; in two it is less 256. */
function encodeSize(size: number): Uint8Array {
  if (size < 256) return Uint8Array.of(SINGLE_SEGMENT, size);
  if (size < 256 + 65_536) {
    const rest = size - 256;
    return Uint8Array.of(SINGLE_SEGMENT | 0x40, rest, rest >> 8);
  }
  return Uint8Array.of(SINGLE_SEGMENT | 0x80, size, size >> 8, size >> 16, size >>> 24);
}
