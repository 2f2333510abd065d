import { type Field, pubkey } from '../base/encoding/layout.ts';

export const WORD_BYTES = 8;

/** A struct within a struct from this size on is left out as a whole where it is zero. */
const OWN_BLOCK_BYTES = 64;

/** What is packed together, and costs one bit where all of it is zero. Offsets are of the account. */
export type PackingBlock = {
  readonly words: readonly number[];
  readonly keys: readonly number[];
};

type Parts = NonNullable<Field<unknown>['parts']>;
type StructParts = Extract<Parts, { kind: 'struct' }>;
type ArrayParts = Extract<Parts, { kind: 'array' }>;

type Layout = { readonly body: Field<unknown>; readonly start: number };

/**
 * The fields of an account as blocks, in order: each element of an array of structs is one, each array of
 * numbers, and each run of plain fields between them. Fields at `elsewhere` (their offsets) are kept by the caller.
 */
export function planPackingBlocks(
  { body, start }: Layout,
  elsewhere: readonly number[],
): PackingBlock[] {
  const blocks: { words: number[]; keys: number[] }[] = [];
  let open: { words: number[]; keys: number[] } | undefined;

  function ownBlock(field: Field<unknown>, offset: number): void {
    open = undefined;
    place(field, offset, true);
    open = undefined;
  }

  function place(field: Field<unknown>, offset: number, inBlock: boolean): void {
    const { parts } = field;
    if (parts === undefined) {
      leaf(field, offset);
    } else if (parts.kind === 'struct') {
      if (!inBlock && field.size >= OWN_BLOCK_BYTES) ownBlock(field, offset);
      else placeStruct(parts, offset);
    } else {
      placeArray(parts, offset);
    }
  }

  function placeStruct({ shape, offsets }: StructParts, offset: number): void {
    for (const [name, part] of Object.entries(shape)) {
      place(part, offset + (offsets[name] ?? 0), false);
    }
  }

  /** Numbers share a block, structs have one each. */
  function placeArray({ item, count }: ArrayParts, offset: number): void {
    open = undefined;
    for (let i = 0; i < count; i++) {
      if (item.parts === undefined) leaf(item, offset + i * item.size);
      else ownBlock(item, offset + i * item.size);
    }
    open = undefined;
  }

  function leaf(field: Field<unknown>, offset: number): void {
    if (elsewhere.includes(offset)) return;
    if (open === undefined) {
      open = { words: [], keys: [] };
      blocks.push(open);
    }
    if (field === pubkey) open.keys.push(offset);
    else addWords(open.words, offset, field.size);
  }

  place(body, start, true);
  return blocks;
}

/** The words that the bytes lie in; small fields share one. Keys start and end with a word in all layouts. */
function addWords(words: number[], offset: number, size: number): void {
  const last = words.at(-1) ?? -WORD_BYTES;
  for (let at = offset - (offset % WORD_BYTES); at < offset + size; at += WORD_BYTES) {
    if (at > last) words.push(at);
  }
}
