import fc from 'fast-check';
import { expect, test } from 'vitest';
import { assertProperty } from '../../../../../test/support/properties/assert-property.ts';
import { fewestShares } from './fewest-shares.ts';

const u64 = fc.bigInt(1n, (1n << 64n) - 1n);

/** What a vault pays: a price, from a fewest number of shares on, up to what is there. */
type Payout = {
  readonly price: readonly [tokens: bigint, shares: bigint];
  readonly penalty: bigint;
  readonly minimum: bigint;
  readonly available: bigint;
};

const payouts: fc.Arbitrary<Payout> = fc.record({
  price: fc.tuple(fc.bigInt(1n, 1n << 40n), fc.bigInt(1n, 1n << 40n)),
  penalty: fc.oneof(fc.constant(0n), fc.bigInt(0n, 1n << 30n)),
  minimum: fc.oneof(fc.constant(0n), u64),
  available: fc.oneof(fc.constant(1n << 128n), u64),
});

function payoutOf({ price: [tokens, per], penalty, minimum, available }: Payout, shares: bigint) {
  const worth = (shares * tokens) / per - penalty;
  if (shares < minimum || worth < 0n) return 0n;
  return worth < available ? worth : available;
}

test('property: they pay enough, and one less does not', () => {
  assertProperty(
    fc.property(payouts, u64, u64, (payout, tokens, total) => {
      const pays = (shares: bigint) => payoutOf(payout, shares) >= tokens;
      const found = fewestShares(tokens, total, (shares) => {
        expect(shares).toBeGreaterThan(0n);
        expect(shares).toBeLessThanOrEqual(total);
        return payoutOf(payout, shares);
      });
      expect(found !== undefined).toBe(pays(total));
      if (found === undefined) return;
      expect(pays(found)).toBe(true);
      expect(found === 1n || !pays(found - 1n)).toBe(true);
    }),
    2000,
  );
});

test('property: a payout in proportion is computed a few times only, whatever the price', () => {
  const side = fc.bigInt(1_000_000n, 4_000_000n);
  assertProperty(
    fc.property(fc.tuple(side, side), fc.bigInt(1_000n, 1n << 50n), (price, tokens) => {
      const payout = { price, penalty: 0n, minimum: 0n, available: 1n << 128n };
      let calls = 0;
      fewestShares(tokens, 1n << 64n, (shares) => {
        calls += 1;
        return payoutOf(payout, shares);
      });
      expect(calls).toBeLessThanOrEqual(16);
    }),
    1000,
  );
});

test('an amount just above what the vault has is refused after few computations', () => {
  const tokens = 1_000_000_000_000n;
  const payout = { price: [1n, 1n], penalty: 0n, minimum: 0n, available: tokens - 1n } as const;
  let calls = 0;
  const found = fewestShares(tokens, 1n << 62n, (shares) => {
    calls += 1;
    return payoutOf(payout, shares);
  });
  expect(found).toBeUndefined();
  expect(calls).toBeLessThanOrEqual(32);
});
