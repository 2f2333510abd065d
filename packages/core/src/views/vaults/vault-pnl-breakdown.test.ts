import fc from 'fast-check';
import { expect, test } from 'vitest';
import { assertProperty } from '../../../../../test/support/properties/assert-property.ts';
import { formatRatio, type Ratio } from '../../base/numbers/decimal.ts';
import { addRatio, compareRatios } from '../../base/numbers/ratio.ts';
import { toUnixSeconds } from '../../base/time.ts';
import { type ShareTrade, viewVaultPnl } from './vault-pnl.ts';
import { viewVaultPnlBreakdown } from './vault-pnl-breakdown.ts';

/** Prices in hundredths of tokens per share and of USD per token. */
type Prices = readonly [rate: number, price: number];
type Trade = readonly [kind: ShareTrade['kind'], shares: number, ...Prices];

const hundredths = (value: number): Ratio => ({ numerator: BigInt(value), denominator: 100n });

const pricesOf = ([rate, price]: Prices) => ({
  tokensPerShare: hundredths(rate),
  tokenPrice: hundredths(price),
  solPrice: hundredths(15_000),
});

function breakdownOf(trades: readonly Trade[], end: Prices) {
  const events = trades.map(([kind, shares, ...prices], i) => {
    return { at: toUnixSeconds(BigInt(i)), kind, shares: BigInt(shares), prices: pricesOf(prices) };
  });
  const pnl = viewVaultPnl(events, { at: toUnixSeconds(100n), prices: pricesOf(end) }, 0n);
  return viewVaultPnlBreakdown(pnl);
}

const shown = (breakdown: ReturnType<typeof breakdownOf>) =>
  breakdown &&
  Object.fromEntries(
    Object.entries(breakdown).map(([name, value]) => [name, formatRatio(value, 12)]),
  );

test('a fall of the price takes more than the yield gives', () => {
  // 100 shares of 1 SOL at 200 USD; then 1.06 SOL at 180 USD
  expect(shown(breakdownOf([['buy', 100, 100, 20_000]], [106, 18_000]))).toEqual({
    profitUsd: '-920',
    yieldTokens: '6',
    yieldUsd: '1080',
    priceUsd: '-2000',
    averageTokenPrice: '200',
    tokenPrice: '180',
  });
});

test('the yield of sold shares has the price of the sale', () => {
  const trades: Trade[] = [
    ['buy', 100, 100, 20_000],
    ['sell', 50, 110, 10_000],
  ];
  // sold: 5 tokens at 100; held: 50 * 0.2 tokens at 300
  expect(shown(breakdownOf(trades, [120, 30_000]))).toMatchObject({
    yieldTokens: '15',
    yieldUsd: '3500',
    // 50 * (100 - 200) and 50 * (300 - 200)
    priceUsd: '0',
    profitUsd: '3500',
  });
});

test('without shares there is no average price, and without trades nothing', () => {
  const sold: Trade[] = [
    ['buy', 10, 100, 100],
    ['sell', 10, 200, 100],
  ];
  expect(shown(breakdownOf(sold, [200, 100]))).toMatchObject({
    yieldUsd: '10',
    averageTokenPrice: '0',
  });
  expect(breakdownOf([], [100, 100])).toBeUndefined();
});

test('property: the parts add up to the profit to the last digit', () => {
  const prices = fc.tuple(fc.integer({ min: 1, max: 300 }), fc.integer({ min: 1, max: 9_999 }));
  const purchase = fc.tuple(fc.integer({ min: 1, max: 1_000 }), prices);
  assertProperty(
    fc.property(fc.array(purchase, { minLength: 1, maxLength: 6 }), prices, (list, end) => {
      const trades = list.flatMap(([shares, [rate, price]]): Trade[] => [
        ['buy', shares, rate, price],
        ['sell', Math.ceil(shares / 3), rate + 1, price],
      ]);
      const breakdown = breakdownOf(trades, end);
      if (breakdown === undefined) throw new Error('there are trades');
      const { profitUsd, yieldUsd, priceUsd } = breakdown;
      expect(compareRatios(addRatio(yieldUsd, priceUsd), profitUsd)).toBe(0);
    }),
    200,
  );
});
