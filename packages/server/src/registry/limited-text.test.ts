import { Readable } from 'node:stream';
import { brotliCompressSync, createBrotliDecompress, createGunzip, gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { readLimitedText } from './limited-text.ts';

const KIB = 1024;

test('a text up to the limit is read, and characters may span chunks', async () => {
  const bytes = Buffer.from('a€b');
  const parts = [...bytes].map((byte) => Buffer.of(byte));
  expect(await readLimitedText(Readable.from(parts), bytes.length)).toBe('a€b');
});

test('one byte more than the limit is an error, and the rest is not read', async () => {
  let pulled = 0;
  async function* endless() {
    for (;;) {
      pulled += 1;
      yield Buffer.alloc(KIB);
    }
  }
  const body = Readable.from(endless(), { highWaterMark: 1 });
  await expect(readLimitedText(body, 4 * KIB)).rejects.toThrow('larger than 4096 bytes');
  expect(pulled).toBeLessThan(10);
  expect(body.destroyed).toBe(true);
});

const zeros = Buffer.alloc(8 * KIB * KIB);

test.each([
  ['gzip', gzipSync(zeros), createGunzip()],
  ['brotli', brotliCompressSync(zeros), createBrotliDecompress()],
] as const)('a bomb in %s is decompressed up to the limit only', async (_, bomb, decoder) => {
  expect(bomb.length).toBeLessThan(10 * KIB);
  await expect(readLimitedText(Readable.from([bomb]).pipe(decoder), KIB * KIB)).rejects.toThrow(
    'larger than 1048576 bytes',
  );
  expect(decoder.bytesWritten).toBeLessThanOrEqual(bomb.length);
});
