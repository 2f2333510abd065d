import { toSlot, toUnixSeconds } from '@tidegate/core/base';
import { expect, test } from 'vitest';
import { goldenReader } from '../../../../../test/support/golden/golden-reader.ts';
import { emptyRegistry } from '../../registry/registry.ts';
import type { HistoricalPrices } from './historical-prices.ts';
import { SlotPrices } from './slot-prices.ts';

const samples: HistoricalPrices = {
  priceAt: () => undefined,
  solPriceAt: () => undefined,
  stakeRateAt: () => undefined,
  tokensPerShareAt: () => undefined,
};

test('slots that state skips after a rollback have the prices of samples', () => {
  const prices = new SlotPrices();
  const reader = goldenReader();
  const record = (slot: bigint) =>
    prices.record(reader, emptyRegistry, { slot: toSlot(slot), unix: toUnixSeconds(slot) });
  const areSampled = (slots: readonly bigint[]) =>
    slots.map((slot) => prices.at(toSlot(slot), samples) === samples);
  record(10n);
  record(12n);
  expect(areSampled([9n, 10n, 11n, 12n, 13n])).toEqual([true, false, false, false, true]);
  prices.rollBack(toSlot(12n));
  prices.rollBack(toSlot(11n));
  expect(areSampled([10n, 11n, 12n])).toEqual([false, true, true]);
  record(15n);
  expect(areSampled([10n, 11n, 14n, 15n])).toEqual([false, true, true, false]);
});
