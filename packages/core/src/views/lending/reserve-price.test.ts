import { expect, test } from 'vitest';
import { catchError } from '../../../../../test/support/errors/catch-error.ts';
import { exampleReserve, NOW } from '../../../../../test/support/lending/lending-accounts.ts';
import { releaseRules } from '../../../../../test/support/lending/release-rules.ts';
import { toAddress } from '../../base/encoding/address.ts';
import { sfFromInt } from '../../base/numbers/scaled-fraction.ts';
import { toSlot, toUnixSeconds } from '../../base/time.ts';
import { NEWEST_LENDING_RULES } from '../../protocol/klend/releases.ts';
import type { DatedPrice } from '../../protocol/scope/layout/oracle-prices.ts';
import { readScopePrices, reservePrice } from './reserve-price.ts';

const FEED = toAddress('3NJYftD5sjVfxSnUdZ1wVML8f3aC6mp1CXCL6L7TnU8C');

/** A reserve with a stored price of 7 USD and a price chain of entries 1 and 2 of the feed. */
function reserve(priceChain: readonly number[] = [1, 2, 65535, 65535]) {
  const { config, liquidity } = exampleReserve();
  const { tokenInfo } = config;
  const scopeConfiguration = { ...tokenInfo.scopeConfiguration, priceFeed: FEED, priceChain };
  return {
    liquidity: { ...liquidity, marketPriceSf: sfFromInt(7n), marketPriceLastUpdatedTs: NOW },
    config: { ...config, tokenInfo: { ...tokenInfo, scopeConfiguration } },
  };
}

const entry = (value: bigint, exp: bigint, age: bigint): DatedPrice => ({
  price: { value, exp },
  lastUpdatedSlot: toSlot(1n),
  unixTimestamp: toUnixSeconds(NOW - age),
  genericData: new Uint8Array(24),
});

const feed =
  (...prices: DatedPrice[]) =>
  (address: string) =>
    address === FEED ? prices : undefined;

test('the price is the product of the chain, exact and rounded down to 60 bits', () => {
  const found = reservePrice(
    reserve(),
    feed(entry(0n, 0n, 0n), entry(11n, 1n, 0n), entry(3n, 0n, 0n)),
    NEWEST_LENDING_RULES,
  );
  expect(found).toEqual({
    price: (33n * 2n ** 60n) / 10n,
    exactPrice: { numerator: 33n, denominator: 10n },
    priceSource: 'feed',
    priceUnix: NOW,
  });
});

const stored = {
  price: 7n * 2n ** 60n,
  exactPrice: { numerator: 7n * 2n ** 60n, denominator: 2n ** 60n },
  priceSource: 'stored',
  priceUnix: NOW,
};

test('without the feed the stored price is used', () => {
  expect(reservePrice(reserve(), () => undefined, NEWEST_LENDING_RULES)).toEqual(stored);
});

test('without chain entries the stored price is used', () => {
  const prices = feed(entry(1n, 0n, 0n), entry(1n, 0n, 0n));
  expect(reservePrice(reserve([0, 0, 0, 0]), prices, NEWEST_LENDING_RULES)).toEqual(stored);
  expect(reservePrice(reserve([65535, 65535, 65535, 65535]), prices, NEWEST_LENDING_RULES)).toEqual(
    stored,
  );
});

test('a stored price newer than the oldest chain entry is used', () => {
  const one = entry(1n, 0n, 0n);
  expect(reservePrice(reserve(), feed(one, one, entry(3n, 0n, 1n)), NEWEST_LENDING_RULES)).toEqual(
    stored,
  );
  expect(
    reservePrice(reserve(), feed(one, one, entry(3n, 0n, 0n)), NEWEST_LENDING_RULES).price,
  ).toBe(3n * 2n ** 60n);
});

