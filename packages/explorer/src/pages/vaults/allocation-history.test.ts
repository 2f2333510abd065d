import type { VaultMetricsPoint } from '@tidegate/client';
import { expect, test } from 'vitest';
import { allocationHistory } from './allocation-history.ts';

const point = (day: number, tvl: string, ratios: Readonly<Record<string, string>>) =>
  ({
    timestamp: new Date(Date.UTC(2026, 0, day)).toISOString(),
    tvl,
    reserves: Object.entries(ratios).map(([pubkey, allocationRatio]) => ({
      pubkey,
      allocationRatio,
    })),
  }) as unknown as VaultMetricsPoint;

const valuesOf = (...points: readonly VaultMetricsPoint[]) =>
  allocationHistory(points, (reserve) => `in ${reserve}`).series.map(({ label, values }) => [
    label,
    ...values,
  ]);

test('each reserve has its part of the value, and the rest is in none', () => {
  expect(
    valuesOf(point(1, '1000', { A: '0.25', B: '0.5' }), point(2, '2000', { A: '0.1', B: '0.9' })),
  ).toEqual([
    ['in B', '500', '1800'],
    ['in A', '250', '200'],
    ['In no reserve', '250', '0'],
  ]);
});

test('a reserve counts as nothing while the vault is not in it', () => {
  expect(valuesOf(point(1, '100', { A: '1' }), point(2, '100', { B: '0.5', C: '0' }))).toEqual([
    ['in A', '100', '0'],
    ['in B', '0', '50'],
    ['In no reserve', '0', '50'],
  ]);
});

test('the smallest of many reserves are one area', () => {
  const ratios = { A: '0.3', B: '0.2', C: '0.15', D: '0.12', E: '0.1', F: '0.08' };
  expect(valuesOf(point(1, '100', ratios))).toEqual([
    ['in A', '30'],
    ['in B', '20'],
    ['in C', '15'],
    ['in D', '12'],
    ['2 others', '18'],
    ['In no reserve', '5'],
  ]);
});
