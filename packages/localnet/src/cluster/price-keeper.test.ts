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

test('the price of every reserve can be held, also where the feed counts it in the token of its first entry', () => {
  const places = [...reserves].map(([address, { config }]) => ({
    address,
    ...config.tokenInfo.scopeConfiguration,
  }));
  // a staked token: its rate, then the price of SOL, which is entry 0
  expect(places.some(({ priceChain }) => priceChain[0] !== 0 && priceChain[1] === 0)).toBe(true);
  for (const { address, priceFeed, priceChain } of places) {
    const bank = new Bank({ accounts, at: SIMULATION_END });
    const keeper = new PriceKeeper({ bank, seed: 'prices' });
    keeper.hold(address, { numerator: 777n, denominator: 10n });
    bank.close(toSlot(SIMULATION_END.slot + 1n));
    const feed = bank.account(priceFeed);
    const prices = feed && oraclePrices.view(feed).prices;
    const { numerator = 0n, denominator = 1n } = (prices && chainRatio(prices, priceChain)) ?? {};
    // rounded down to the decimals of the entry that was written
    expect((numerator * 100_000n) / denominator).toBeGreaterThanOrEqual(7_769_998n);
    expect((numerator * 100_000n) / denominator).toBeLessThanOrEqual(7_770_000n);
  }
});
