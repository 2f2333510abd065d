import { expect, test } from 'vitest';
import {
  expectSurvivesFaults,
  STALLED_RESPONSE,
  startLiveCluster,
} from '../../support/clusters/live-cluster.ts';
import { responseAge, responseSlot } from '../../support/clusters/response-checker.ts';
import {
  LONG_POLL,
  LONG_TEST_TIMEOUT_MS,
  setVaultFee,
  VAULT_PATH,
  waitForServedSlot,
} from '../../support/clusters/served-cluster.ts';

test.each([
  ['answers 429', { answer: { kind: 'status', status: 429 } }],
  ['answers 503', { answer: { kind: 'status', status: 503 } }],
  ['drops requests', { answer: { kind: 'drop' } }],
  ['cuts its answers short', { answer: { kind: 'truncate' } }],
])(
  'a node that %s makes no answer wrong, and the newest is served when it works again',
  (_, faults) => expectSurvivesFaults(faults),
  LONG_TEST_TIMEOUT_MS,
);

test(
  'a node that does not answer in time makes no answer wrong, and the newest is served when it does',
  async () => {
    await expectSurvivesFaults({ delayMs: 60_000 }, { timeoutMs: 1_500 });
  },
  LONG_TEST_TIMEOUT_MS,
);

test(
  'while a node fails, what is older than asked for is refused, and the rest tells its age',
  async () => {
    const { golden, api, watch, setFaults } = await startLiveCluster();
    await setFaults({ answer: { kind: 'status', status: 503 }, webSockets: 'refuse' });
    await golden.result('tidegate_dropWebSockets');
    const changedAt = await setVaultFee(golden, 778);
    const before = await api.get(VAULT_PATH);

    const stale = await api.get(`${VAULT_PATH}?minContextSlot=${changedAt}`);
    expect(stale.status).toBe(503);
    expect(stale.headers.get('retry-after')).toBe('1');
    expect(stale.body).toEqual({
      error: `The latest slot is ${responseSlot(stale)}, but slot ${changedAt} is required. Retry in 1 s.`,
      code: 'STALE_READ',
    });
    expect(responseSlot(stale)).toBeLessThan(changedAt);
    await expect
      .poll(async () => (await api.get('/ready')).body, LONG_POLL)
      .toEqual(STALLED_RESPONSE);
    const later = await api.get(VAULT_PATH);
    // at least the slots that make it unready, at 400 ms
    expect(responseAge(later)).toBeGreaterThan(30 * 400);
    expect(responseAge(later)).toBeGreaterThan(responseAge(before));
    const unhealthy = { endpoints: [{ healthy: false }], waitingFor: expect.any(String) };
    expect((await api.get('/status')).body).toMatchObject({ ready: false, clusters: [unhealthy] });

    await setFaults({});
    await waitForServedSlot(api, changedAt);
    const asked = await api.get(VAULT_PATH, { 'x-min-context-slot': String(changedAt) });
    expect(asked.body).toMatchObject({ state: { performanceFeeBps: 778 } });
    expect(responseAge(asked)).toBeLessThan(responseAge(later));
    await watch.stop();
  },
  LONG_TEST_TIMEOUT_MS,
);

test(
  'an answer that was waited for names the slot that it is true for',
  async () => {
    const { golden, api, watch } = await startLiveCluster();
    const wanted = golden.localnet.bank.slot + 5n;
    const answer = await api.get(`/oracles/prices?minContextSlot=${wanted}`);
    expect(answer.status).toBe(200);
    expect(responseSlot(answer)).toBeGreaterThanOrEqual(wanted);
    expect(answer.body).toEqual(await watch.bankAnswer('/oracles/prices', responseSlot(answer)));
    await watch.stop();
  },
  LONG_TEST_TIMEOUT_MS,
);