test('a refresh reads the TWAP only if the reserve compares it with the price', () => {
  const { tokenInfo } = reserve([1, 65535, 65535, 65535]).config;
  const unusable = entry(1n, 37n, 0n);
  const prices = [unusable, entry(3n, 0n, 0n)];
  const twapChain = [0, 65535, 65535, 65535];
  const scopeConfiguration = { ...tokenInfo.scopeConfiguration, twapChain };
  const read = (maxTwapDivergenceBps: bigint) =>
    readScopePrices(
      { ...tokenInfo, scopeConfiguration, maxTwapDivergenceBps },
      prices,
      NEWEST_LENDING_RULES,
    );
  expect(read(0n)).toEqual({ price: { price: 3n * 2n ** 60n, unix: NOW }, twap: undefined });
  expect(catchError(() => read(1n))?.code).toBe('MATH_OVERFLOW');
});

const BEFORE_1_25 = releaseRules('1.24');

test.each([
  ['the first factor', [entry(1n, 0n, 0n), entry(0n, 0n, 0n), entry(3n, 0n, 0n)]],
  ['the last factor', [entry(1n, 0n, 0n), entry(3n, 0n, 0n), entry(0n, 0n, 0n)]],
  // which does not overflow, because a zero is not computed
  ['beside an unusable factor', [entry(1n, 0n, 0n), entry(0n, 0n, 0n), entry(1n, 37n, 0n)]],
])('with a zero in the chain (%s) the stored price is used', (_, prices) => {
  expect(reservePrice(reserve(), feed(...prices), NEWEST_LENDING_RULES)).toEqual(stored);
  const { tokenInfo } = reserve().config;
  expect(readScopePrices(tokenInfo, prices, NEWEST_LENDING_RULES)).toEqual({
    price: undefined,
    twap: undefined,
  });
});

test('entries outside the chain may be zero', () => {
  const prices = feed(entry(0n, 0n, 0n), entry(1n, 0n, 0n), entry(3n, 0n, 0n), entry(0n, 0n, 0n));
  expect(reservePrice(reserve(), prices, NEWEST_LENDING_RULES).priceSource).toBe('feed');
});

test('a price that 60 bits round down to zero is not used either', () => {
  const prices = [entry(1n, 0n, 0n), entry(1n, 18n, 0n), entry(1n, 1n, 0n)];
  expect(reservePrice(reserve(), feed(...prices), NEWEST_LENDING_RULES)).toEqual(stored);
  expect(reservePrice(reserve(), feed(...prices), BEFORE_1_25).price).toBe(0n);
});

test('before release 1.25 a zero is a price', () => {
  const prices = [entry(1n, 0n, 0n), entry(3n, 0n, 0n), entry(0n, 0n, 0n)];
  expect(reservePrice(reserve(), feed(...prices), BEFORE_1_25)).toMatchObject({
    price: 0n,
    priceSource: 'feed',
  });
  expect(readScopePrices(reserve().config.tokenInfo, prices, BEFORE_1_25).price?.price).toBe(0n);
});

test('a TWAP of zero is no reading for a reserve that compares it', () => {
  const { config, liquidity } = reserve([1, 65535, 65535, 65535]);
  const prices = [entry(0n, 0n, 0n), entry(3n, 0n, 0n)];
  const twapChain = [0, 65535, 65535, 65535];
  const { tokenInfo } = config;
  const compares = (maxTwapDivergenceBps: bigint) => ({
    ...tokenInfo,
    scopeConfiguration: { ...tokenInfo.scopeConfiguration, twapChain },
    maxTwapDivergenceBps,
  });
  const read = (bps: bigint) => readScopePrices(compares(bps), prices, NEWEST_LENDING_RULES);
  expect(read(100n)).toEqual({ price: undefined, twap: undefined });
  expect(read(0n)).toEqual({ price: { price: 3n * 2n ** 60n, unix: NOW }, twap: undefined });
  const price = (bps: bigint) =>
    reservePrice(
      { liquidity, config: { ...config, tokenInfo: compares(bps) } },
      feed(...prices),
      NEWEST_LENDING_RULES,
    );
  expect(price(100n)).toEqual(stored);
  expect(price(0n).priceSource).toBe('feed');
});
