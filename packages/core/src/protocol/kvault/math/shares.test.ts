import fc from 'fast-check';
import { expect, test } from 'vitest';
import { catchError, programErrorName } from '../../../../../../test/support/errors/catch-error.ts';
import { assertProperty } from '../../../../../../test/support/properties/assert-property.ts';
import { formatRatio } from '../../../base/numbers/decimal.ts';
import { U64_MAX } from '../../../base/numbers/lamports.ts';
import { sfFromBits, sfFromInt } from '../../../base/numbers/scaled-fraction.ts';
import {
  sharePrice,
  sharesToBurn,
  sharesToMint,
  tokensForShares,
  tokensPerShare,
  worthOfShares,
} from './shares.ts';

/** 7784489.288687550 lamports after fees for nine million shares. */
const pool = { aum: sfFromBits(8_974_905_103_309_533_767_900_964n), sharesIssued: 9_000_000n };

test('a deposit of 1500000 buys 1734217 shares, which cost the full amount', () => {
  expect(sharesToMint(pool, 1_500_000n)).toBe(1_734_217n);
  expect(tokensForShares(pool, 1_734_217n)).toBe(1_500_000n);
});

test('mints shares against the AUM rounded up', () => {
  // 3 * 10 / 4 = 7, but 3 * 10 / 3.5 would be 8
  const half = { aum: sfFromBits((7n << 60n) / 2n), sharesIssued: 3n };
  expect(sharesToMint(half, 10n)).toBe(7n);
});

test('the first shares cost one lamport each, whatever the AUM', () => {
  const empty = { aum: sfFromInt(55n), sharesIssued: 0n };
  expect(sharesToMint(empty, 123n)).toBe(123n);
  expect(tokensForShares(empty, 123n)).toBe(123n);
});

test('a deposit into a vault with worthless shares throws', () => {
  expect(
    programErrorName(catchError(() => sharesToMint({ aum: sfFromInt(0n), sharesIssued: 1n }, 5n))),
  ).toBe('VaultAUMZero');
});

test('shares above 64 bits throw', () => {
  const cheap = { aum: sfFromInt(1n), sharesIssued: U64_MAX };
  expect(catchError(() => sharesToMint(cheap, 2n))?.code).toBe('MATH_OVERFLOW');
});

test('shares are worth their part of the AUM, rounded down', () => {
  expect(worthOfShares(pool, 9_000_000n)).toBe(pool.aum);
  expect(worthOfShares(pool, 2_000_000n)).toBe((pool.aum * 2n) / 9n);
});

test('an amount slightly above a whole share costs the next share', () => {
  const even = { aum: sfFromInt(10n), sharesIssued: 5n };
  expect(sharesToBurn(even, sfFromInt(4n))).toBe(2n);
  expect(sharesToBurn(even, sfFromBits(sfFromInt(4n) + 1n))).toBe(3n);
});

test('tokens per share match the official client', () => {
  const beforeFees = sfFromBits(8_975_157_630_866_870_703_900_964n);
  const vault = { sharesIssued: 9_000_000n, tokenMintDecimals: 6n, sharesMintDecimals: 6n };
  expect(formatRatio(tokensPerShare(vault, beforeFees), 20)).toBe('0.86496759126984126984');
});

test('handles different decimals of tokens and shares', () => {
  // 3 SOL of nine decimals for 2 shares of six
  const vault = { sharesIssued: 2_000_000n, tokenMintDecimals: 9n, sharesMintDecimals: 6n };
  const perShare = tokensPerShare(vault, sfFromInt(3_000_000_000n));
  expect(formatRatio(perShare, 20)).toBe('1.5');
  expect(formatRatio(sharePrice(perShare, sfFromInt(150n)), 20)).toBe('225');
});

test('the share price without shares is zero', () => {
  const vault = { sharesIssued: 0n, tokenMintDecimals: 9n, sharesMintDecimals: 6n };
  expect(formatRatio(tokensPerShare(vault, sfFromInt(3n)), 20)).toBe('0');
});

test('property: shares cost at least their value and at most the offer', () => {
  const pools = fc.record({
    aum: fc.bigInt(1n << 60n, 1n << 110n).map(sfFromBits),
    sharesIssued: fc.bigInt(1n, 1n << 50n),
  });
  assertProperty(
    fc.property(pools, fc.bigInt(0n, 1n << 50n), (some, offered) => {
      fc.pre(some.sharesIssued * offered < ((U64_MAX + 1n) * some.aum) >> 60n);
      const shares = sharesToMint(some, offered);
      const cost = tokensForShares(some, shares);
      expect(cost).toBeLessThanOrEqual(offered);
      expect(sfFromInt(cost)).toBeGreaterThanOrEqual(worthOfShares(some, shares));
      expect(sharesToBurn(some, worthOfShares(some, shares))).toBeLessThanOrEqual(shares);
    }),
    100,
  );
});
