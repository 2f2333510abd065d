import { expect } from 'vitest';
import { startGoldenLocalnet } from '../localnet/golden-localnet.ts';
import { checkResponses, responseSlot } from './response-checker.ts';
import {
  LONG_POLL,
  type ServedOptions,
  serveLocalnet,
  setVaultFee,
  VAULT_PATH,
  waitForServedSlot,
  waitUntilReady,
} from './served-cluster.ts';

/** What `/ready` says while slots pass that are not served. */
export const STALLED_RESPONSE = {
  ready: false,
  waitingFor: [expect.stringMatching(/^localnet: (\d+ slots to catch up|new slots)$/)],
};

/** A served cluster of one node that is up to date, with somebody who checks every answer. */
export async function startLiveCluster(options: ServedOptions = {}) {
  const golden = await startGoldenLocalnet();
  const api = await serveLocalnet(golden, options);
  await waitUntilReady(api);
  const watch = await checkResponses(api, golden);
  const setFaults = (faults: unknown) => golden.result('tidegate_setFaults', [faults]);
  return { golden, api, watch, setFaults };
}

/**
 * With its WebSocket dropped and these faults nothing new can be read of the node: every answer stays what the
 * bank had in the slot that it names, `/ready` refuses, and once the faults are over the newest is served.
 */
export async function expectSurvivesFaults(
  faults: unknown,
  options?: ServedOptions,
): Promise<void> {
  const { golden, api, watch, setFaults } = await startLiveCluster(options);
  await setFaults(faults);
  await golden.result('tidegate_dropWebSockets');
  const changedAt = await setVaultFee(golden, 777);
  await expect
    .poll(async () => (await api.get('/ready')).body, LONG_POLL)
    .toEqual(STALLED_RESPONSE);
  expect(responseSlot(await api.get('/health'))).toBeLessThan(changedAt);

  await setFaults({});
  await waitForServedSlot(api, changedAt);
  expect((await api.get(VAULT_PATH)).body).toMatchObject({ state: { performanceFeeBps: 777 } });
  await waitUntilReady(api);
  expect(await watch.stop()).toEqual([]);
}
