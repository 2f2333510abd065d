import { expect, test } from 'vitest';
import {
  expectSurvivesFaults,
  STALLED_RESPONSE,
  startLiveCluster,
} from '../../support/clusters/live-cluster.ts';
import {
  LONG_POLL,
  setVaultFee,
  VAULT_PATH,
  waitForServedSlot,
} from '../../support/clusters/served-cluster.ts';

test.each([
  ['returns future slots', { answer: { kind: 'wrongSlot', by: 1_000_000 } }],
  ['returns old slots', { answer: { kind: 'wrongSlot', by: -500 } }],
  ['falls 200 slots behind', { lagSlots: 200 }],
  ['rejects WebSockets', { webSockets: 'refuse' }],
])(
  'a node that %s causes no wrong response, and new slots are served after it recovers',
  (_, faults) => expectSurvivesFaults(faults),
);

test('future slots in account responses have no effect while updates arrive', async () => {
  const { golden, api, checker, setFaults } = await startLiveCluster();
  const methods = ['getProgramAccounts', 'getMultipleAccounts'];
  await setFaults({ answer: { kind: 'wrongSlot', by: 50 }, methods });
  const changedAt = await setVaultFee(golden, 779);
  await waitForServedSlot(api, changedAt + 60n);
  expect((await api.get(VAULT_PATH)).body).toMatchObject({ state: { performanceFeeBps: 779 } });
  await setFaults({});
  expect(await checker.stop()).toEqual([]);
});

test('after a silent WebSocket the accounts are read again', async () => {
  const { golden, api, checker, setFaults } = await startLiveCluster();
  await setFaults({ webSockets: 'mute' });
  const changedAt = await setVaultFee(golden, 780);
  await expect
    .poll(async () => (await api.get('/ready')).body, LONG_POLL)
    .toEqual(STALLED_RESPONSE);
  await setFaults({});
  await waitForServedSlot(api, changedAt);
  expect((await api.get(VAULT_PATH)).body).toMatchObject({ state: { performanceFeeBps: 780 } });
  expect(await checker.stop()).toEqual([]);
});
