import { expect, test } from 'vitest';
import { toAddress, ZERO_ADDRESS } from '#core/base/encoding/address.ts';
import { ratio } from '#core/base/numbers/decimal.ts';
import { oraclePrices } from '#core/protocol/scope/layout/oracle-prices.ts';
import type { MarketListing } from '#core/views/lending/market-listing.ts';
import { createRegistry, emptyRegistry } from '#server/registry/registry.ts';
import { goldenCluster, readGolden } from '../../support/golden/golden.ts';
import { goldenMarket, goldenReserve } from '../../support/golden/golden-addresses.ts';
import { goldenClusters } from '../../support/golden/golden-clusters.ts';
import { goldenReader } from '../../support/golden/golden-reader.ts';
import { goldenWithAccounts } from '../../support/golden/golden-variants.ts';
import { goldenApi, startApi } from '../../support/http/test-api.ts';

const MAIN = goldenMarket('Main Market').address;
const JLP_MARKET = goldenMarket('JLP Market').address;
const FEED = goldenReserve('Main Market', 'SOL').scopeFeed;
const KLEND = toAddress('KLend2g3cP87fffoy8q1mQqGKjrxjC8boSyAYavgmjD');

type Price = Record<'price' | 'mint' | 'maxAgeInSeconds' | 'timestamp' | 'name', string>;

const listing = (address: typeof MAIN, isPrimary: boolean): MarketListing => ({
  address,
  programId: KLEND,
  name: isPrimary ? 'The main one' : 'Another',
  description: '',
  isPrimary,
  isCurated: false,
  lookupTable: ZERO_ADDRESS,
});

const registryOf = (...markets: MarketListing[]) => createRegistry({ ...emptyRegistry, markets });

test('listOraclePrices: returns each token once at its oracle price', async () => {
  const { prices } = readGolden('expected.json') as {
    prices: Record<string, { mint: string; usd: number }>;
  };
  const { get } = await goldenApi();
  const list = (await get('/oracles/prices')).body as Price[];
  expect(list.length).toBe(7);
  expect(new Set(list.map(({ mint }) => mint)).size).toBe(7);
  for (const { name, mint, price, timestamp, maxAgeInSeconds } of list) {
    expect(mint).toBe(prices[name]?.mint);
    expect(Math.abs(Number(price) / Number(prices[name]?.usd) - 1)).toBeLessThan(1e-12);
    expect({ timestamp, maxAgeInSeconds }).toEqual({
      timestamp: '1760694919',
      maxAgeInSeconds: '180',
    });
  }
});

test('listOraclePrices: main has the primary market only, all has every listed market', async () => {
  const registry = registryOf(listing(JLP_MARKET, false), listing(MAIN, true));
  const { get } = await startApi({ clusters: goldenClusters({ registry }) });
  const main = (await get('/oracles/prices?markets=main')).body as Price[];
  expect(main.map(({ name }) => name).sort()).toEqual(
    ['CBBTC', 'JITOSOL', 'PYUSD', 'SOL', 'USDC', 'USDT'].sort(),
  );
  const all = (await get('/oracles/prices?markets=all')).body as {
    name: string;
    isPrimary: boolean;
    lendingMarket: string;
    prices: Price[];
  }[];
  expect(all.map(({ name, isPrimary, lendingMarket }) => [name, isPrimary, lendingMarket])).toEqual(
    [
      ['The main one', true, MAIN],
      ['Another', false, JLP_MARKET],
    ],
  );
  expect(all[0]?.prices).toEqual(main);
  expect(all[1]?.prices.map(({ name }) => name).sort()).toEqual(['JLP', 'SOL', 'USDC']);
});

test('listOraclePrices: mints selects tokens', async () => {
  const { get } = await goldenApi();
  const all = (await get('/oracles/prices')).body as Price[];
  const mintOf = (symbol: string) => all.find(({ name }) => name === symbol)?.mint ?? '';
  const names = async (query: string) =>
    ((await get(`/oracles/prices?${query}`)).body as Price[]).map(({ name }) => name);
  expect(await names(`mints=${mintOf('SOL')}`)).toEqual(['SOL']);
  expect((await names(`mints=${mintOf('USDC')},${mintOf('SOL')},${MAIN}`)).sort()).toEqual([
    'SOL',
    'USDC',
  ]);
  expect(await names(`mints=${MAIN}`)).toEqual([]);
  const perMarket = (await get(`/oracles/prices?markets=all&mints=${mintOf('JLP')}`)).body;
  expect(
    (perMarket as { lendingMarket: string; prices: Price[] }[]).map((market) => [
      market.lendingMarket,
      market.prices.map(({ name }) => name),
    ]),
  ).toEqual(
    expect.arrayContaining([
      [MAIN, []],
      [JLP_MARKET, ['JLP']],
    ]),
  );
  expect((await get(`/oracles/prices?mints=${mintOf('SOL')},x`)).status).toBe(400);
});

test('an unlisted market has no prices', async () => {
  const registry = registryOf(listing(JLP_MARKET, true));
  const { get } = await startApi({ clusters: goldenClusters({ registry }) });
  const all = (await get('/oracles/prices?markets=all')).body as { lendingMarket: string }[];
  expect(all.map(({ lendingMarket }) => lendingMarket)).toEqual([JLP_MARKET]);
});

test('invalid prices are omitted', async () => {
  const raw = goldenCluster().accounts.get(FEED);
  if (raw === undefined) throw new Error('no feed');
  const decoded = oraclePrices.decode(raw);
  const prices = decoded.prices.map((entry, index) => {
    if (index === 40) return { ...entry, price: { value: 1n, exp: 99n } };
    return entry;
  });
  const data = oraclePrices.encode({ ...decoded, prices });
  const reader = goldenReader(goldenWithAccounts([[FEED, { owner: raw.owner, data }]]));
  const { get } = await startApi({ clusters: goldenClusters({ reader }) });
  const list = (await get('/oracles/prices')).body as Price[];
  expect(list.map(({ name }) => name)).not.toContain('CBBTC');
  expect(list.length).toBe(6);
});

test('getSlotDuration: returns the measured duration', async () => {
  const reader = goldenReader({ slotMs: ratio(5003n, 12n) });
  const { get } = await startApi({ clusters: goldenClusters({ reader }) });
  const { body } = await get('/slots/duration');
  expect(body).toEqual({ recentSlotDurationInMs: 416.9166666666667 });
});

test('markets must be main or all', async () => {
  const { get } = await goldenApi();
  const { status, body } = await get('/oracles/prices?markets=some');
  expect(status).toBe(400);
  expect(body).toMatchObject({ details: [{ path: ['markets'], code: 'invalid_value' }] });
});
