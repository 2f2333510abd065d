import fc from 'fast-check';
import { decompress } from 'fzstd';
import { expect, test } from 'vitest';
import { goldenCluster } from '../../../../../test/support/golden/golden.ts';
import { assertProperty } from '../../../../../test/support/properties/assert-property.ts';
import { seededBytes, seeds } from '../../../../../test/support/random/seeded-bytes.ts';
import { encodeZstdFrame } from './zstd-frame.ts';

const survivesRoundTrip = (content: Uint8Array) =>
  Buffer.compare(decompress(encodeZstdFrame(content)), content) === 0;

test('empty content, one byte and a run give known frames', () => {
  expect(Buffer.from(encodeZstdFrame(new Uint8Array())).toString('hex')).toBe('28b52ffd2000010000');
  expect(Buffer.from(encodeZstdFrame(Uint8Array.of(7))).toString('hex')).toBe(
    '28b52ffd200109000007',
  );
  // The last block: type 1, 16 times the byte 9.
  const run = encodeZstdFrame(new Uint8Array(16).fill(9));
  expect(Buffer.from(run).toString('hex')).toBe('28b52ffd201083000009');
});

test.each([0, 1, 15, 16, 17, 255, 256, 257, 65_791, 65_792, 131_071, 131_072, 131_073, 400_000])(
  '%i bytes of zeros or noise survive a round trip',
  (size) => {
    expect(survivesRoundTrip(new Uint8Array(size))).toBe(true);
    expect(survivesRoundTrip(seededBytes(size + 1, size))).toBe(true);
  },
);

test('every golden account survives a round trip, and together they shrink', () => {
  const accounts = [...goldenCluster().accounts.values()];
  let before = 0;
  let after = 0;
  for (const { data } of accounts) {
    expect(survivesRoundTrip(data)).toBe(true);
    before += data.length;
    after += encodeZstdFrame(data).length;
  }
  expect(after).toBeLessThan(before / 3);
});

test('property: runs between noise survive a round trip', () => {
  const parts = fc.array(fc.tuple(seeds, fc.nat(300), fc.nat(300)), { maxLength: 8 });
  assertProperty(
    fc.property(parts, (entries) => {
      const bytes = entries.flatMap(([seed, noise, run]) => [
        ...seededBytes(seed, noise),
        ...new Uint8Array(run).fill(seed),
      ]);
      expect(survivesRoundTrip(Uint8Array.from(bytes))).toBe(true);
    }),
    100,
  );
});
