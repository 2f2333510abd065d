import type { VaultMetricsRow } from '@tidegate/client';
import { expect, test } from 'vitest';
import { rateWithRewards, totalValue, valueAfterFees } from './vault-figures.ts';

test('pending fees are in the TVL and not in what the shares are worth', () => {
  const metrics = {
    tokensAvailableUsd: '100.5',
    tokensInvestedUsd: '900',
    sharesIssued: '800',
    sharePrice: '1.25',
  } as VaultMetricsRow;
  expect([totalValue(metrics), valueAfterFees(metrics)]).toEqual(['1000.5', '1000']);
});

test('the rates of all rewards are added to the APY', () => {
  const metrics = {
    apy: '0.05',
    apyFarmRewards: '0.01',
    apyIncentives: '0.002',
    apyReservesIncentives: '0.0003',
  } as VaultMetricsRow;
  expect(rateWithRewards(metrics)).toBe('0.0623');
});
