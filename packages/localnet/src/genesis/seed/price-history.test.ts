import { expect, test } from 'vitest';
import { historicalPrice, marketRate } from './price-history.ts';

const SOL = { symbol: 'SOL', value: 1_000_000n, seed: 'tidegate' } as const;
const USDC = { symbol: 'USDC', value: 1_000_000n, seed: 'tidegate' } as const;
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
  const rateAt = (symbol: 'bSOL' | 'JitoSOL', day: bigint) =>
    marketRate(symbol, 1_000_000n, day * DAY);
  const lost = Array.from({ length: 365 }, (_, day) => day).filter(
    (day) => rateAt('bSOL', BigInt(day)) < 1_000_000n,
  );
  expect(lost).toEqual([74, 75, 76, 77, 78, 79]);
  expect(rateAt('bSOL', 79n)).toBe(955_000n);
  expect(marketRate('bSOL', 1_000_000n, 73n * DAY + 1n)).toBeLessThan(1_000_000n);
  expect(marketRate('bSOL', 1_000_000n, 80n * DAY - 1n)).toBeLessThan(1_000_000n);
  for (const day of [0n, 73n, 79n, 80n, 365n, 900n]) {
    expect(rateAt('JitoSOL', day)).toBe(1_000_000n);
  }
});
