import { expect, test } from 'vitest';
import { checkResponses, responseSlot } from '../../support/clusters/response-checker.ts';
import {
  LONG_POLL,
  serveLocalnet,
  VAULT_PATH,
  waitUntilReady,
} from '../../support/clusters/served-cluster.ts';
import type { RunningApi } from '../../support/http/test-api.ts';
import {
  type GoldenLocalnet,
  startGoldenLocalnet,
} from '../../support/localnet/golden-localnet.ts';

const NOT_LOADED = { error: 'The cluster localnet is not loaded yet. Retry in 1 s.' };

/** Operations that need the cluster fail until it is loaded; others work. */
async function expectNotLoaded(api: RunningApi): Promise<void> {
  for (const path of ['/v2/svc-market', VAULT_PATH, '/oracles/prices']) {
    const response = await api.get(path);
    expect([response.status, response.body], path).toEqual([503, NOT_LOADED]);
    expect(response.headers.get('retry-after')).toBe('1');
  }
  expect(await api.get('/ready')).toMatchObject({
    status: 503,
    body: {
      ready: false,
      waitingFor: [expect.stringMatching(/^localnet: loading, \d+ of \d+/)],
      progress: { stage: 'loading' },
    },
  });
  expect((await api.get('/tokens-api/tokens?limit=1')).status).toBe(200);
  expect((await api.get('/health')).status).toBe(200);
}

async function expectCorrectResponses(api: RunningApi, golden: GoldenLocalnet): Promise<void> {
  await waitUntilReady(api);
  const checker = await checkResponses(api, golden);
  const from = responseSlot(await api.get('/health'));
  await expect
    .poll(async () => responseSlot(await api.get('/health')), LONG_POLL)
    .toBeGreaterThan(from);
  expect(await checker.stop()).toEqual([]);
}

test.each([
  ['returns 429', { answer: { kind: 'status', status: 429 } }],
  ['truncates its responses', { answer: { kind: 'truncate' } }],
  ['returns future slots', { answer: { kind: 'wrongSlot', by: 1_000_000 } }],
  ['rejects WebSockets', { webSockets: 'refuse' }],
])('nothing is served until a node that %s at the start works', async (_, faults) => {
  const golden = await startGoldenLocalnet();
  await golden.result('tidegate_setFaults', [faults]);
  const api = await serveLocalnet(golden);
  const seen = golden.localnet.bank.slot + 20n;
  await expect.poll(() => golden.localnet.bank.slot, LONG_POLL).toBeGreaterThan(seen);
  await expectNotLoaded(api);
  await golden.result('tidegate_setFaults', [{}]);
  await expectCorrectResponses(api, golden);
});

test('an interrupted first load continues', async () => {
  const golden = await startGoldenLocalnet();
  const failing = { methods: ['getProgramAccounts'], times: 12 };
  await golden.result('tidegate_setFaults', [{ answer: { kind: 'truncate' }, ...failing }]);
  const api = await serveLocalnet(golden);
  await expectCorrectResponses(api, golden);
});

test('responses of a node that lags 200 slots have its slot and time until it catches up', async () => {
  const golden = await startGoldenLocalnet();
  golden.advanceSlots(250);
  await golden.result('tidegate_setFaults', [{ lagSlots: 200 }]);
  const api = await serveLocalnet(golden);
  await expectCorrectResponses(api, golden);
  const { slot: newest } = golden.localnet.bank;
  const old = await api.get(VAULT_PATH);
  expect(responseSlot(old)).toBeLessThanOrEqual(newest - 200n);
  const seconds = Date.parse(old.headers.get('x-block-time') ?? '') / 1_000;
  // 200 slots at 400 ms, in whole seconds
  expect(Number(golden.localnet.timeOf(newest).unix) - seconds).toBeGreaterThanOrEqual(79);
  const stale = await api.get(`${VAULT_PATH}?minContextSlot=${newest}`);
  expect([stale.status, stale.body]).toMatchObject([503, { code: 'STALE_READ' }]);

  await golden.result('tidegate_setFaults', [{}]);
  await expect
    .poll(async () => responseSlot(await api.get('/health')), LONG_POLL)
    .toBeGreaterThanOrEqual(newest);
  await expectCorrectResponses(api, golden);
});
