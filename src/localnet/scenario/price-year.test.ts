import { expect, test } from 'vitest';
import { priceLevel } from './price-year.ts';

const SOL = { symbol: 'SOL', kind: 'free', seed: 'tidegate' } as const;
const USDC = { symbol: 'USDC', kind: 'stable', seed: 'tidegate' } as const;
const JITO = { symbol: 'JitoSOL', kind: 'stake rate', seed: 'tidegate' } as const;
const hours = Array.from({ length: 365 * 24 }, (_, hour) => BigInt(hour));

test('at the end every price is what it is', () => {
  for (const point of [SOL, USDC, JITO]) expect(priceLevel(point, 0n)).toBe(1_000_000n);
});

test('a price goes its way without jumps, and falls by a third in two days', () => {
  for (const hour of hours.slice(1)) {
    const [now, before] = [priceLevel(SOL, hour - 1n), priceLevel(SOL, hour)];
    const moved = now > before ? now - before : before - now;
    expect(moved * 100n).toBeLessThan(before * 3n);
  }
  expect(priceLevel(SOL, 150n * 24n) * 100n).toBeLessThan(priceLevel(SOL, 152n * 24n) * 75n);
});

test('a dollar stays one, and a staked token gains seven percent on what it stands for', () => {
  for (const hour of hours) {
    const off = priceLevel(USDC, hour) - 1_000_000n;
    expect(off < 0n ? -off : off).toBeLessThan(3_000n);
    expect(priceLevel(JITO, hour)).toBeGreaterThanOrEqual(priceLevel(JITO, hour + 1n));
  }
  expect(priceLevel(JITO, 365n * 24n)).toBe(930_650n);
});

test('another seed swings otherwise', () => {
  expect(priceLevel({ ...SOL, seed: 'x' }, 999n)).not.toBe(priceLevel(SOL, 999n));
});
