import { expect, test } from 'vitest';
import { toAddress } from '#core/base/encoding/address.ts';
import type { RawAccount } from '#core/base/solana/account.ts';
import { type Reserve, reserve } from '#core/protocol/klend/layout/reserve.ts';
import { oracleMappings } from '#core/protocol/scope/layout/configuration.ts';
import { oraclePrices, oracleTwaps } from '#core/protocol/scope/layout/oracle-prices.ts';
import { mappingEntry } from '#core/protocol/scope/math/mapping-entry.ts';
import { chainPrice } from '#core/protocol/scope/math/price-chain.ts';
import { isTwapValid, twapPrice } from '#core/protocol/scope/math/twap.ts';
import { goldenCluster, goldenFlows, readGolden } from '../support/golden/golden.ts';
import { goldenReserveCount } from '../support/golden/golden-addresses.ts';
import { type MainnetAccount, mainnetAccounts } from '../support/mainnet/mainnet-fixtures.ts';

type ProgramFile = {
  reserves: {
    symbol: string;
    address: string;
    marketPriceSf: string;
    marketPriceLastUpdatedTs: string;
  }[];
};

/** The price that a reserve loads from a price account. */
function priceOf({ config }: Reserve, feed: RawAccount | undefined) {
  if (feed === undefined) return undefined;
  const { priceChain } = config.tokenInfo.scopeConfiguration;
  return chainPrice(oraclePrices.view(feed).prices, priceChain);
}

const storedPrice = ({ liquidity }: Reserve) => ({
  price: liquidity.marketPriceSf,
  unix: liquidity.marketPriceLastUpdatedTs,
});

test('the price chain of every golden reserve gives the price of the program to the bit', () => {
  const { accounts } = goldenCluster();
  const { reserves } = readGolden('program.json') as ProgramFile;
  const ours = reserves.map(({ symbol, address }) => {
    const account = accounts.get(toAddress(address));
    if (account === undefined) return [symbol, undefined];
    const decoded = reserve.decode(account);
    const { priceFeed } = decoded.config.tokenInfo.scopeConfiguration;
    return [symbol, priceOf(decoded, accounts.get(priceFeed))];
  });
  expect(ours).toHaveLength(goldenReserveCount());
  expect(ours).toEqual(
    reserves.map((theirs) => [
      theirs.symbol,
      { price: BigInt(theirs.marketPriceSf), unix: BigInt(theirs.marketPriceLastUpdatedTs) },
    ]),
  );
});

test('some prices are the product of two entries', () => {
  const { accounts } = goldenCluster();
  const chains = [...accounts.values()]
    .filter((account) => reserve.matches(account))
    .map((account) => reserve.decode(account).config.tokenInfo.scopeConfiguration.priceChain);
  expect(chains.filter((chain) => chain.filter((index) => index < 512).length > 1)).not.toEqual([]);
});

test('in every flow a reloaded price equals the price of its chain', () => {
  const loaded = goldenFlows().flatMap((flow) =>
    [...flow.after].flatMap(([address, account]) => {
      const old = flow.before.get(address);
      if (account === undefined || old === undefined || !reserve.matches(account)) return [];
      const [before, after] = [reserve.decode(old), reserve.decode(account)];
      if (storedPrice(before).unix === storedPrice(after).unix) return [];
      const { priceFeed } = after.config.tokenInfo.scopeConfiguration;
      return [{ ours: priceOf(after, flow.before.get(priceFeed)), theirs: storedPrice(after) }];
    }),
  );
  expect(loaded.length).toBeGreaterThan(20);
  expect(loaded.map(({ ours }) => ours)).toEqual(loaded.map(({ theirs }) => theirs));
});

const recorded = (kind: string): MainnetAccount[] =>
  mainnetAccounts().filter((account) => account.kind === kind);

const near = (a: bigint, b: bigint, seconds: bigint) => (a < b ? b - a : a - b) <= seconds;

test('recorded reserves have the prices of price accounts of their time', () => {
  const feeds = recorded('scope-OraclePrices');
  const pairs = recorded('klend-Reserve').flatMap((account) => {
    const decoded = reserve.decode(account);
    return feeds.flatMap((feed) => {
      const ours = priceOf(decoded, feed);
      const theirs = storedPrice(decoded);
      if (ours === undefined || !near(ours.unix, theirs.unix, 3_600n)) return [];
      return [{ ours, theirs }];
    });
  });
  expect(pairs).toHaveLength(3);
  const same = pairs.filter(({ ours, theirs }) => ours.unix === theirs.unix);
  expect(same).toHaveLength(1);
  for (const { ours, theirs } of same) expect(ours).toEqual(theirs);
  for (const { ours, theirs } of pairs) {
    const difference = ours.price - theirs.price;
    expect((difference < 0n ? -difference : difference) * 100n).toBeLessThan(theirs.price);
  }
});

/** Prices and TWAPs have the same time. The mappings are some months older and newer, so only unchanged entries count. */
test('recorded TWAPs are valid and equal the prices of the program', () => {
  const [twapsAccount] = recorded('scope-OracleTwaps');
  const pricesAccount = recorded('scope-OraclePrices').find(({ slot }) => slot === 318_548_583);
  if (twapsAccount === undefined || pricesAccount === undefined) throw new Error('not recorded');
  const { twaps, oracleMappings: address } = oracleTwaps.decode(twapsAccount);
  const { prices } = oraclePrices.decode(pricesAccount);
  const mappings = recorded('scope-OracleMappings')
    .filter((account) => account.address === address)
    .map((account) => oracleMappings.decode(account));
  expect(mappings).toHaveLength(2);
  const averages = prices.flatMap((price, index) => {
    const [average, other] = mappings.map((mapping) => mappingEntry(mapping, index).averageOf);
    if (average === undefined || average.index !== other?.index) return [];
    const twap = twaps[average.index];
    if (twap === undefined || twap.lastUpdateSlot !== price.lastUpdatedSlot) return [];
    return [{ price, twap, period: average.period }];
  });
  expect(averages.length).toBeGreaterThan(60);
  for (const { price, twap, period } of averages) {
    const { genericData, ...actual } = price;
    expect(twapPrice(twap, period)).toEqual(actual);
    expect(isTwapValid(twap, period, price.unixTimestamp)).toBe(true);
  }
});
