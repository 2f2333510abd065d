import { type AccountCodec, bytesToHex, type Field, type Shape } from '@tidegate/core/base';
import type { FieldDifference } from './slot-proof.ts';

const MAX_DIFFERENCES = 20;

type Compared = {
  readonly codec: AccountCodec<Shape> | undefined;
  readonly expected: Uint8Array;
  readonly actual: Uint8Array;
};

/** The fields of an account that differ, in the order of their offsets. */
export function fieldDifferences({ codec, expected, actual }: Compared): FieldDifference[] {
  const fields = codec === undefined ? [] : leavesOf(codec.body, '', codec.size - codec.body.size);
  const found: FieldDifference[] = [];
  let at = 0;
  while (found.length < MAX_DIFFERENCES) {
    at = firstDifference(expected, actual, at);
    if (at === -1) break;
    const offset = at;
    const leaf = fields.find(({ start, field }) => offset >= start && offset < start + field.size);
    const range = leaf
      ? { ...leaf, size: leaf.field.size }
      : { field: undefined, start: offset, size: UNNAMED_BYTES };
    found.push({
      field: leaf?.path ?? 'bytes',
      offset,
      expected: valueText(range, expected),
      actual: valueText(range, actual),
    });
    at = range.start + range.size;
  }
  return found;
}

const UNNAMED_BYTES = 32;

/** -1 if there is none. */
function firstDifference(a: Uint8Array, b: Uint8Array, from: number): number {
  const length = Math.max(a.length, b.length);
  for (let i = from; i < length; i++) if (a[i] !== b[i]) return i;
  return -1;
}

type ByteRange = {
  readonly field: Field<unknown> | undefined;
  readonly start: number;
  readonly size: number;
};

type Leaf = { readonly path: string; readonly start: number; readonly field: Field<unknown> };

function leavesOf(field: Field<unknown>, path: string, start: number): Leaf[] {
  const { parts } = field;
  if (parts === undefined) return [{ path, start, field }];
  if (parts.kind === 'array') {
    return Array.from({ length: parts.count }, (_, i) =>
      leavesOf(parts.item, `${path}[${i}]`, start + i * parts.item.size),
    ).flat();
  }
  return Object.entries(parts.shape).flatMap(([name, part]) =>
    leavesOf(part, path === '' ? name : `${path}.${name}`, start + (parts.offsets[name] ?? 0)),
  );
}

function valueText({ field, start, size }: ByteRange, data: Uint8Array): string {
  const bytes = data.slice(start, start + size);
  if (bytes.length === 0) return 'nothing';
  if (field === undefined || bytes.length < size) return bytesToHex(bytes);
  try {
    const value = field.decode(new DataView(bytes.buffer), 0);
    return value instanceof Uint8Array ? bytesToHex(value) : String(value);
  } catch {
    // no value of the field
    return bytesToHex(bytes);
  }
}
