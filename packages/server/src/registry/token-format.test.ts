import fc from 'fast-check';
import { expect, test } from 'vitest';
import { assertProperty } from '../../../../test/support/properties/assert-property.ts';
import { parseTokenFormat, parseTokenList, tokenFormats } from './token-format.ts';

const SOL = 'So11111111111111111111111111111111111111112';
const USDC = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v';
const USDT = 'Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB';

function read(document: unknown, format: string) {
  const parsed = parseTokenFormat(format);
  if (parsed === undefined) throw new Error(`no format: ${format}`);
  return parseTokenList(document, parsed);
}

const sol = { mint: SOL, symbol: 'SOL', name: 'Wrapped SOL', decimals: 9 };
const defaults = {
  logoUrl: null,
  verified: false,
  tradingVolume24H: null,
  marketCapUsd: null,
  priority: 1000,
};

test('the built-in format reads all fields and sets defaults for missing ones', () => {
  const full = {
    ...sol,
    logoUrl: 'https://a.example/x.png',
    verified: true,
    tradingVolume24H: 1.5,
    marketCapUsd: 0,
    priority: 3,
  };
  expect(read([full], 'tidegate')).toMatchObject({ tokens: [full], rejected: 0 });
  expect(read([sol], 'tidegate')).toMatchObject({ tokens: [{ ...sol, ...defaults }] });
});

test('the predefined formats map third-party fields', () => {
  const entry = { address: SOL, symbol: 'SOL', name: 'Wrapped SOL', decimals: 9 };
  const logoURI = 'https://a.example/x.png';
  expect(
    read(
      {
        tokens: [
          { ...entry, chainId: 101, logoURI },
          { ...entry, address: USDC, chainId: 103 },
        ],
      },
      'token-list',
    ),
  ).toMatchObject({ tokens: [{ ...sol, ...defaults, logoUrl: logoURI }], rejected: 0 });
  expect(
    read([{ ...entry, logoURI, tags: ['verified', 'lst'], daily_volume: 12.25 }], 'jupiter-v1'),
  ).toMatchObject({
    tokens: [{ ...sol, logoUrl: logoURI, verified: true, tradingVolume24H: 12.25 }],
  });
  expect(
    read(
      [
        {
          id: SOL,
          symbol: 'SOL',
          name: 'Wrapped SOL',
          decimals: 9,
          icon: logoURI,
          isVerified: true,
          mcap: 7,
          stats24h: { buyVolume: 1.5, sellVolume: 2 },
        },
      ],
      'jupiter-v2',
    ),
  ).toMatchObject({
    tokens: [{ ...sol, verified: true, tradingVolume24H: 3.5, marketCapUsd: 7, logoUrl: logoURI }],
  });
  expect(read({ data: { tokens: [{ ...entry, v24hUSD: 5, mc: 6 }] } }, 'birdeye')).toMatchObject({
    tokens: [{ ...sol, tradingVolume24H: 5, marketCapUsd: 6 }],
  });
});

test('a custom mapping supports constants and sums of the values that exist', () => {
  const format = 'list=a.b,mint=m,symbol=s,name=s,decimals=d,verified=true,tradingVolume24H=x+y';
  expect(read({ a: { b: [{ m: SOL, s: 'SOL', d: 9, y: 4 }] } }, format)).toMatchObject({
    tokens: [{ ...sol, name: 'SOL', verified: true, tradingVolume24H: 4 }],
  });
});

test.each([
  'nonsense',
  'mint',
  'mint=',
  '=x',
  'nope=x',
  'mint=a b',
  'mint=a;symbol=b',
  '__proto__=x',
])('%s is not a format', (text) => {
  expect(parseTokenFormat(text)).toBeUndefined();
});

test.each(Object.keys(tokenFormats))('%s is a format', (name) => {
  expect(parseTokenFormat(name)).toBeDefined();
});

test.each([
  [{ ...sol, mint: 'abc' }, 'entry 1: mint is not a base58 address'],
  [{ ...sol, mint: USDC, symbol: '' }, 'entry 1: symbol is not a string of 1 to 64 characters'],
  [{ ...sol, mint: USDC, name: 5 }, 'entry 1: name is not a string of 1 to 256 characters'],
  [{ ...sol, mint: USDC, decimals: '9' }, 'entry 1: decimals is not an integer from 0 to 255'],
  [{ ...sol, mint: USDC, decimals: 256 }, 'entry 1: decimals is not an integer from 0 to 255'],
  [{ ...sol, mint: USDC, verified: 'yes' }, 'entry 1: verified is not a boolean'],
  [
    { ...sol, mint: USDC, tradingVolume24H: -1 },
    'entry 1: tradingVolume24H is not a non-negative number',
  ],
  [{ ...sol, mint: USDC, marketCapUsd: '5' }, 'entry 1: marketCapUsd is not a non-negative number'],
  [{ ...sol, mint: USDC, priority: 1.5 }, 'entry 1: priority is not an integer'],
  [sol, 'entry 1: its mint is a duplicate'],
  [null, 'entry 1: mint is not a base58 address'],
])('a malformed entry is skipped and reported: %j', (entry, firstRejection) => {
  const rest = Array.from({ length: 20 }, (_, index) => ({
    ...sol,
    mint: `${'1'.repeat(31)}${'23456789ABCDEFGHJKLMN'.charAt(index)}`,
  }));
  const list = read([sol, entry, ...rest], 'tidegate');
  expect(list).toMatchObject({ rejected: 1, firstRejection });
  expect(list).toHaveProperty('tokens.length', 21);
});

test('a logo URL that browsers cannot open becomes null', () => {
  for (const logoUrl of ['javascript:alert(1)', '/x.png', 'x', 5]) {
    expect(read([{ ...sol, logoUrl }], 'tidegate')).toMatchObject({ tokens: [{ logoUrl: null }] });
  }
});

test.each([
  ['text', 'it has no array of tokens at the path that the format specifies'],
  [{ tokens: [] }, 'it has no array of tokens at the path that the format specifies'],
  [[], 'it has no tokens'],
  [[{}], 'entry 0: mint is not a base58 address'],
  [[sol, {}], '1 of 2 entries are malformed, first entry 1: mint is not a base58 address'],
])('an unusable list is rejected with a reason: %j', (document, reason) => {
  expect(read(document, 'tidegate')).toBe(reason);
});

test('property: any JSON yields valid tokens or a reason', () => {
  const value = fc.oneof(fc.jsonValue(), fc.constantFrom(SOL, USDC, USDT, 'x', 9, true));
  const entry = fc.record(
    { mint: value, symbol: value, name: value, decimals: value },
    { requiredKeys: [] },
  );
  assertProperty(
    fc.property(fc.oneof(fc.jsonValue(), fc.array(entry)), (document) => {
      const list = read(document, 'tidegate');
      if (typeof list === 'string') return;
      for (const token of list.tokens) {
        expect(token.mint.length).toBeGreaterThanOrEqual(32);
        expect(token.symbol).not.toBe('');
        expect(Number.isInteger(token.decimals)).toBe(true);
      }
    }),
    100,
  );
});
