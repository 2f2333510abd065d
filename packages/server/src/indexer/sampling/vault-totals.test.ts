import { type Ratio, toAddress, toUnixSeconds, ZERO_RATIO } from '@tidegate/core/base';
import { expect, test } from 'vitest';
import { VaultTotalsAccumulator } from './vault-totals.ts';

const VAULT = toAddress('HDsayqAsDWy3QvANGqh2yNraqcD8Fnjgh73Mhb3WRS5E');

const whole = (value: bigint): Ratio => ({ numerator: value, denominator: 1n });
const numberOf = ({ numerator, denominator }: Ratio): number =>
  Number(numerator) / Number(denominator);

test('a loss takes back interest that had accrued, and the recovery is counted once', () => {
  const accumulator = new VaultTotalsAccumulator();
  const interestUsd = [10n, 14n, 11n, 14n, 16n].map((interest, i) => {
    const totals = accumulator.addInterval({
      vault: VAULT,
      at: toUnixSeconds(BigInt(i) * 60n),
      counters: {
        interest: whole(interest),
        managementFee: ZERO_RATIO,
        performanceFee: ZERO_RATIO,
      },
      tokenPrice: whole(2n),
      solPrice: whole(100n),
      farmRewardsUsd: ZERO_RATIO,
      reserveRewardsUsdPerSecond: ZERO_RATIO,
    });
    return Math.round(numberOf(totals.interestUsd) * 1e9) / 1e9;
  });
  expect(interestUsd).toEqual([20, 28, 22, 28, 32]);
});
