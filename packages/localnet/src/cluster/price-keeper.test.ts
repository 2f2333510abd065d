import { toSlot } from '@tidegate/core/base';
import { oraclePrices } from '@tidegate/core/protocol/scope/layout';
import { chainRatio } from '@tidegate/core/protocol/scope/math';
import { expect, test } from 'vitest';
import {
  decodedGenesis,
  SIMULATION_END,
} from '../../../../test/support/localnet/simulated-genesis.ts';
import { Bank } from '../runtime/bank.ts';
import { PriceKeeper } from './price-keeper.ts';

const { accounts, reserves } = decodedGenesis('prices');

test('every reserve price can be pinned, also where the feed quotes it in another token', () => {
  const priceSources = [...reserves].map(([address, { config }]) => ({
    address,
    ...config.tokenInfo.scopeConfiguration,
  }));
  // A staked token: its stake rate, then the price of SOL, which is entry 0.
  expect(priceSources.some(({ priceChain }) => priceChain[0] !== 0 && priceChain[1] === 0)).toBe(
    true,
  );
  for (const { address, priceFeed, priceChain } of priceSources) {
    const bank = new Bank({ accounts, origin: SIMULATION_END });
    const keeper = new PriceKeeper({ bank, seed: 'prices' });
    keeper.hold(address, { numerator: 777n, denominator: 10n });
    bank.close(toSlot(SIMULATION_END.slot + 1n));
    const feed = bank.account(priceFeed);
    const prices = feed && oraclePrices.view(feed).prices;
    const { numerator = 0n, denominator = 1n } = (prices && chainRatio(prices, priceChain)) ?? {};
    // Rounded down to the decimals of the written entry.
    expect((numerator * 100_000n) / denominator).toBeGreaterThanOrEqual(7_769_998n);
    expect((numerator * 100_000n) / denominator).toBeLessThanOrEqual(7_770_000n);
  }
});
