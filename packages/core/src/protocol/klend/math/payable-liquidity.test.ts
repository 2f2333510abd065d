import { expect, test } from 'vitest';
import { goldenReserve } from '../../../../../../test/support/golden/golden-addresses.ts';
import { goldenReader } from '../../../../../../test/support/golden/golden-reader.ts';
import { toUnixSeconds } from '../../../base/time.ts';
import { NEWEST_LENDING_RULES } from '../releases.ts';
import { payableLiquidity } from './liquidity.ts';

const NOW = toUnixSeconds(1_790_000_000n);
const { fields } = present(goldenReader().reserve(goldenReserve('Main Market', 'SOL').address));
const { liquidity, collateral, config } = fields;
const reserve = { liquidity, collateral, config, withdrawQueue: { queuedCollateralAmount: 0n } };
const withConfig = (changes: object) => ({ ...reserve, config: { ...given, ...changes } });
const given = {
  depositWithdrawalCap: { ...config.depositWithdrawalCap, configIntervalLengthSeconds: 0n },
  emergencyMode: 0,
};

test('without a queue and a cap, everything that is not lent is paid out', () => {
  expect(
    payableLiquidity(
      withConfig({}),
      { emergencyMode: 0 },
      { now: NOW, rules: NEWEST_LENDING_RULES },
    ),
  ).toBe(liquidity.totalAvailableAmount);
});

test('a cap leaves what its interval has not used', () => {
  const depositWithdrawalCap = {
    ...given.depositWithdrawalCap,
    configIntervalLengthSeconds: 3_600n,
    lastIntervalStartTimestamp: NOW,
    configCapacity: 1_000n,
    currentTotal: 400n,
  };
  expect(
    payableLiquidity(withConfig({ depositWithdrawalCap }), undefined, {
      now: NOW,
      rules: NEWEST_LENDING_RULES,
    }),
  ).toBe(600n);
});

test('in emergency mode nothing is paid out', () => {
  expect(
    payableLiquidity(withConfig({ emergencyMode: 1 }), undefined, {
      now: NOW,
      rules: NEWEST_LENDING_RULES,
    }),
  ).toBe(0n);
  expect(
    payableLiquidity(
      withConfig({}),
      { emergencyMode: 1 },
      { now: NOW, rules: NEWEST_LENDING_RULES },
    ),
  ).toBe(0n);
});

function present<Value>(value: Value | undefined): Value {
  if (value === undefined) throw new Error('the golden cluster has no such reserve');
  return value;
}
