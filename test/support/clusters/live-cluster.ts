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

/** The `/ready` response while served data is behind the cluster. */
export const STALLED_RESPONSE = {
  ready: false,
  waitingFor: [expect.stringMatching(/^localnet: (\d+ slots to catch up|new slots)$/)],
  history: { ready: true, waitingFor: [] },
};

/** A served one-node cluster that is up to date, with a checker of every response. */
export async function startLiveCluster(options: ServedOptions = {}) {
  const golden = await startGoldenLocalnet();
  const api = await serveLocalnet(golden, options);
  await waitUntilReady(api);
  const checker = await checkResponses(api, golden);
  const setFaults = (faults: unknown) => golden.result('tidegate_setFaults', [faults]);
  return { golden, api, checker, setFaults };
}

/**
 * With dropped WebSockets and these faults nothing new can be read from the node. Every response
 * still matches the bank at the slot it names, `/ready` fails, and after the faults end the newest
 * state is served.
 */
export async function expectSurvivesFaults(
  faults: unknown,
  options?: ServedOptions,
): Promise<void> {
  const { golden, api, checker, setFaults } = await startLiveCluster(options);
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
  expect(await checker.stop()).toEqual([]);
}
