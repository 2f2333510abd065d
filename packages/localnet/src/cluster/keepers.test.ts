import { type Address, toSlot } from '@tidegate/core/base';
import { reserve as reserveLayout } from '@tidegate/core/protocol/klend/layout';
import { NEWEST_RULES } from '@tidegate/core/protocol/releases';
import { oraclePrices } from '@tidegate/core/protocol/scope/layout';
import { expect, test } from 'vitest';
import { goldenCluster } from '../../../../test/support/golden/golden.ts';
import { Bank } from '../runtime/bank.ts';
import { Keepers } from './keepers.ts';

const golden = goldenCluster();
const reserves = [...golden.accounts]
  .filter(([, account]) => reserveLayout.matches(account))
  .map(([address]) => address);
const feeds = [...golden.accounts]
  .filter(([, account]) => oraclePrices.matches(account))
  .map(([address]) => address);

function start(seed = 'seed', hasBinaries = false) {
  const fail = (context: unknown, message: string) => {
    throw new Error(`${message} ${JSON.stringify(context)}`);
  };
  const log = { debug: fail, info: fail, warn: fail, error: fail };
  const bank = new Bank({ ...golden, origin: golden.at });
  const keepers = new Keepers({ bank, seed, rulesAt: () => NEWEST_RULES, log, hasBinaries });
  /** Advances the cluster to a slot relative to its origin. */
  const advanceTo = (slots: number) => {
    const time = bank.timeOf(toSlot(golden.at.slot + BigInt(slots)));
    keepers.run(time);
    bank.close(time.slot);
  };
  const dataOf = (address: Address) => bank.account(address)?.data ?? new Uint8Array();
  const reserve = (address: Address) => {
    const account = bank.account(address);
    if (account === undefined) throw new Error('no reserve');
    return reserveLayout.decode(account);
  };
  const prices = (address: Address) => {
    const account = bank.account(address);
    if (account === undefined) throw new Error('no feed');
    return oraclePrices.decode(account).prices;
  };
  return { bank, passTo: advanceTo, dataOf, reserve, prices };
}

test('each reserve is refreshed once in 150 slots, never two in one slot', () => {
  const { bank, passTo: advanceTo } = start();
  for (let slot = 1; slot <= 150; slot++) advanceTo(slot);
  const changes = bank.changesBetween(golden.at.slot, bank.slot);
  const refreshed = changes.flatMap(({ addresses }) =>
    addresses.filter((address) => reserves.includes(address)),
  );
  expect(refreshed.toSorted()).toEqual(reserves.toSorted());
  const maxPerSlot = Math.max(
    ...changes.map(
      ({ addresses }) => addresses.filter((address) => reserves.includes(address)).length,
    ),
  );
  expect(maxPerSlot).toBe(1);
});

test('a refresh accrues interest and applies the feed price of the same slot', () => {
  const { passTo: advanceTo, reserve, prices } = start();
  // After an hour, every price is due.
  advanceTo(9_000);
  for (const address of reserves) {
    const before = reserveLayout.decode(golden.accounts.get(address) ?? never());
    const after = reserve(address);
    expect(after.lastUpdate.slot).toBe(golden.at.slot + 9_000n);
    const { borrowedAmountSf } = before.liquidity;
    if (borrowedAmountSf > 0n) {
      expect(after.liquidity.borrowedAmountSf).toBeGreaterThan(borrowedAmountSf);
    }
    const { priceFeed, priceChain } = after.config.tokenInfo.scopeConfiguration;
    const chain = priceChain.filter((index) => index < 512);
    const entries = chain.flatMap((index) => prices(priceFeed)[index]?.price ?? []);
    const numerator = entries.reduce((product, { value }) => product * value, 1n);
    const decimals = entries.reduce((sum, { exp }) => sum + exp, 0n);
    expect(after.liquidity.marketPriceSf).toBe((numerator << 60n) / 10n ** decimals);
  }
});

test('prices in use are updated in every slot and move, except stake rates', () => {
  const { bank, passTo: advanceTo, prices } = start();
  const rates = reserves.flatMap((address) => {
    const { priceFeed, priceChain } = reserveLayout.decode(golden.accounts.get(address) ?? never())
      .config.tokenInfo.scopeConfiguration;
    const chain = priceChain.filter((index) => index < 512);
    return chain.slice(0, -1).map((index) => `${priceFeed} ${index}`);
  });
  expect(rates.length).toBeGreaterThan(0);
  advanceTo(1);
  advanceTo(2);
  let moved = 0;
  for (const feed of feeds) {
    const before = oraclePrices.decode(golden.accounts.get(feed) ?? never()).prices;
    prices(feed).forEach((entry, index) => {
      const old = before[index]?.price.value ?? 0n;
      if (old === 0n) {
        expect(entry).toEqual(before[index]);
        return;
      }
      const { slot, unix } = bank.timeOf(bank.slot);
      expect(entry).toMatchObject({ lastUpdatedSlot: slot, unixTimestamp: unix });
      if (rates.includes(`${feed} ${index}`)) expect(entry.price.value).toBe(old);
      else if (entry.price.value !== old) moved++;
    });
  }
  expect(moved).toBeGreaterThan(3);
});

test('the same seed and slot give the same prices, whichever slots were skipped', () => {
  const address = start();
  for (let slot = 1; slot <= 40; slot++) address.passTo(slot);
  const skipping = start();
  for (const slot of [7, 40]) skipping.passTo(slot);
  const other = start('another');
  other.passTo(40);
  for (const feed of feeds) {
    expect(skipping.dataOf(feed)).toEqual(address.dataOf(feed));
    expect(other.dataOf(feed)).not.toEqual(address.dataOf(feed));
  }
});

test('a price continues from a value that was set', () => {
  const { bank, passTo: advanceTo, prices } = start();
  advanceTo(1);
  const [feed = never()] = feeds;
  const account = bank.account(feed) ?? never();
  const decoded = oraclePrices.decode(account);
  const index = decoded.prices.findIndex(({ price }) => price.value > 5n * 10n ** price.exp);
  const entry = decoded.prices[index] ?? never();
  const doubled = { ...entry, price: { ...entry.price, value: entry.price.value * 2n } };
  const data = oraclePrices.encode({ ...decoded, prices: decoded.prices.with(index, doubled) });
  bank.setAccount(feed, { ...account, data });
  advanceTo(2);
  const ratio = Number(prices(feed)[index]?.price.value) / Number(entry.price.value);
  expect(ratio).toBeCloseTo(2, 2);
});

function never(): never {
  throw new Error('account not found');
}

test('if binaries execute, only prices move: nobody knows the rules by which reserves change', () => {
  const { bank, passTo: advanceTo } = start('seed', true);
  for (let slot = 1; slot <= 150; slot++) advanceTo(slot);
  const changes = bank.changesBetween(golden.at.slot, bank.slot);
  const written = new Set(changes.flatMap(({ addresses }) => addresses));
  expect(reserves.filter((address) => written.has(address))).toEqual([]);
  expect(feeds.filter((address) => written.has(address))).toEqual(feeds);
});
