import { expect, test } from 'vitest';
import { MemoryRateLimitStore } from '#server/http/limits/memory-limit-store.ts';
import { parseRateLimitPolicy } from '#server/http/limits/rate-limit.ts';
import { goldenMarket, goldenReserve, goldenVault } from '../../support/golden/golden-addresses.ts';
import { startHistoryApi } from '../../support/history/history-api.ts';
import { goldenApi, startApi } from '../../support/http/test-api.ts';

const MARKET = goldenMarket('Main Market').address;
const RESERVE = goldenReserve('Main Market', 'USDC').address;
const VAULT = goldenVault('Steady USDC').address;
const WALLET = '11111111111111111111111111111111';
const MINT = 'So11111111111111111111111111111111111111112';

/** Paths as clients of the hosted API call them, with the path of the same operation. */
const HOSTED_PATHS: readonly (readonly [hosted: string, path: string])[] = [
  ['/v2/kamino-market', '/v2/svc-market'],
  [`/v2/kamino-market/${MARKET}`, `/v2/svc-market/${MARKET}`],
  [`/kamino-market/${MARKET}`, `/v2/svc-market/${MARKET}`],
  [`/kamino-market/${MARKET}/reserves/metrics`, `/svc-market/${MARKET}/reserves/metrics`],
  [`/kamino-market/${MARKET}/leverage/metrics`, `/svc-market/${MARKET}/leverage/metrics`],
  [
    `/kamino-market/reserves/account-data?markets=${MARKET}`,
    `/svc-market/reserves/account-data?markets=${MARKET}`,
  ],
  [
    `/kamino-market/${MARKET}/users/${WALLET}/obligations`,
    `/svc-market/${MARKET}/users/${WALLET}/obligations`,
  ],
  [`/kvaults/${VAULT}`, `/kvaults/vaults/${VAULT}`],
  [`/kvaults/${VAULT}/metrics`, `/kvaults/vaults/${VAULT}/metrics`],
];

test.each(HOSTED_PATHS)('%s is answered without a setting', async (hosted, path) => {
  const { get } = await goldenApi();
  const [asHosted, canonical] = [await get(hosted), await get(path)];
  expect(asHosted.status).toBe(200);
  expect(asHosted.body).toEqual(canonical.body);
});

test.each([
  `/kamino-market/${MARKET}/metrics/history?env=localnet&start=2025-01-01`,
  `/kamino-market/${MARKET}/reserves/${RESERVE}/metrics/history?env=localnet`,
  `/v2/kamino-market/${MARKET}/users/${WALLET}/transactions/`,
  `/v3/kamino-market/users/${WALLET}/transactions`,
  `/staking-yields/tokens/${MINT}/history?start=2024-01-01T00:00Z&end=2024-02-01T01:00Z`,
  `/kvaults/${VAULT}/metrics/history?start=2025-01-01T00%3A00Z&end=2025-01-02T00%3A00Z`,
  '/prices?env=localnet&source=scope',
  `/reserves/${RESERVE}/stats`,
  `/markets/${MARKET}/reserves/${RESERVE}/stats`,
  `/reserves/batch/stats?market=${MARKET}`,
  `/markets/collateral-reserves?market=${MARKET}`,
  '/v2/staking-yields',
  '/oracles/prices',
  '/slots/duration',
])('the hosted path %s is served', async (path) => {
  const { get } = await startHistoryApi();
  expect((await get(path)).status).toBe(200);
});

test('prices have the fields that clients read, equal to the oracle prices', async () => {
  const { get } = await goldenApi();
  const prices = (await get('/prices?source=scope')).body as Record<string, string>[];
  const oracle = (await get('/oracles/prices')).body as Record<string, string>[];
  expect(prices.length).toBe(7);
  expect(prices).toEqual(
    oracle.map(({ price, mint, name }) => ({ usdPrice: price, token: name, mint })),
  );
  expect((await get('/prices?source=birdeye')).status).toBe(400);
});

test('a client can find what it may borrow against a collateral', async () => {
  const { get } = await goldenApi();
  type Terms = { reserve: string; elevationGroup: number; maxLtv: string };
  const { collateralReserves } = (await get('/markets/collateral-reserves')).body as {
    collateralReserves: { name: string; collateralReserve: string; borrowReserveTerms: Terms[] }[];
  };
  type Cap = { collateralReserve: string; elevationGroup: number };
  type Stats = { status: string; borrowCaps: { debtAgainstCollateral: Cap[] } };
  let inGroups = 0;
  for (const { collateralReserve, borrowReserveTerms } of collateralReserves) {
    for (const { reserve, elevationGroup } of borrowReserveTerms) {
      const { status, borrowCaps } = (await get(`/reserves/${reserve}/stats`)).body as Stats;
      expect(status).toBe('Active');
      if (elevationGroup === 0) continue;
      inGroups += 1;
      // each term in a group has its limit in the stats of the debt
      expect(borrowCaps.debtAgainstCollateral).toContainEqual(
        expect.objectContaining({ collateralReserve, elevationGroup }),
      );
    }
  }
  expect(inGroups).toBeGreaterThan(0);
});

test('an alias costs as much as its path and shares its cached response', async () => {
  const policy = parseRateLimitPolicy('anonymous', '100/1h');
  if (policy === undefined) throw new Error('invalid limit');
  const clock = () => 0;
  const store = new MemoryRateLimitStore(clock);
  const limits = { store, anonymous: policy, loopback: policy, key: policy };
  const { get } = await startApi({ clock, limits });
  const remaining = async (path: string) => {
    const { headers } = await get(path);
    return Number(/r=(\d+)/.exec(headers.get('ratelimit') ?? '')?.[1]);
  };
  // the leverage metrics cost 2 units
  expect(await remaining(`/svc-market/${MARKET}/leverage/metrics`)).toBe(98);
  expect(await remaining(`/kamino-market/${MARKET}/leverage/metrics`)).toBe(96);
  expect(await remaining(`/kamino-market/${MARKET}/leverage/metrics`)).toBe(94);
  const etags = [];
  for (const segment of ['svc-market', 'kamino-market']) {
    etags.push((await get(`/${segment}/${MARKET}/reserves/metrics`)).headers.get('etag'));
  }
  expect(etags[0]).not.toBeNull();
  expect(etags[1]).toBe(etags[0]);
});
