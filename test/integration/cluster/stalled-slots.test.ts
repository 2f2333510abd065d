import { expect, test } from 'vitest';
import {
  expectSurvivesFaults,
  STALLED_RESPONSE,
  startLiveCluster,
} from '../../support/clusters/live-cluster.ts';
import {
  LONG_POLL,
  LONG_TEST_TIMEOUT_MS,
  setVaultFee,
  VAULT_PATH,
  waitForServedSlot,
} from '../../support/clusters/served-cluster.ts';

test.each([
  ['answers for slots that are to come', { answer: { kind: 'wrongSlot', by: 1_000_000 } }],
  ['answers for slots long past', { answer: { kind: 'wrongSlot', by: -500 } }],
  ['falls 200 slots behind', { lagSlots: 200 }],
  ['takes no WebSocket', { webSockets: 'refuse' }],
])(
  'a node that %s makes no answer wrong, and the newest is served when it works again',
  (_, faults) => expectSurvivesFaults(faults),
  LONG_TEST_TIMEOUT_MS,
);

test(
  'slots that are to come, in answers for accounts only, change nothing while updates arrive',
  async () => {
    const { golden, api, watch, setFaults } = await startLiveCluster();
    const methods = ['getProgramAccounts', 'getMultipleAccounts'];
    await setFaults({ answer: { kind: 'wrongSlot', by: 50 }, methods });
    const changedAt = await setVaultFee(golden, 779);
    await waitForServedSlot(api, changedAt + 60n);
    expect((await api.get(VAULT_PATH)).body).toMatchObject({ state: { performanceFeeBps: 779 } });
    await setFaults({});
    expect(await watch.stop()).toEqual([]);
  },
  LONG_TEST_TIMEOUT_MS,
);

test(
  'a WebSocket that is silent for a while is not believed to have told everything',
  async () => {
    const { golden, api, watch, setFaults } = await startLiveCluster();
    await setFaults({ webSockets: 'mute' });
    const changedAt = await setVaultFee(golden, 780);
    await expect
      .poll(async () => (await api.get('/ready')).body, LONG_POLL)
      .toEqual(STALLED_RESPONSE);
    await setFaults({});
    await waitForServedSlot(api, changedAt);
    expect((await api.get(VAULT_PATH)).body).toMatchObject({ state: { performanceFeeBps: 780 } });
    expect(await watch.stop()).toEqual([]);
  },
  LONG_TEST_TIMEOUT_MS,
);
