import fc from 'fast-check';
import { expect, test } from 'vitest';
import { catchError } from '../../../../../test/support/errors/catch-error.ts';
import { assertProperty } from '../../../../../test/support/properties/assert-property.ts';
import { fieldDifferences } from '../../../../../test/support/protocol/field-differences.ts';
import { referenceEncode } from '../../../../../test/support/reference/reference-base58.ts';
import { ZERO_ADDRESS } from './address.ts';
import { bytesFromHex } from './bytes.ts';
import { isZero } from './field-bytes.ts';
import {
  array,
  bytes,
  type Field,
  i64,
  padding,
  pubkey,
  struct,
  u8,
  u16,
  u32,
  u64,
  u128,
  u256,
} from './layout.ts';

const viewOf = (data: Uint8Array) => new DataView(data.buffer, data.byteOffset, data.byteLength);

function encoded<Value>(field: Field<Value>, value: Value): Uint8Array {
  const data = new Uint8Array(field.size);
  field.encode(viewOf(data), 0, value);
  return data;
}

/** Decodes little-endian bytes one at a time. */
const unsigned = (data: Uint8Array) =>
  data.reduceRight((sum, byte) => sum * 256n + BigInt(byte), 0n);

const signed = (data: Uint8Array) => BigInt.asIntN(data.length * 8, unsigned(data));

const point = struct({ x: u16, y: i64 });

/** A struct with every field type, at odd offsets. */
const everything = struct({
  small: u8,
  u16,
  u32,
  u64,
  i64,
  u128,
  u256,
  key: pubkey,
  name: bytes(5),
  point,
  points: array(point, 3),
  grid: array(array(u16, 2), 2),
  keys: array(pubkey, 2),
  free: padding(7),
});

const SIZE = 1 + 2 + 4 + 8 + 8 + 16 + 32 + 32 + 5 + 10 + 30 + 8 + 64 + 7;
const anyBytes = fc.uint8Array({ minLength: SIZE, maxLength: SIZE });

test('fields are adjacent without alignment', () => {
  expect(everything.size).toBe(SIZE);
  expect(everything.offsets).toEqual({
    small: 0,
    u16: 1,
    u32: 3,
    u64: 7,
    i64: 15,
    u128: 23,
    u256: 39,
    key: 71,
    name: 103,
    point: 108,
    points: 118,
    grid: 148,
    keys: 156,
    free: 220,
  });
});

test('integers are little-endian', () => {
  const data = viewOf(Uint8Array.from({ length: 33 }, (_, i) => i));
  expect(u8.decode(data, 5)).toBe(5);
  expect(u16.decode(data, 1)).toBe(0x0201);
  expect(u32.decode(data, 1)).toBe(0x04030201);
  expect(u64.decode(data, 1)).toBe(0x0807060504030201n);
  expect(u128.decode(data, 1)).toBe(0x100f0e0d0c0b0a090807060504030201n);
  expect(u256.decode(data, 1)).toBe(
    0x201f1e1d1c1b1a191817161514131211100f0e0d0c0b0a090807060504030201n,
  );
  expect(i64.decode(viewOf(new Uint8Array(8).fill(255)), 0)).toBe(-1n);
  expect(u32.decode(viewOf(new Uint8Array(4).fill(255)), 0)).toBe(4_294_967_295);
});

test('property: decodes random bytes like the byte-wise reference', () => {
  assertProperty(
    fc.property(anyBytes, (data) => {
      const value = everything.decode(viewOf(data), 0);
      expect(value).toEqual({
        small: data[0],
        u16: Number(unsigned(data.slice(1, 3))),
        u32: Number(unsigned(data.slice(3, 7))),
        u64: unsigned(data.slice(7, 15)),
        i64: signed(data.slice(15, 23)),
        u128: unsigned(data.slice(23, 39)),
        u256: unsigned(data.slice(39, 71)),
        key: referenceEncode(data.slice(71, 103)),
        name: data.slice(103, 108),
        point: { x: Number(unsigned(data.slice(108, 110))), y: signed(data.slice(110, 118)) },
        points: [118, 128, 138].map((at) => ({
          x: Number(unsigned(data.slice(at, at + 2))),
          y: signed(data.slice(at + 2, at + 10)),
        })),
        grid: [148, 152].map((at) => [
          Number(unsigned(data.slice(at, at + 2))),
          Number(unsigned(data.slice(at + 2, at + 4))),
        ]),
        keys: [referenceEncode(data.slice(156, 188)), referenceEncode(data.slice(188, 220))],
        free: data.slice(220, 227),
      });
    }),
    100,
  );
});

test('property: decoding and encoding returns the same bytes at any offset', () => {
  assertProperty(
    fc.property(anyBytes, fc.nat(9), fc.nat(9), (data, before, offset) => {
      const source = new Uint8Array(before + offset + SIZE);
      source.set(data, before + offset);
      const value = everything.decode(viewOf(source.subarray(before)), offset);
      const target = new Uint8Array(before + offset + SIZE + 3).fill(0xaa);
      everything.encode(viewOf(target.subarray(before)), offset, value);
      expect(target.slice(before + offset, -3)).toEqual(data);
      const around = [...target.slice(0, before + offset), ...target.slice(-3)];
      expect(around.every((byte) => byte === 0xaa)).toBe(true);
    }),
    100,
  );
});

test('property: a view returns the same fields as decode', () => {
  assertProperty(
    fc.property(anyBytes, fc.nat(9), (data, offset) => {
      const source = new Uint8Array(offset + SIZE);
      source.set(data, offset);
      const pair = [
        everything.decode(viewOf(source), offset),
        everything.view(viewOf(source), offset),
      ] as const;
      expect(fieldDifferences(everything, pair)).toEqual([]);
    }),
    100,
  );
});

