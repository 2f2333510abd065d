import { type Field, pubkey } from '../base/encoding/layout.ts';

export const WORD_BYTES = 8;

/** A nested struct of at least this size has its own block, which is omitted if it is zero. */
const OWN_BLOCK_BYTES = 64;

/**
 * Fields packed together; an all-zero block costs one bit. Offsets are from the start of the
 * account.
 */
export type PackingBlock = {
  readonly words: readonly number[];
  readonly keys: readonly number[];
};

type Parts = NonNullable<Field<unknown>['parts']>;
type StructParts = Extract<Parts, { kind: 'struct' }>;
type ArrayParts = Extract<Parts, { kind: 'array' }>;

type Layout = { readonly body: Field<unknown>; readonly start: number };

/**
 * Splits an account into blocks, in order: each element of a struct array, each number array, and
 * each run of plain fields between them. Omits the fields at the offsets `excluded`.
 */
export function planPackingBlocks(
  { body, start }: Layout,
  excluded: readonly number[],
): PackingBlock[] {
  const blocks: { words: number[]; keys: number[] }[] = [];
  let open: { words: number[]; keys: number[] } | undefined;

  function visitOwnBlock(field: Field<unknown>, offset: number): void {
    open = undefined;
    visit(field, offset, true);
    open = undefined;
  }

  function visit(field: Field<unknown>, offset: number, inBlock: boolean): void {
    const { parts } = field;
    if (parts === undefined) {
      visitLeaf(field, offset);
    } else if (parts.kind === 'struct') {
      if (!inBlock && field.size >= OWN_BLOCK_BYTES) visitOwnBlock(field, offset);
      else visitStruct(parts, offset);
    } else {
      visitArray(parts, offset);
    }
  }

  function visitStruct({ shape, offsets }: StructParts, offset: number): void {
    for (const [name, part] of Object.entries(shape)) {
      visit(part, offset + (offsets[name] ?? 0), false);
    }
  }

  /** Numbers share a block; each struct has its own. */
  function visitArray({ item, count }: ArrayParts, offset: number): void {
    open = undefined;
    for (let i = 0; i < count; i++) {
      if (item.parts === undefined) visitLeaf(item, offset + i * item.size);
      else visitOwnBlock(item, offset + i * item.size);
    }
    open = undefined;
  }

  function visitLeaf(field: Field<unknown>, offset: number): void {
    if (excluded.includes(offset)) return;
    if (open === undefined) {
      open = { words: [], keys: [] };
      blocks.push(open);
    }
    if (field === pubkey) open.keys.push(offset);
    else addWords(open.words, offset, field.size);
  }

  visit(body, start, true);
  return blocks;
}

/**
 * The words that contain the bytes; small fields share one. Keys are word-aligned in all layouts.
 */
function addWords(words: number[], offset: number, size: number): void {
  const last = words.at(-1) ?? -WORD_BYTES;
  for (let at = offset - (offset % WORD_BYTES); at < offset + size; at += WORD_BYTES) {
    if (at > last) words.push(at);
  }
}
