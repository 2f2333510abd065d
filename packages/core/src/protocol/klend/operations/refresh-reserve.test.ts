import { expect, test } from 'vitest';
import {
  exampleLendingContext,
  exampleReserve,
  NOW,
  SLOT,
} from '../../../../../../test/support/lending/lending-accounts.ts';
import { toLamports } from '../../../base/numbers/lamports.ts';
import { sfFromInt } from '../../../base/numbers/scaled-fraction.ts';
import { toSlot, toUnixSeconds } from '../../../base/time.ts';
import type { Reserve } from '../layout/reserve.ts';
import { refreshReserve } from './refresh-reserve.ts';

const laterContext = (reserveRewardsMaxAprBps = 0) => {
  const { market, rules } = exampleLendingContext();
  return {
    market: { ...market, reserveRewardsMaxAprBps },
    rules,
    time: { slot: toSlot(SLOT + 100n), unix: NOW },
  };
};

const fresh = { price: { price: sfFromInt(2n), unix: NOW }, twap: undefined };

const withConfig = (config: Partial<Reserve['config']>): Reserve => {
  const reserve = exampleReserve();
  return { ...reserve, config: { ...reserve.config, ...config } };
};

test('a refresh distributes rewards of the elapsed slots', () => {
  const { liquidity, ...rest } = withConfig({ rewardsAmountPerSlot: toLamports(3n) });
  const rewarded = {
    ...rest,
    liquidity: { ...liquidity, rewardsAmountAvailable: toLamports(1_000n) },
  };
  const refreshed = refreshReserve(rewarded, laterContext(10_000), fresh).liquidity;
  expect(refreshed.totalAvailableAmount).toBe(10n ** 12n + 300n);
  expect(refreshed.rewardsAmountAvailable).toBe(700n);
  const disabled = refreshReserve(rewarded, laterContext(0), fresh).liquidity;
  expect(disabled.rewardsAmountAvailable).toBe(1_000n);
});

test('in emergency mode the price is not loaded and loses its checks and its time', () => {
  const usual = refreshReserve(withConfig({}), laterContext(), fresh);
  expect(usual.lastUpdate.priceStatus).toBe(63);
  const stored = exampleReserve().liquidity.marketPriceSf;
  const { lastUpdate, liquidity } = refreshReserve(
    withConfig({ emergencyMode: 1 }),
    laterContext(),
    { ...fresh, price: { ...fresh.price, unix: toUnixSeconds(NOW) } },
  );
  expect(lastUpdate).toMatchObject({ slot: SLOT + 100n, stale: 0, priceStatus: 0 });
  expect(liquidity.marketPriceSf).toBe(stored);
  expect(liquidity.marketPriceLastUpdatedTs).toBe(0n);
});
