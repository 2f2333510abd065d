import { bytesEqual } from '#core/base/encoding/bytes.ts';
import type { Field } from '#core/base/encoding/layout.ts';

/** The paths at which two values of a field differ. Both can be views. */
export function fieldDifferences(field: Field<unknown>, [a, b]: Pair, path = ''): string[] {
  const { parts } = field;
  if (parts === undefined) return sameLeaf(a, b) ? [] : [path];
  if (parts.kind === 'struct') {
    return Object.entries(parts.shape).flatMap(([name, part]) =>
      fieldDifferences(part, [memberOf(a, name), memberOf(b, name)], `${path}.${name}`),
    );
  }
  const [left, right] = [itemsOf(a), itemsOf(b)];
  if (left.length !== parts.count || right.length !== parts.count) return [`${path}.length`];
  return left.flatMap((item, i) => fieldDifferences(parts.item, [item, right[i]], `${path}[${i}]`));
}

type Pair = readonly [unknown, unknown];

function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}

function itemsOf(value: unknown): unknown[] {
  const isIterable = typeof value === 'object' && value !== null && Symbol.iterator in value;
  return isIterable ? Array.from(value as Iterable<unknown>) : [];
}

function sameLeaf(a: unknown, b: unknown): boolean {
  if (a instanceof Uint8Array && b instanceof Uint8Array) return bytesEqual(a, b);
  return a === b && typeof a !== 'object' && a !== undefined;
}
