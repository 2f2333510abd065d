import fc from 'fast-check';
import { expect, test } from 'vitest';
import { catchError } from '../../../../../../test/support/errors/catch-error.ts';
import { assertProperty } from '../../../../../../test/support/properties/assert-property.ts';
import { ProtobufReader } from './protobuf-reader.ts';

function readerOf(...bytes: number[]): ProtobufReader {
  const reader = new ProtobufReader(Uint8Array.of(...bytes));
  reader.next();
  return reader;
}

test('reads numbers of one, five and ten bytes', () => {
  expect(readerOf(0x08, 0x01).readUint64()).toBe(1n);
  expect(readerOf(0x08, 0xff, 0xff, 0xff, 0xff, 0x0f).readUint32()).toBe(4_294_967_295);
  const largest = [0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01];
  expect(readerOf(0x08, ...largest).readUint64()).toBe(18_446_744_073_709_551_615n);
  expect(readerOf(0x08, ...largest).readInt64()).toBe(-1n);
});

test('reads repeated numbers, packed and single', () => {
  expect(readerOf(0x1a, 0x03, 0x01, 0xac, 0x02).readUint64s()).toEqual([1n, 300n]);
  expect(readerOf(0x18, 0xac, 0x02).readUint64s()).toEqual([300n]);
});

test('skips unknown fields of every type', () => {
  const unknown = [
    ...[0x08, 0x96, 0x01],
    ...[0x11, 1, 2, 3, 4, 5, 6, 7, 8],
    ...[0x1a, 0x02, 9, 9],
    ...[0x25, 1, 2, 3, 4],
  ];
  const reader = new ProtobufReader(Uint8Array.of(...unknown, 0x2a, 0x01, 0x61));
  const fields: number[] = [];
  let text = '';
  while (reader.next()) {
    fields.push(reader.field);
    if (reader.field === 5) text = reader.readText();
  }
  expect(fields).toEqual([1, 2, 3, 4, 5]);
  expect(text).toBe('a');
});

test.each<[string, readonly number[]]>([
  ['a truncated number', [0x08, 0x80]],
  ['a truncated tag', [0x80]],
  ['a length beyond the end', [0x0a, 0x05, 1, 2]],
  ['a length of 2^63', [0x0a, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x01]],
  ['a number of eleven bytes', [0x08, ...new Array(10).fill(0x80), 0x01]],
  ['a group', [0x0b, 0x0c]],
  ['a field with the number 0', [0x00, 0x01]],
  ['a truncated fixed number', [0x0d, 1, 2]],
])('%s is malformed', async (_, bytes) => {
  const read = async () => {
    const reader = new ProtobufReader(Uint8Array.from(bytes));
    while (reader.next());
  };
  expect((await catchError(read()))?.code).toBe('MALFORMED_DATA');
});

test('a value of another type is malformed', async () => {
  const read = async () => readerOf(0x08, 0x01).readBytes();
  expect((await catchError(read()))?.code).toBe('MALFORMED_DATA');
});

test('property: any bytes are read to the end or are malformed', () => {
  assertProperty(
    fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
      const reader = new ProtobufReader(bytes);
      let fields = 0;
      try {
        while (reader.next()) fields++;
      } catch (error) {
        expect(error).toMatchObject({ code: 'MALFORMED_DATA' });
      }
      expect(fields).toBeLessThanOrEqual(bytes.length);
    }),
    100,
  );
});
