import { expect, test } from 'vitest';
import { startLiveCluster } from '../../support/clusters/live-cluster.ts';
import { responseSlot } from '../../support/clusters/response-checker.ts';
import {
  LONG_POLL,
  setVaultFee,
  VAULT_PATH,
  waitForServedSlot,
} from '../../support/clusters/served-cluster.ts';

test('after a rollback the accounts of the undone slots are served as they were before', async () => {
  const { golden, api } = await startLiveCluster();
  const before = (await api.get(VAULT_PATH)).body;
  const changedAt = await setVaultFee(golden, 777);
  await waitForServedSlot(api, changedAt + 2n);
  expect((await api.get(VAULT_PATH)).body).toMatchObject({ state: { performanceFeeBps: 777 } });
  const { bank } = golden.localnet;
  const newest = bank.slot;
  await golden.result('tidegate_rollBack', [Number(newest - changedAt) + 2]);
  await waitForServedSlot(api, newest + 3n);
  await expect
    .poll(async () => responseSlot(await api.get(VAULT_PATH)), LONG_POLL)
    .toBeGreaterThan(newest);
  const { state } = before as { state: { performanceFeeBps: number } };
  expect((await api.get(VAULT_PATH)).body).toMatchObject({
    state: { performanceFeeBps: state.performanceFeeBps },
  });
});
