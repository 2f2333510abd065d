import { expect, test } from 'vitest';
import {
  expectSurvivesFaults,
  STALLED_RESPONSE,
  startLiveCluster,
} from '../../support/clusters/live-cluster.ts';
import { responseAge, responseSlot } from '../../support/clusters/response-checker.ts';
import {
  LONG_POLL,
  setVaultFee,
  VAULT_PATH,
  waitForServedSlot,
} from '../../support/clusters/served-cluster.ts';
import { waitUntil } from '../../support/waiting/wait-until.ts';

test.each([
  ['returns 429', { answer: { kind: 'status', status: 429 } }],
  ['returns 503', { answer: { kind: 'status', status: 503 } }],
  ['drops requests', { answer: { kind: 'drop' } }],
  ['truncates its responses', { answer: { kind: 'truncate' } }],
])(
  'a node that %s causes no wrong response, and new slots are served after it recovers',
  (_, faults) => expectSurvivesFaults(faults),
);

test('a node that times out causes no wrong response, and new slots are served after it recovers', async () => {
  await expectSurvivesFaults({ delayMs: 60_000 }, { timeoutMs: 1_500 });
});

test('while a node fails, requests for a newer slot are rejected and other responses have their age', async () => {
  const { golden, api, checker, setFaults } = await startLiveCluster();
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
  expect(responseAge(later)).toBeGreaterThan(responseAge(before));
  const unhealthy = { endpoints: [{ healthy: false }], waitingFor: expect.any(String) };
  expect((await api.get('/status')).body).toMatchObject({ ready: false, clusters: [unhealthy] });

  await setFaults({});
  await waitForServedSlot(api, changedAt);
  const recovered = await api.get(VAULT_PATH, { 'x-min-context-slot': String(changedAt) });
  expect(recovered.body).toMatchObject({ state: { performanceFeeBps: 778 } });
  await expect
    .poll(async () => responseAge(await api.get(VAULT_PATH)), LONG_POLL)
    .toBeLessThan(responseAge(later));
  await checker.stop();
});

test('a response that waited for a slot has the slot of its data', async () => {
  const { golden, api, checker } = await startLiveCluster();
  // a request waits for at most a second, in which a busy machine may not reach its slot
  const { response, minSlot } = await waitUntil(async () => {
    const later = golden.localnet.bank.slot + 5n;
    const answer = await api.get(`/oracles/prices?minContextSlot=${later}`);
    return answer.status !== 503 && { response: answer, minSlot: later };
  }, 'a response for a later slot');
  expect(response.status).toBe(200);
  expect(responseSlot(response)).toBeGreaterThanOrEqual(minSlot);
  expect(response.body).toEqual(
    await checker.bankResponse('/oracles/prices', responseSlot(response)),
  );
  await checker.stop();
});
