import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { exampleReserve, NOW } from '../../../../../test/support/lending/lending-accounts.ts';
import { assertProperty } from '../../../../../test/support/properties/assert-property.ts';
import { type Address, addressFromBytes } from '../../base/encoding/address.ts';
import { sfFromInt } from '../../base/numbers/scaled-fraction.ts';
import { toSlot, toUnixSeconds } from '../../base/time.ts';
import type { Reserve } from '../../protocol/klend/layout/reserve.ts';
import { NEWEST_LENDING_RULES } from '../../protocol/klend/releases.ts';
import type { DatedPrice } from '../../protocol/scope/layout/oracle-prices.ts';
import { type ListedReserve, type MarketTier, selectListedReserves } from './listed-markets.ts';
import { isStalePrice } from './reserve-price.ts';
import { choosePricePerMint, createTokenLookup } from './token-prices.ts';

const address = (byte: number): Address => addressFromBytes(new Uint8Array(32).fill(byte));
const MINT = address(99);
const at = { slot: toSlot(1n), unix: NOW };
const noFeeds = () => undefined;

type Quote = {
  /** Byte of the addresses of the market and the reserve. */
  readonly id: number;
  readonly usd: bigint;
  readonly age: bigint;
  readonly maxAge: bigint;
  readonly tier: MarketTier;
  readonly mint?: Address;
};

/** A reserve with a stored price. */
function storedReserve({ id, usd, age, maxAge, mint = MINT }: Omit<Quote, 'tier'>): Reserve {
  const { config, liquidity, ...rest } = exampleReserve();
  const marketPriceLastUpdatedTs = toUnixSeconds(NOW - age);
  return {
    ...rest,
    lendingMarket: address(id),
    liquidity: {
      ...liquidity,
      mintPubkey: mint,
      marketPriceSf: sfFromInt(usd),
      marketPriceLastUpdatedTs,
    },
    config: { ...config, tokenInfo: { ...config.tokenInfo, maxAgePriceSeconds: maxAge } },
  };
}

const listedReserve = (quote: Quote): ListedReserve => ({
  address: address(quote.id),
  fields: storedReserve(quote),
  tier: quote.tier,
});

const quoteOf = (quotes: readonly Quote[]) =>
  createTokenLookup({
    listedReserves: () => quotes.map(listedReserve),
    prices: noFeeds,
    at,
    rules: NEWEST_LENDING_RULES,
  })(MINT)?.quote;

/** The price in whole USD; undefined without a price. */
function chosenUsd(...quotes: readonly Quote[]): bigint | undefined {
  const price = quoteOf(quotes)?.price;
  return price && price.numerator / price.denominator;
}

const quote = (id: number, usd: bigint, rest: Partial<Quote> = {}): Quote => ({
  id,
  usd,
  age: 10n,
  maxAge: 60n,
  tier: 2,
  ...rest,
});

describe('the price of a token', () => {
  test('is the newest that is within the limit of its reserve', () => {
    expect(chosenUsd(quote(1, 3n, { age: 11n, tier: 0 }), quote(2, 5n, { age: 10n }))).toBe(5n);
    const tooOld = quote(1, 3n, { age: 5n, maxAge: 4n });
    expect(chosenUsd(tooOld, quote(2, 5n, { age: 60n }))).toBe(5n);
  });

  test('is the newest of all if each is too old', () => {
    const old = [quote(1, 3n, { age: 900n, tier: 0 }), quote(2, 5n, { age: 800n })];
    expect(chosenUsd(...old)).toBe(5n);
    expect(quoteOf(old)).toMatchObject({ ageSeconds: 800n, maxAgeSeconds: 60n });
  });

  test('among equally old ones is of the primary, then a curated, then the lowest market', () => {
    const [other, curated, primary] = [quote(1, 1n), quote(2, 2n), quote(3, 3n)] as const;
    expect(chosenUsd(other, { ...curated, tier: 1 }, { ...primary, tier: 0 })).toBe(3n);
    expect(chosenUsd(other, { ...curated, tier: 1 }, primary)).toBe(2n);
    expect(chosenUsd(primary, curated, other)).toBe(1n);
  });

  test('is never zero, and never one that overflows', () => {
    expect(chosenUsd(quote(1, 0n, { age: 0n }), quote(2, 5n))).toBe(5n);
    expect(chosenUsd(quote(1, 0n))).toBeUndefined();
    const { address: reserve, fields, tier } = listedReserve(quote(1, 7n));
    const { tokenInfo } = fields.config;
    const scopeConfiguration = { ...tokenInfo.scopeConfiguration, priceChain: [1, 65535] };
    const config = { ...fields.config, tokenInfo: { ...tokenInfo, scopeConfiguration } };
    const entry: DatedPrice = {
      price: { value: 1n, exp: 40n },
      lastUpdatedSlot: toSlot(1n),
      unixTimestamp: NOW,
      genericData: new Uint8Array(24),
    };
    const lookup = createTokenLookup({
      listedReserves: () => [{ address: reserve, fields: { ...fields, config }, tier }],
      prices: () => [entry, entry],
      at,
      rules: NEWEST_LENDING_RULES,
    });
    expect(lookup(MINT)).toMatchObject({ price: undefined, quote: undefined });
  });

  test('has its origin: market, reserve, source and time', () => {
    expect(quoteOf([quote(4, 5n, { age: 7n })])).toMatchObject({
      mint: MINT,
      market: address(4),
      reserve: address(4),
      source: 'stored',
      unix: NOW - 7n,
      ageSeconds: 7n,
      maxAgeSeconds: 60n,
    });
  });

  test('in the future counts as new', () => {
    expect(quoteOf([quote(1, 5n, { age: -30n })])).toMatchObject({ ageSeconds: 0n });
    expect(chosenUsd(quote(2, 5n, { age: -30n }), quote(1, 3n, { age: 0n }))).toBe(3n);
  });
});

