import { expect, test } from 'vitest';
import { bits, eachByte, flag, reserved, upTo } from './known-values.ts';
import { array, bytes, padding, struct, u8, u32, u64 } from './layout.ts';
import { createUnknownValueCheck } from './unknown-values.ts';

const entry = struct({ amount: u32, tail: padding(3), kind: upTo(u8, 2) });
const body = struct({
  mode: flag(u8),
  unused: reserved(u32),
  set: bits(u8, 5),
  entries: array(entry, 2),
  wide: upTo(u64, 2),
  tiers: eachByte(bytes(2), (tier) => tier === 0 || tier === 255),
  end: padding(9),
});
const START = 8;
const SIZE = START + body.size;
const check = createUnknownValueCheck({ body, start: START, size: SIZE });

const dataWith = (bytes: Readonly<Record<number, number>>, size = SIZE): Uint8Array => {
  const data = new Uint8Array(size);
  for (const [offset, byte] of Object.entries(bytes)) data[Number(offset)] = byte;
  return data;
};

test('an account of known values has no unknown one, also at an offset in a larger buffer', () => {
  const known = dataWith({ 0: 9, 8: 1, 13: 4, 14: 7, 21: 2, 30: 2, 39: 255 });
  expect(check(known)).toEqual([]);
  const buffer = new Uint8Array(SIZE + 6).fill(255);
  buffer.set(known, 3);
  expect(check(buffer.subarray(3, 3 + SIZE))).toEqual([]);
});

test('an unknown value has its field, its offset and its bytes', () => {
  const found = (offset: number, byte = 4) =>
    check(dataWith({ [offset]: byte })).map(({ code, field, offset: at, value }) => [
      code,
      field,
      at,
      value,
    ]);
  expect(found(8)).toEqual([['unknownValue', 'mode', 8, '04']]);
  expect(found(10)).toEqual([['unknownBytes', 'unused', 10, '040000']]);
  expect(found(13, 2)).toEqual([['unknownValue', 'set', 13, '02']]);
  expect(found(19)).toEqual([['unknownBytes', 'entries[0].tail', 19, '0400']]);
  expect(found(29)).toEqual([['unknownValue', 'entries[1].kind', 29, '04']]);
  expect(found(37)).toEqual([['unknownValue', 'wide', 30, '0000000000000004']]);
  expect(found(39)).toEqual([['unknownValue', 'tiers', 39, '04']]);
  expect(found(48)).toEqual([['unknownBytes', 'end', 48, '04']]);
});

test('bytes after the known fields must be zero', () => {
  expect(check(dataWith({}, SIZE + 40))).toEqual([]);
  expect(check(dataWith({ [SIZE + 33]: 1 }, SIZE + 40))).toEqual([
    { code: 'unknownBytes', field: 'appended', offset: SIZE + 33, value: '01000000000000' },
  ]);
});

test('a check can be limited to some fields', () => {
  const layout = { body, start: START, size: SIZE };
  const limited = createUnknownValueCheck({ ...layout, includes: (path) => path === 'mode' });
  const data = dataWith({ 8: 2, 10: 1, [SIZE]: 1 }, SIZE + 1);
  expect(limited(data).map(({ field }) => field)).toEqual(['mode']);
});
