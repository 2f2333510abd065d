import fc from 'fast-check';
import { decompress } from 'fzstd';
import { expect, test } from 'vitest';
import { goldenCluster } from '../../../../../test/support/golden/golden.ts';
import { seededBytes, seeds } from '../../../../../test/support/random/seeded-bytes.ts';
import { encodeZstdFrame } from './zstd-frame.ts';

const comesBack = (content: Uint8Array) =>
  Buffer.compare(decompress(encodeZstdFrame(content)), content) === 0;

test('nothing, one byte and a run are frames of known bytes', () => {
  expect(Buffer.from(encodeZstdFrame(new Uint8Array())).toString('hex')).toBe('28b52ffd2000010000');
  expect(Buffer.from(encodeZstdFrame(Uint8Array.of(7))).toString('hex')).toBe(
    '28b52ffd200109000007',
  );
  // the last block, of type 1, 16 times the byte 9
  const run = encodeZstdFrame(new Uint8Array(16).fill(9));
  expect(Buffer.from(run).toString('hex')).toBe('28b52ffd201083000009');
});

test.each([0, 1, 15, 16, 17, 255, 256, 257, 65_791, 65_792, 131_071, 131_072, 131_073, 400_000])(
  '%i bytes come back, zeros and noise alike',
  (size) => {
    expect(comesBack(new Uint8Array(size))).toBe(true);
    expect(comesBack(seededBytes(size + 1, size))).toBe(true);
  },
);

test('every golden account comes back, and they are smaller together', () => {
  const accounts = [...goldenCluster().accounts.values()];
  let before = 0;
  let after = 0;
  for (const { data } of accounts) {
    expect(comesBack(data)).toBe(true);
    before += data.length;
    after += encodeZstdFrame(data).length;
  }
  expect(after).toBeLessThan(before / 3);
});

test('property: runs between noise come back', () => {
  const parts = fc.array(fc.tuple(seeds, fc.nat(300), fc.nat(300)), { maxLength: 8 });
  fc.assert(
    fc.property(parts, (given) => {
      const bytes = given.flatMap(([seed, noise, run]) => [
        ...seededBytes(seed, noise),
        ...new Uint8Array(run).fill(seed),
      ]);
      expect(comesBack(Uint8Array.from(bytes))).toBe(true);
    }),
  );
});
