import fc from 'fast-check';
import { expect, test } from 'vitest';
import { catchError } from '../../../../../test/support/errors/catch-error.ts';
import { assertProperty } from '../../../../../test/support/properties/assert-property.ts';
import { decompressZstdFrame } from './zstd-frame.ts';

const MAGIC = [0x28, 0xb5, 0x2f, 0xfd];
const [RAW, RLE] = [0, 1];

const block = (kind: number, size: number, isLast: boolean): number[] => {
  const header = (size << 3) | (kind << 1) | (isLast ? 1 : 0);
  return [header & 255, (header >> 8) & 255, (header >> 16) & 255];
};

/** A part of the content: literal bytes, or one repeated byte. */
type Part = { readonly repeat: number; readonly bytes: readonly number[] };
const contentOf = (parts: readonly Part[]): number[] =>
  parts.flatMap(({ repeat, bytes: [first = 0, ...rest] }) =>
    repeat > 1 ? new Array<number>(repeat).fill(first) : [first, ...rest],
  );

/** A header with a window of 128 KB, then blocks. */
function frameOf(parts: readonly Part[], hasChecksum = false): Uint8Array {
  const blocks = parts.flatMap(({ repeat, bytes }, index) => {
    const isLast = index === parts.length - 1;
    return repeat > 1
      ? [...block(RLE, repeat, isLast), bytes[0] ?? 0]
      : [...block(RAW, bytes.length, isLast), ...bytes];
  });
  const head = [...MAGIC, hasChecksum ? 4 : 0, 0x38];
  return Uint8Array.from([...head, ...blocks, ...(hasChecksum ? [9, 9, 9, 9] : [])]);
}

const parts = fc.array(
  fc.record({
    repeat: fc.integer({ min: 1, max: 50 }),
    bytes: fc.array(fc.integer({ min: 0, max: 255 }), { minLength: 1, maxLength: 40 }),
  }),
  { minLength: 1, maxLength: 6 },
);

test('property: a frame decompresses with its exact size and fails with any other', () => {
  assertProperty(
    fc.property(
      parts,
      fc.boolean(),
      fc.integer({ min: -20, max: 20 }),
      (input, checksum, difference) => {
        const content = contentOf(input);
        const frame = frameOf(input, checksum);
        expect([...decompressZstdFrame(frame, content.length)]).toEqual(content);
        const other = content.length + difference;
        if (difference === 0 || other < 0) return;
        expect(() => decompressZstdFrame(frame, other)).toThrow();
      },
    ),
    100,
  );
});

test('an empty frame decompresses to no bytes', () => {
  const frame = frameOf([{ repeat: 1, bytes: [] }]);
  expect(decompressZstdFrame(frame, 0)).toEqual(new Uint8Array());
});

/** The content size in the header: two bytes plus 256, or one byte of a single segment. */
test.each([
  ['a two-byte size and a window', [0x40, 0x38, 0, 0], 256],
  ['a single segment and a one-byte size', [0x20, 200], 200],
  ['a four-byte size and the id of no dictionary', [0x81, 0x38, 0, 200, 0, 0, 0], 200],
])('a header with %s is skipped', (_, header, size) => {
  const content = Array.from({ length: size }, (_, index) => index & 255);
  const frame = Uint8Array.from([...MAGIC, ...header, ...block(RAW, size, true), ...content]);
  expect([...decompressZstdFrame(frame, size)]).toEqual(content);
});

const twentyBytes = frameOf([
  { repeat: 1, bytes: Array.from({ length: 20 }, (_, index) => index) },
]);

test.each([
  ['nothing', new Uint8Array()],
  ['a truncated frame', twentyBytes.subarray(0, -3)],
  ['a frame truncated within a header', twentyBytes.subarray(0, 8)],
  ['two frames', Uint8Array.from([...twentyBytes, ...twentyBytes])],
  ['a frame with trailing bytes', Uint8Array.from([...twentyBytes, 0])],
])('%s is malformed', (_, frame) => {
  expect(catchError(() => decompressZstdFrame(frame, 20))?.code).toBe('MALFORMED_DATA');
});