test('property: a view can be encoded like a decoded value', () => {
  const flat = struct({ amount: u64, owner: pubkey, point });
  assertProperty(
    fc.property(fc.uint8Array({ minLength: flat.size, maxLength: flat.size }), (data) => {
      expect(encoded(flat, flat.view(viewOf(data), 0))).toEqual(data);
    }),
    100,
  );
});

test('a decoded value does not change when its source bytes change', () => {
  const data = Uint8Array.from({ length: SIZE }, (_, i) => i);
  const value = everything.decode(viewOf(data), 0);
  const again = everything.decode(viewOf(data.slice()), 0);
  data.fill(0);
  expect(value).toEqual(again);
});

test('a decoded view is independent of its bytes, and a decoded value stays the same', () => {
  const data = Uint8Array.from({ length: SIZE + 3 }, (_, i) => i);
  const value = everything.decode(viewOf(data), 3);
  const decoded = everything.decodeView(everything.view(viewOf(data), 3));
  data.fill(0);
  expect(decoded).toEqual(value);
  expect(everything.decodeView(value)).toBe(value);
});

test('a view returns a copy of byte fields', () => {
  const data = Uint8Array.from({ length: SIZE }, (_, i) => i);
  const { name } = everything.view(viewOf(data), 0);
  name.fill(0);
  expect(data[103]).toBe(103);
});

test('a view reads the current bytes on each access', () => {
  const data = new Uint8Array(SIZE);
  const view = everything.view(viewOf(data), 0);
  data[0] = 7;
  expect(view.small).toBe(7);
});

test('only a key of zeros decodes to the zero address', () => {
  expect(pubkey.decode(viewOf(new Uint8Array(32)), 0)).toBe(ZERO_ADDRESS);
  for (let i = 0; i < 32; i++) {
    const data = new Uint8Array(32);
    data[i] = 1;
    expect(pubkey.decode(viewOf(data), 0)).toBe(referenceEncode(data));
  }
});

test('isZero checks every byte of any length', () => {
  for (let size = 0; size <= 40; size++) {
    const data = new Uint8Array(size + 2).fill(255);
    data.fill(0, 1, size + 1);
    expect(isZero(viewOf(data), 1, size)).toBe(true);
    for (let i = 0; i < size; i++) {
      data[1 + i] = 1;
      expect(isZero(viewOf(data), 1, size)).toBe(false);
      data[1 + i] = 0;
    }
  }
});

test('encodes the limits of every integer and rejects values beyond them', () => {
  const encodeErrorOf = <Value>(field: Field<Value>, value: Value) =>
    catchError(() => encoded(field, value))?.code;
  const widths = [
    { field: u64, low: 0n, high: 2n ** 64n - 1n },
    { field: i64, low: -(2n ** 63n), high: 2n ** 63n - 1n },
    { field: u128, low: 0n, high: 2n ** 128n - 1n },
    { field: u256, low: 0n, high: 2n ** 256n - 1n },
  ];
  for (const { field, low, high } of widths) {
    expect(field.decode(viewOf(encoded(field, low)), 0)).toBe(low);
    expect(field.decode(viewOf(encoded(field, high)), 0)).toBe(high);
    expect(encodeErrorOf(field, low - 1n)).toBe('MALFORMED_DATA');
    expect(encodeErrorOf(field, high + 1n)).toBe('MALFORMED_DATA');
    expect(encodeErrorOf(field, high * 1000n)).toBe('MALFORMED_DATA');
  }
  for (const [field, high] of [
    [u8, 255] as const,
    [u16, 65_535] as const,
    [u32, 4_294_967_295] as const,
  ]) {
    expect(field.decode(viewOf(encoded(field, high)), 0)).toBe(high);
    for (const value of [high + 1, -1, 0.5, Number.NaN, Number.POSITIVE_INFINITY]) {
      expect(encodeErrorOf(field, value)).toBe('MALFORMED_DATA');
    }
  }
});

test('rejects a wrong number of bytes or items', () => {
  for (const length of [0, 4, 6]) {
    expect(catchError(() => encoded(bytes(5), new Uint8Array(length)))?.code).toBe(
      'MALFORMED_DATA',
    );
    expect(catchError(() => encoded(array(u8, 5), Array<number>(length).fill(1)))?.code).toBe(
      'MALFORMED_DATA',
    );
  }
  expect(encoded(bytes(3), bytesFromHex('010203'))).toEqual(Uint8Array.of(1, 2, 3));
  expect(encoded(array(u16, 2), [1, 2])).toEqual(Uint8Array.of(1, 0, 2, 0));
});

test('at() returns undefined beyond the last element of a view', () => {
  const view = array(u8, 3).view(viewOf(Uint8Array.of(9, 10, 11, 12, 13)), 1);
  expect(view.length).toBe(3);
  expect([...view]).toEqual([10, 11, 12]);
  expect([0, 1, 2, 3, 4, 1000].map((index) => view.at(index))).toEqual([
    10,
    11,
    12,
    undefined,
    undefined,
    undefined,
  ]);
});

test('property: at() of a view behaves like that of an array', () => {
  const field = array(u8, 4);
  const source = viewOf(Uint8Array.of(99, 10, 11, 12, 13, 99));
  const indexes = fc.oneof(fc.integer({ min: -7, max: 7 }), fc.double());
  assertProperty(
    fc.property(indexes, (index) => {
      expect(field.view(source, 1).at(index)).toBe(field.decode(source, 1).at(index));
    }),
    100,
  );
});
