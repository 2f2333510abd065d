import { expect, test } from 'vitest';
import { expectOutlived, liveCluster, STANDS_STILL } from '../../support/clusters/live-cluster.ts';
import { ageOf, slotOf } from '../../support/clusters/response-checker.ts';
import {
  PATIENT_TEST_MS,
  PATIENTLY,
  setVaultFee,
  untilSlot,
  VAULT_PATH,
} from '../../support/clusters/served-cluster.ts';

test.each([
  ['answers 429', { answer: { kind: 'status', status: 429 } }],
  ['answers 503', { answer: { kind: 'status', status: 503 } }],
  ['drops requests', { answer: { kind: 'drop' } }],
  ['cuts its answers short', { answer: { kind: 'truncate' } }],
])(
  'a node that %s makes no answer wrong, and the newest is served when it works again',
  (_, faults) => expectOutlived(faults),
  PATIENT_TEST_MS,
);

test(
  'a node that does not answer in time makes no answer wrong, and the newest is served when it does',
  async () => {
    await expectOutlived({ delayMs: 60_000 }, { timeoutMs: 1_500 });
  },
  PATIENT_TEST_MS,
);

test(
  'while a node fails, what is older than asked for is refused, and the rest tells its age',
  async () => {
    const { golden, api, watch, setFaults } = await liveCluster();
    await setFaults({ answer: { kind: 'status', status: 503 }, webSockets: 'refuse' });
    await golden.result('tidegate_dropWebSockets');
    const changedAt = await setVaultFee(golden, 778);
    const before = await api.get(VAULT_PATH);

    const stale = await api.get(`${VAULT_PATH}?minContextSlot=${changedAt}`);
    expect(stale.status).toBe(503);
    expect(stale.headers.get('retry-after')).toBe('1');
    expect(stale.body).toEqual({
      error: `The newest slot here is ${slotOf(stale)}, ${changedAt} was asked for. Try again in 1 s.`,
      code: 'STALE_READ',
    });
    expect(slotOf(stale)).toBeLessThan(changedAt);
    await expect.poll(async () => (await api.get('/ready')).body, PATIENTLY).toEqual(STANDS_STILL);
    const later = await api.get(VAULT_PATH);
    // at least the slots that make it unready, at 400 ms
    expect(ageOf(later)).toBeGreaterThan(30 * 400);
    expect(ageOf(later)).toBeGreaterThan(ageOf(before));
    const unhealthy = { endpoints: [{ healthy: false }], waitingFor: expect.any(String) };
    expect((await api.get('/status')).body).toMatchObject({ ready: false, clusters: [unhealthy] });

    await setFaults({});
    await untilSlot(api, changedAt);
    const asked = await api.get(VAULT_PATH, { 'x-min-context-slot': String(changedAt) });
    expect(asked.body).toMatchObject({ state: { performanceFeeBps: 778 } });
    expect(ageOf(asked)).toBeLessThan(ageOf(later));
    await watch.stop();
  },
  PATIENT_TEST_MS,
);

test(
  'an answer that was waited for names the slot that it is true for',
  async () => {
    const { golden, api, watch } = await liveCluster();
    const wanted = golden.localnet.bank.slot + 5n;
    const answer = await api.get(`/oracles/prices?minContextSlot=${wanted}`);
    expect(answer.status).toBe(200);
    expect(slotOf(answer)).toBeGreaterThanOrEqual(wanted);
    expect(answer.body).toEqual(await watch.bankAnswer('/oracles/prices', slotOf(answer)));
    await watch.stop();
  },
  PATIENT_TEST_MS,
);
