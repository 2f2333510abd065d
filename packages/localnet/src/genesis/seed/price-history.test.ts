import { expect, test } from 'vitest';
import { historicalPrice, marketRate } from './price-history.ts';

const SOL = { symbol: 'SOL', value: 1_000_000n, seed: 'tidegate', days: 365 } as const;
const USDC = { symbol: 'USDC', value: 1_000_000n, seed: 'tidegate', days: 365 } as const;
const DAY = 1_440n;
const hours = Array.from({ length: 365 * 24 }, (_, hour) => BigInt(hour) * 60n);

test('every price ends at its known value', () => {
  for (const point of [SOL, USDC]) expect(historicalPrice(point, 0n)).toBe(1_000_000n);
});

test('a price moves without jumps and falls by a third in two days', () => {
  for (const minute of hours.slice(1)) {
    const [later, before] = [historicalPrice(SOL, minute - 60n), historicalPrice(SOL, minute)];
    const moved = later > before ? later - before : before - later;
    expect(moved * 100n).toBeLessThan(before * 3n);
  }
  expect(historicalPrice(SOL, 150n * DAY) * 100n).toBeLessThan(
    historicalPrice(SOL, 152n * DAY) * 75n,
  );
});

test('on the last day the price moves every minute and loses about four percent', () => {
  const last = Array.from({ length: 1_440 }, (_, minute) => historicalPrice(SOL, BigInt(minute)));
  expect(new Set(last).size).toBeGreaterThan(1_200);
  const early = historicalPrice(SOL, 20n * 60n);
  expect(early).toBeGreaterThan(1_035_000n);
  expect(early).toBeLessThan(1_055_000n);
});

test('a stablecoin stays at one dollar', () => {
  for (const minute of hours) {
    const difference = historicalPrice(USDC, minute) - 1_000_000n;
    expect(difference < 0n ? -difference : difference).toBeLessThan(3_000n);
  }
});

test('another seed gives other prices, and the curve starts with its first point', () => {
  expect(historicalPrice({ ...SOL, seed: 'x' }, 999n * 60n)).not.toBe(
    historicalPrice(SOL, 999n * 60n),
  );
  const early = historicalPrice(SOL, 900n * DAY);
  expect(early).toBeGreaterThan(700_000n);
  expect(early).toBeLessThan(950_000n);
});

test('bSOL trades below the rate of its pool for a week and returns to it; JitoSOL never does', () => {
  const rateAt = (symbol: 'bSOL' | 'JitoSOL', day: bigint, minutes = 0n) =>
    marketRate({ symbol, poolRate: 1_000_000n, days: 365 }, day * DAY + minutes);
  const lost = Array.from({ length: 365 }, (_, day) => day).filter(
    (day) => rateAt('bSOL', BigInt(day)) < 1_000_000n,
  );
  expect(lost).toEqual([74, 75, 76, 77, 78, 79]);
  expect(rateAt('bSOL', 79n)).toBe(955_000n);
  expect(rateAt('bSOL', 73n, 1n)).toBeLessThan(1_000_000n);
  expect(rateAt('bSOL', 80n, -1n)).toBeLessThan(1_000_000n);
  for (const day of [0n, 73n, 79n, 80n, 365n, 900n]) {
    expect(rateAt('JitoSOL', day)).toBe(1_000_000n);
  }
});

test.each([28, 35, 164])(
  'a history of %i days has a fall by a third in two days, and a lost peg',
  (days) => {
    const sol = { ...SOL, days };
    expect(historicalPrice(sol, 0n)).toBe(1_000_000n);
    expect(historicalPrice(sol, 11n * DAY) * 100n).toBeLessThan(
      historicalPrice(sol, 13n * DAY) * 75n,
    );
    for (const minute of hours.slice(1, 35 * 24)) {
      const [later, before] = [historicalPrice(sol, minute - 60n), historicalPrice(sol, minute)];
      const moved = later > before ? later - before : before - later;
      expect(moved * 100n).toBeLessThan(before * 3n);
    }
    const bsol = { symbol: 'bSOL', poolRate: 1_000_000n, days } as const;
    expect(marketRate(bsol, 8n * DAY)).toBe(955_000n);
    expect(marketRate(bsol, 2n * DAY)).toBe(1_000_000n);
  },
);

test.each([1, 27])('a history of %i days has neither', (days) => {
  const prices = Array.from({ length: days * 24 }, (_, hour) =>
    historicalPrice({ ...SOL, days }, BigInt(hour) * 60n),
  );
  for (const price of prices) expect(price > 850_000n && price < 1_200_000n).toBe(true);
  expect(marketRate({ symbol: 'bSOL', poolRate: 1_000_000n, days }, 8n * DAY)).toBe(1_000_000n);
});
