import { type Address, toSlot } from '@tidegate/core/base';
import { reserve as reserveLayout } from '@tidegate/core/protocol/klend/layout';
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

function start(seed = 'seed') {
  const fail = (facts: unknown, message: string) => {
    throw new Error(`${message} ${JSON.stringify(facts)}`);
  };
  const log = { debug: fail, info: fail, warn: fail, error: fail };
  const bank = new Bank(golden);
  const keepers = new Keepers({ bank, seed, log });
  /** Brings the cluster to so many slots after its origin. */
  const passTo = (slots: number) => {
    const time = bank.timeOf(toSlot(golden.at.slot + BigInt(slots)));
    keepers.work(time);
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
  return { bank, passTo, dataOf, reserve, prices };
}

test('each reserve is refreshed once in 150 slots, never all of them at once', () => {
  const { bank, passTo } = start();
  for (let slot = 1; slot <= 150; slot++) passTo(slot);
  const changes = bank.changesBetween(golden.at.slot, bank.slot);
  const refreshed = changes.flatMap(({ addresses }) =>
    addresses.filter((address) => reserves.includes(address)),
  );
  expect(refreshed.toSorted()).toEqual(reserves.toSorted());
  const most = Math.max(
    ...changes.map(({ addresses }) => addresses.filter((each) => reserves.includes(each)).length),
  );
  expect(most).toBe(1);
});

test('a refresh brings interest and the price of the feed in the same slot', () => {
  const { passTo, reserve, prices } = start();
  // an hour, after which every price is due
  passTo(9_000);
  for (const address of reserves) {
    const before = reserveLayout.decode(golden.accounts.get(address) ?? never());
    const after = reserve(address);
    expect(after.lastUpdate.slot).toBe(golden.at.slot + 9_000n);
    const { borrowedAmountSf } = before.liquidity;
    if (borrowedAmountSf > 0n) {
      expect(after.liquidity.borrowedAmountSf).toBeGreaterThan(borrowedAmountSf);
    }
    const { priceFeed, priceChain } = after.config.tokenInfo.scopeConfiguration;
    const chain = priceChain.filter((place) => place < 512);
    const entries = chain.flatMap((place) => prices(priceFeed)[place]?.price ?? []);
    const numerator = entries.reduce((product, { value }) => product * value, 1n);
    const decimals = entries.reduce((sum, { exp }) => sum + exp, 0n);
    expect(after.liquidity.marketPriceSf).toBe((numerator << 60n) / 10n ** decimals);
  }
});

test('prices in use get the time of every slot and move, but for rates', () => {
  const { bank, passTo, prices } = start();
  const rates = reserves.flatMap((address) => {
    const { priceFeed, priceChain } = reserveLayout.decode(golden.accounts.get(address) ?? never())
      .config.tokenInfo.scopeConfiguration;
    const chain = priceChain.filter((place) => place < 512);
    return chain.slice(0, -1).map((place) => `${priceFeed} ${place}`);
  });
  expect(rates.length).toBeGreaterThan(0);
  passTo(1);
  passTo(2);
  let moved = 0;
  for (const feed of feeds) {
    const before = oraclePrices.decode(golden.accounts.get(feed) ?? never()).prices;
    prices(feed).forEach((entry, place) => {
      const old = before[place]?.price.value ?? 0n;
      if (old === 0n) {
        expect(entry).toEqual(before[place]);
        return;
      }
      const { slot, unix } = bank.timeOf(bank.slot);
      expect(entry).toMatchObject({ lastUpdatedSlot: slot, unixTimestamp: unix });
      if (rates.includes(`${feed} ${place}`)) expect(entry.price.value).toBe(old);
      else if (entry.price.value !== old) moved++;
    });
  }
  expect(moved).toBeGreaterThan(3);
});

test('the same seed and slot give the same prices, whichever slots were skipped', () => {
  const each = start();
  for (let slot = 1; slot <= 40; slot++) each.passTo(slot);
  const some = start();
  for (const slot of [7, 40]) some.passTo(slot);
  const other = start('another');
  other.passTo(40);
  for (const feed of feeds) {
    expect(some.dataOf(feed)).toEqual(each.dataOf(feed));
    expect(other.dataOf(feed)).not.toEqual(each.dataOf(feed));
  }
});

test('where a price was set, it goes on from there', () => {
  const { bank, passTo, prices } = start();
  passTo(1);
  const [feed = never()] = feeds;
  const account = bank.account(feed) ?? never();
  const decoded = oraclePrices.decode(account);
  const place = decoded.prices.findIndex(({ price }) => price.value > 5n * 10n ** price.exp);
  const entry = decoded.prices[place] ?? never();
  const doubled = { ...entry, price: { ...entry.price, value: entry.price.value * 2n } };
  const data = oraclePrices.encode({ ...decoded, prices: decoded.prices.with(place, doubled) });
  bank.setAccount(feed, { ...account, data });
  passTo(2);
  const ratio = Number(prices(feed)[place]?.price.value) / Number(entry.price.value);
  expect(ratio).toBeCloseTo(2, 2);
});

function never(): never {
  throw new Error('it is there');
}