test('a price is stale once its age exceeds the limit', () => {
  const age = (ageSeconds: bigint) => ({ mint: MINT, ageSeconds, maxAgeSeconds: 60n });
  expect([59n, 60n, 61n].map((seconds) => isStalePrice(age(seconds)))).toEqual([
    false,
    false,
    true,
  ]);
});

const anyQuote = fc.record({
  id: fc.integer({ min: 1, max: 90 }),
  usd: fc.bigInt({ min: 0n, max: 9n }),
  age: fc.bigInt({ min: -5n, max: 200n }),
  maxAge: fc.bigInt({ min: 0n, max: 150n }),
  tier: fc.constantFrom<MarketTier>(0, 1, 2),
  mint: fc.constantFrom(MINT, address(98)),
});
const anyQuotes = fc.uniqueArray(anyQuote, { selector: ({ id }) => id, maxLength: 12 });

const pricesOf = (reserves: readonly ListedReserve[]) =>
  choosePricePerMint({
    listedReserves: () => reserves,
    prices: noFeeds,
    at,
    rules: NEWEST_LENDING_RULES,
  })
    .map(({ mint, reserve, price }) => `${mint} ${reserve} ${price.numerator}/${price.denominator}`)
    .sort();

test('property: the choice does not depend on the order of the reserves', () => {
  const orders = anyQuotes.chain((quotes) =>
    fc.tuple(
      fc.constant(quotes),
      fc.shuffledSubarray(quotes, { minLength: quotes.length, maxLength: quotes.length }),
    ),
  );
  assertProperty(
    fc.property(orders, ([quotes, shuffled]) => {
      expect(pricesOf(shuffled.map(listedReserve))).toEqual(pricesOf(quotes.map(listedReserve)));
    }),
    100,
  );
});

test('property: the reserves of unlisted markets never change a price', () => {
  const program = address(97);
  assertProperty(
    fc.property(anyQuotes, fc.nat(), (quotes, split) => {
      const listed = quotes.filter(({ id }) => id % 7 !== split % 7);
      const markets = (all: readonly Quote[]) => ({
        markets: () => all.map(({ id }) => ({ address: address(id), program })),
        reservesOf: (market: Address) =>
          all
            .filter(({ id }) => address(id) === market)
            .map((one) => ({ address: address(one.id), fields: storedReserve(one) })),
      });
      const tiers = new Map(listed.map(({ id, tier }) => [address(id), tier]));
      const registry = {
        markets: [...tiers.keys()].map((market) => ({ address: market })),
        market: (market: Address) => {
          const tier = tiers.get(market);
          return tier === undefined ? undefined : { isPrimary: tier === 0, isCurated: tier === 1 };
        },
        listsMarkets: () => true,
      };
      const all = pricesOf(selectListedReserves({ reader: markets(quotes), registry }));
      expect(all).toEqual(pricesOf(listed.map(listedReserve)));
    }),
    100,
  );
});
