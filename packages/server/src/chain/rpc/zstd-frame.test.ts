import fc from 'fast-check';
import { expect, test } from 'vitest';
import { catchError } from '../../../../../test/support/errors/catch-error.ts';
import { decompressZstdFrame } from './zstd-frame.ts';

const MAGIC = [0x28, 0xb5, 0x2f, 0xfd];
const [RAW, RLE] = [0, 1];

const block = (kind: number, size: number, isLast: boolean): number[] => {
  const header = (size << 3) | (kind << 1) | (isLast ? 1 : 0);
  return [header & 255, (header >> 8) & 255, (header >> 16) & 255];
};

/** A piece of the content, as it stands or as one byte that repeats. */
type Piece = { readonly repeat: number; readonly bytes: readonly number[] };
const contentOf = (pieces: readonly Piece[]): number[] =>
  pieces.flatMap(({ repeat, bytes: [first = 0, ...rest] }) =>
    repeat > 1 ? new Array<number>(repeat).fill(first) : [first, ...rest],
  );

/** Descriptor and header for a window of 128 KB, then blocks as the specification has them. */
function frameOf(pieces: readonly Piece[], hasChecksum = false): Uint8Array {
  const blocks = pieces.flatMap(({ repeat, bytes }, index) => {
    const isLast = index === pieces.length - 1;
    return repeat > 1
      ? [...block(RLE, repeat, isLast), bytes[0] ?? 0]
      : [...block(RAW, bytes.length, isLast), ...bytes];
  });
  const head = [...MAGIC, hasChecksum ? 4 : 0, 0x38];
  return Uint8Array.from([...head, ...blocks, ...(hasChecksum ? [9, 9, 9, 9] : [])]);
}

const pieces = fc.array(
  fc.record({
    repeat: fc.integer({ min: 1, max: 50 }),
    bytes: fc.array(fc.integer({ min: 0, max: 255 }), { minLength: 1, maxLength: 40 }),
  }),
  { minLength: 1, maxLength: 6 },
);

test('property: a frame gives its content when its size is stated, and nothing for any other', () => {
  fc.assert(
    fc.property(pieces, fc.boolean(), fc.integer({ min: -20, max: 20 }), (made, checksum, off) => {
      const content = contentOf(made);
      const frame = frameOf(made, checksum);
      expect([...decompressZstdFrame(frame, content.length)]).toEqual(content);
      const other = content.length + off;
      if (off === 0 || other < 0) return;
      expect(() => decompressZstdFrame(frame, other)).toThrow();
    }),
  );
});

test('an empty frame is an account without bytes', () => {
  const frame = frameOf([{ repeat: 1, bytes: [] }]);
  expect(decompressZstdFrame(frame, 0)).toEqual(new Uint8Array());
});

/** 256 bytes and their size in the header: two bytes that start at 256, or one segment with one. */
test.each([
  ['two bytes of size and a window', [0x40, 0x38, 0, 0], 256],
  ['one segment with one byte of size', [0x20, 200], 200],
  ['four bytes of size and one of a dictionary that is none', [0x81, 0x38, 0, 200, 0, 0, 0], 200],
])('a header with %s is passed over', (_, header, size) => {
  const content = Array.from({ length: size }, (_, index) => index & 255);
  const frame = Uint8Array.from([...MAGIC, ...header, ...block(RAW, size, true), ...content]);
  expect([...decompressZstdFrame(frame, size)]).toEqual(content);
});

const twenty = frameOf([{ repeat: 1, bytes: Array.from({ length: 20 }, (_, index) => index) }]);

test.each([
  ['nothing', new Uint8Array()],
  ['a frame without its last bytes', twenty.subarray(0, -3)],
  ['a frame that ends in a header', twenty.subarray(0, 8)],
  ['two frames', Uint8Array.from([...twenty, ...twenty])],
  ['a frame with bytes behind it', Uint8Array.from([...twenty, 0])],
])('%s is malformed', (_, frame) => {
  expect(catchError(() => decompressZstdFrame(frame, 20))?.code).toBe('MALFORMED_DATA');
});
