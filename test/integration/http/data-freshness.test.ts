import { expect, test } from 'vitest';
import { toSlot, toUnixSeconds } from '#core/base/time.ts';
import { createClusters } from '#server/clusters/served-clusters.ts';
import { goldenCluster } from '../../support/golden/golden.ts';
import { goldenMarket } from '../../support/golden/golden-addresses.ts';
import { staticCluster } from '../../support/golden/golden-clusters.ts';
import { goldenReader } from '../../support/golden/golden-reader.ts';
import { startApi, statusAndBody } from '../../support/http/test-api.ts';

const { slot: SLOT, unix } = goldenCluster().at;
const PATH = '/tokens-api/tokens?limit=1';

test('every response has the slot, block time, commitment and age of the data', async () => {
  const now = 1_760_000_000_000;
  const clusters = createClusters([staticCluster({ ageMs: () => 5_000.4 })]);
  const { get } = await startApi({ clusters, clock: () => now });
  for (const path of [PATH, PATH, '/nope', '/status']) {
    const { headers } = await get(path);
    expect(headers.get('x-slot')).toBe(String(SLOT));
    expect(headers.get('x-block-time')).toBe(new Date(Number(unix) * 1000).toISOString());
    expect(headers.get('x-commitment')).toBe('confirmed');
    expect(headers.get('x-data-age')).toBe('5000');
  }
});

test('an unknown cluster is rejected, also by operations without an env parameter', async () => {
  const { get } = await startApi();
  expect(statusAndBody(await get(`${PATH}&env=devnet`))).toEqual({
    status: 400,
    body: {
      error: 'The cluster devnet is not served. Use one of: localnet.',
      details: [
        {
          path: ['env'],
          code: 'unknown_cluster',
          message: 'The cluster devnet is not served. Use one of: localnet.',
        },
      ],
    },
  });
  expect((await get(`${PATH}&env=localnet`)).status).toBe(200);
  // A cached response of the operation is not used for another cluster.
  expect((await get(`${PATH}&env=devnet`)).status).toBe(400);
});

test('the headers describe the requested cluster', async () => {
  const at = { slot: toSlot(7n), unix: toUnixSeconds(1_700_000_000n) };
  const devnet = staticCluster({ env: 'devnet', reader: goldenReader({ at }) });
  const { get } = await startApi({ clusters: createClusters([staticCluster(), devnet]) });
  const reserves = `/svc-market/${goldenMarket('Main Market').address}/reserves/metrics`;
  const ofDevnet = (await get(`${reserves}?env=devnet`)).headers;
  expect([ofDevnet.get('x-env'), ofDevnet.get('x-slot')]).toEqual(['devnet', '7']);
  const ofPrimary = (await get(reserves)).headers;
  expect([ofPrimary.get('x-env'), ofPrimary.get('x-slot')]).toEqual(['localnet', String(SLOT)]);
});

test('a minimum slot that is reached is served, by parameter or header', async () => {
  const { get } = await startApi();
  expect((await get(`${PATH}&minContextSlot=${SLOT}`)).status).toBe(200);
  expect((await get(PATH, { 'x-min-context-slot': '1' })).status).toBe(200);
});

test('a minimum slot that is not reached is rejected as stale, also with a cached response', async () => {
  const { get } = await startApi();
  await get(PATH);
  await get(PATH);
  const stale = await get(PATH, { 'x-min-context-slot': String(SLOT + 1n) });
  expect(stale.headers.get('retry-after')).toBe('1');
  expect(statusAndBody(stale)).toEqual({
    status: 503,
    body: {
      error: `The latest slot is ${SLOT}, but slot ${SLOT + 1n} is required. Retry in 1 s.`,
      code: 'STALE_READ',
    },
  });
});

test('a request waits up to a second for its minimum slot', async () => {
  const waitForSlot = (_: bigint, timeoutMs: number) =>
    new Promise<boolean>((resolve) => setImmediate(() => resolve(timeoutMs === 1000)));
  const { get } = await startApi({ clusters: createClusters([staticCluster({ waitForSlot })]) });
  expect((await get(`${PATH}&minContextSlot=999999999`)).status).toBe(200);
});

test.each(['', 'x', '-1', '1.5', '1e3', '9'.repeat(21)])(
  'minContextSlot=%s is rejected',
  async (text) => {
    const { get } = await startApi();
    const { status, body } = await get(`${PATH}&minContextSlot=${text}`);
    expect(status).toBe(400);
    expect(body).toMatchObject({ details: [{ path: ['minContextSlot'] }] });
  },
);

test.each(['/health', '/ready', '/status', '/metrics', '/openapi.json', '/docs/', '/llms.txt'])(
  '%s has no slot, so it does not wait for one',
  async (path) => {
    const waitForSlot = () => Promise.reject(new Error('waited'));
    const { url } = await startApi({ clusters: createClusters([staticCluster({ waitForSlot })]) });
    for (const slot of ['999999999', 'x']) {
      const response = await fetch(`${url}${path}`, { headers: { 'x-min-context-slot': slot } });
      expect(response.status).toBe(200);
    }
  },
);
