import { expect, test } from 'vitest';
import { toSlot, toUnixSeconds } from '#core/base/time.ts';
import { createClusters } from '#server/clusters/served-clusters.ts';
import { goldenMarket, goldenVault } from '../../support/golden/golden-addresses.ts';
import { staticCluster } from '../../support/golden/golden-clusters.ts';
import { goldenReader } from '../../support/golden/golden-reader.ts';
import { startApi } from '../../support/http/test-api.ts';

const RESERVES = `/svc-market/${goldenMarket('Main Market').address}/reserves/metrics`;
const VAULT = `/kvaults/vaults/${goldenVault('Steady USDC').address}`;
const METADATA = `/kvaults/mints/${goldenVault('Steady USDC').sharesMint}/metadata`;

/** The reader of a cluster without accounts, at slot 7. */
const emptyAtSlot7 = () =>
  goldenReader({
    accounts: new Map(),
    at: { slot: toSlot(7n), unix: toUnixSeconds(1_700_000_000n) },
  });

const serve = (aliases: readonly (readonly [string, 'localnet' | 'devnet'])[]) =>
  startApi({
    clusters: createClusters(
      [staticCluster(), staticCluster({ env: 'devnet', reader: emptyAtSlot7() })],
      new Map(aliases),
    ),
  });

test('without an alias, a cluster that is not served is rejected', async () => {
  const { get } = await serve([]);
  for (const path of [RESERVES, VAULT]) {
    expect((await get(`${path}?env=mainnet-beta`)).status).toBe(400);
  }
});

test('an alias answers like the cluster, and x-env has the name of the cluster', async () => {
  const { get } = await serve([['mainnet-beta', 'localnet']]);
  for (const path of [RESERVES, VAULT]) {
    const direct = await get(`${path}?env=localnet`);
    expect(JSON.stringify(direct.body).length).toBeGreaterThan(100);
    for (let repeat = 0; repeat < 3; repeat++) {
      const response = await get(`${path}?env=mainnet-beta`);
      expect([response.status, response.body]).toEqual([200, direct.body]);
      expect(response.headers.get('x-env')).toBe('localnet');
      expect(response.headers.get('x-slot')).toBe(direct.headers.get('x-slot'));
      expect(response.headers.get('access-control-expose-headers')).toBe('*');
    }
  }
});

test('cached responses of an alias, its cluster and another cluster are not mixed up', async () => {
  const { get } = await serve([['mainnet-beta', 'devnet']]);
  const full = (await get(RESERVES)).body;
  for (let repeat = 0; repeat < 3; repeat++) {
    for (const [query, env, body] of [
      ['?env=mainnet-beta', 'devnet', []],
      ['?env=localnet', 'localnet', full],
      ['?env=devnet', 'devnet', []],
      ['', 'localnet', full],
    ] as const) {
      const response = await get(`${RESERVES}${query}`);
      expect(response.body).toEqual(body);
      expect(response.headers.get('x-env')).toBe(env);
      expect(response.headers.get('x-slot') === '7').toBe(env === 'devnet');
    }
  }
});

test('an operation without env reads the primary cluster, and its headers say so', async () => {
  const { get } = await serve([['mainnet-beta', 'devnet']]);
  for (const env of ['devnet', 'mainnet-beta', 'devnet', 'mainnet-beta']) {
    const { status, headers } = await get(`${VAULT}?env=${env}`);
    expect([status, headers.get('x-env')]).toEqual([200, 'localnet']);
    expect(headers.get('x-slot')).not.toBe('7');
    expect((await get(`${VAULT}?env=${env}&minContextSlot=8`)).status).toBe(200);
  }
  expect((await get(`${RESERVES}?env=devnet&minContextSlot=8`)).status).toBe(503);
});

test('an error says which cluster its headers describe', async () => {
  const { get } = await serve([]);
  const { status, headers } = await get(`${RESERVES}?env=mainnet-beta`);
  expect([status, headers.get('x-env')]).toEqual([400, 'localnet']);
  expect((await get('/nope')).headers.get('x-env')).toBe('localnet');
});

test('metadata requested by an alias links to the cluster', async () => {
  const { get } = await serve([['mainnet-beta', 'localnet']]);
  const { image } = (await get(`${METADATA}?env=mainnet-beta`)).body as { image: string };
  expect(new URL(image).search).toBe('?env=localnet');
});
