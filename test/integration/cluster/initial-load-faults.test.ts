import { expect, test } from 'vitest';
import {
  checkResponses,
  responseAge,
  responseSlot,
} from '../../support/clusters/response-checker.ts';
import {
  LONG_POLL,
  LONG_TEST_TIMEOUT_MS,
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

/** Nothing of a cluster is told before all of it is known, and what is no part of it is. */
async function expectRefusing(api: RunningApi): Promise<void> {
  for (const path of ['/v2/svc-market', VAULT_PATH, '/oracles/prices']) {
    const answer = await api.get(path);
    expect([answer.status, answer.body], path).toEqual([503, NOT_LOADED]);
    expect(answer.headers.get('retry-after')).toBe('1');
  }
  expect(await api.get('/ready')).toMatchObject({
    status: 503,
    body: { ready: false, waitingFor: [expect.stringMatching(/^localnet: loading, \d+ of \d+/)] },
  });
  expect((await api.get('/tokens-api/tokens?limit=1')).status).toBe(200);
  expect((await api.get('/health')).status).toBe(200);
}

async function expectRightFromNowOn(api: RunningApi, golden: GoldenLocalnet): Promise<void> {
  await waitUntilReady(api);
  const watch = await checkResponses(api, golden);
  const from = responseSlot(await api.get('/health'));
  await expect
    .poll(async () => responseSlot(await api.get('/health')), LONG_POLL)
    .toBeGreaterThan(from);
  expect(await watch.stop()).toEqual([]);
}

test.each([
  ['answers 429', { answer: { kind: 'status', status: 429 } }],
  ['cuts its answers short', { answer: { kind: 'truncate' } }],
  ['answers for slots that are to come', { answer: { kind: 'wrongSlot', by: 1_000_000 } }],
  ['takes no WebSocket', { webSockets: 'refuse' }],
])(
  'of a node that %s at the start nothing is served until it works',
  async (_, faults) => {
    const golden = await startGoldenLocalnet();
    await golden.result('tidegate_setFaults', [faults]);
    const api = await serveLocalnet(golden);
    const seen = golden.localnet.bank.slot + 20n;
    await expect.poll(() => golden.localnet.bank.slot, LONG_POLL).toBeGreaterThan(seen);
    await expectRefusing(api);
    await golden.result('tidegate_setFaults', [{}]);
    await expectRightFromNowOn(api, golden);
  },
  LONG_TEST_TIMEOUT_MS,
);

test(
  'a first load that fails in the middle goes on by itself',
  async () => {
    const golden = await startGoldenLocalnet();
    const spoiled = { methods: ['getProgramAccounts'], times: 12 };
    await golden.result('tidegate_setFaults', [{ answer: { kind: 'truncate' }, ...spoiled }]);
    const api = await serveLocalnet(golden);
    await expectRightFromNowOn(api, golden);
  },
  LONG_TEST_TIMEOUT_MS,
);

test(
  'what a node of 200 slots ago has is told with its slot and age, and followed by the newest',
  async () => {
    const golden = await startGoldenLocalnet();
    golden.advanceSlots(250);
    await golden.result('tidegate_setFaults', [{ lagSlots: 200 }]);
    const api = await serveLocalnet(golden);
    await expectRightFromNowOn(api, golden);
    const { slot: newest } = golden.localnet.bank;
    const old = await api.get(VAULT_PATH);
    expect(responseSlot(old)).toBeLessThanOrEqual(newest - 200n);
    // 200 slots of 400 ms
    expect(responseAge(old)).toBeGreaterThanOrEqual(80_000);
    const stale = await api.get(`${VAULT_PATH}?minContextSlot=${newest}`);
    expect([stale.status, stale.body]).toMatchObject([503, { code: 'STALE_READ' }]);

    await golden.result('tidegate_setFaults', [{}]);
    await expect
      .poll(async () => responseSlot(await api.get('/health')), LONG_POLL)
      .toBeGreaterThanOrEqual(newest);
    await expectRightFromNowOn(api, golden);
  },
  LONG_TEST_TIMEOUT_MS,
);
