import { type Slot, toSlot, toUnixSeconds, type UnixSeconds } from '@tidegate/core/base';
import { WRAPPED_SOL_MINT } from '@tidegate/core/protocol/spl';
import { expect, test } from 'vitest';
import {
  pricePoint,
  uniqueAddress,
  vaultPoint,
} from '../../../../../test/support/history/history-rows.ts';
import { RecentPriceCache } from './recent-price-cache.ts';

const time = toUnixSeconds;

test('a price is that of the newest sample at or before the time, in any order of insertion', () => {
  const prices = new RecentPriceCache();
  const subject = uniqueAddress();
  prices.add([
    pricePoint({ subject, at: 200n, slot: 20n }),
    pricePoint({ subject, at: 100n, slot: 10n }),
    pricePoint({ subject: WRAPPED_SOL_MINT, at: 150n, slot: 15n }),
  ]);
  const times = [99n, 100n, 199n, 200n, 7_400n, 7_401n];
  const found = times.map((at) => prices.priceAt(subject, time(at)));
  // a sample tells the price for two hours
  expect(found).toEqual([undefined, 10n, 10n, 20n, 20n, undefined]);
  expect(prices.solPriceAt(time(149n))).toBeUndefined();
  expect(prices.solPriceAt(time(150n))).toBe(15n);
  expect(prices.priceAt(uniqueAddress(), time(200n))).toBeUndefined();
});

test('a sample of zero is no price', () => {
  const prices = new RecentPriceCache();
  const subject = uniqueAddress();
  prices.add([pricePoint({ subject, at: 100n, slot: 10n }, { priceSf: 0n })]);
  expect(prices.priceAt(subject, time(100n))).toBeUndefined();
});

test('the cache evicts the oldest samples of a subject', () => {
  const prices = new RecentPriceCache();
  const subject = uniqueAddress();
  for (let at = 1n; at <= 181n; at++) prices.add([pricePoint({ subject, at, slot: at })]);
  expect(prices.priceAt(subject, time(1n))).toBeUndefined();
  expect(prices.priceAt(subject, time(2n))).toBe(2n);
});

const stakePoint = (subject: ReturnType<typeof uniqueAddress>, tokens: bigint) => ({
  ...({ kind: 'stakeRate', resolution: 'minute', subject } as const),
  at: time(1n) satisfies UnixSeconds,
  slot: toSlot(1n) satisfies Slot,
  lamports: 9n,
  tokens,
});

test('stake pools and vaults have rates unless they are empty', () => {
  const prices = new RecentPriceCache();
  const [pool, emptyPool, vault, emptyVault] = [
    uniqueAddress(),
    uniqueAddress(),
    uniqueAddress(),
    uniqueAddress(),
  ];
  const when = { at: 1n, slot: 1n };
  prices.add([
    stakePoint(pool, 8n),
    stakePoint(emptyPool, 0n),
    // 3 tokens with 6 decimals for 2 shares with 9 decimals
    vaultPoint(
      { subject: vault, ...when },
      { aumSf: 3_000_000n << 60n, sharesIssued: 2_000_000_000n, sharesDecimals: 9 },
    ),
    vaultPoint({ subject: emptyVault, ...when }, { aumSf: 3n, sharesIssued: 0n }),
  ]);
  expect(prices.stakeRateAt(pool, time(1n))).toEqual({ numerator: 9n, denominator: 8n });
  expect(prices.stakeRateAt(emptyPool, time(1n))).toBeUndefined();
  const rate = prices.tokensPerShareAt(vault, time(1n)) ?? { numerator: 0n, denominator: 1n };
  expect(rate.numerator * 2n).toBe(rate.denominator * 3n);
  expect(prices.tokensPerShareAt(emptyVault, time(1n))).toBeUndefined();
});
