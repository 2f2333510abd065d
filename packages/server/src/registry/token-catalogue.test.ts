import { type Address, parseAddress } from '@tidegate/core/base';
import { knownTokens, type Token } from '@tidegate/core/protocol/spl';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { assertProperty } from '../../../../test/support/properties/assert-property.ts';
import { createTokenCatalogue, type TokenQuery } from './token-catalogue.ts';

const letters = fc.constantFrom('a', 'B', 'b', 'C', 'é', 'É');
const tokens = fc.uniqueArray(
  fc.record<Token>({
    mint: fc.string({ minLength: 1, maxLength: 3 }).map((text) => text as Address),
    symbol: letters,
    name: fc.constant('name'),
    decimals: fc.constant(6),
    logoUrl: fc.constant(null),
    verified: fc.boolean(),
    tradingVolume24H: fc.option(fc.constantFrom(0, 1, 1.5, 1e12)),
    marketCapUsd: fc.constant(null),
    priority: fc.integer({ min: 1, max: 3 }),
  }),
  { selector: (token) => token.mint, maxLength: 60 },
);
const queries = fc.record({
  limit: fc.integer({ min: 1, max: 30 }),
  verified: fc.option(fc.boolean(), { nil: undefined }),
  symbol: fc.option(letters, { nil: undefined }),
});

/** Filters and sorts without an index. */
function findWithoutIndex(list: readonly Token[], query: TokenQuery): readonly Token[] {
  return [...list]
    .filter((token) => query.mint === undefined || token.mint === query.mint)
    .filter(
      (token) =>
        query.symbol === undefined || token.symbol.toLowerCase() === query.symbol.toLowerCase(),
    )
    .filter((token) => query.verified !== true || token.verified)
    .sort((a, b) => (a.mint < b.mint ? -1 : 1))
    .sort((a, b) => a.priority - b.priority)
    .sort((a, b) => {
      if (a.tradingVolume24H === b.tradingVolume24H) return 0;
      if (a.tradingVolume24H === null) return 1;
      if (b.tradingVolume24H === null) return -1;
      return b.tradingVolume24H - a.tradingVolume24H;
    })
    .slice(0, query.limit);
}

test('property: the index returns the same as filtering and sorting the list', () => {
  assertProperty(
    fc.property(tokens, queries, fc.nat(), (list, query, pick) => {
      const catalogue = createTokenCatalogue(list);
      const mint = pick % 3 === 0 ? list[pick % Math.max(1, list.length)]?.mint : undefined;
      expect(catalogue.find({ ...query, mint })).toEqual(
        findWithoutIndex(list, { ...query, mint }),
      );
    }),
    100,
  );
});

test('every built-in mint is an address, and native SOL is first', () => {
  expect(knownTokens.filter((token) => parseAddress(token.mint) === undefined)).toEqual([]);
  expect(knownTokens[0]).toMatchObject({ symbol: 'SOL', decimals: 9, priority: 1 });
  for (const token of knownTokens) {
    expect(Number.isInteger(token.decimals)).toBe(true);
    expect(token.name).not.toBe('');
    expect([token.tradingVolume24H, token.marketCapUsd]).toEqual([null, null]);
  }
});
