import { expect, test } from 'vitest';
import { responseSlot } from '../../support/clusters/response-checker.ts';
import {
  serveLocalnet,
  setVaultFee,
  VAULT_PATH,
  waitForServedSlot,
} from '../../support/clusters/served-cluster.ts';
import type { JsonResponse, RunningApi } from '../../support/http/test-api.ts';
import { startGoldenLocalnet } from '../../support/localnet/golden-localnet.ts';
import { waitUntil } from '../../support/waiting/wait-until.ts';

/** The first response for the slot or a later one. */
const waitForResponse = (api: RunningApi, slot: bigint): Promise<JsonResponse> =>
  waitUntil(async () => {
    const response = await api.get(VAULT_PATH);
    return responseSlot(response) >= slot && response;
  }, `a response for slot ${slot}`);

test('with polling no response is older than its slot, even after failures', async () => {
  const golden = await startGoldenLocalnet();
  const api = await serveLocalnet(golden, { follow: 'polling' });
  await waitForServedSlot(api, 1n);
  const failing = { answer: { kind: 'status', status: 503 }, times: 20 };
  for (const [fee, faults] of [
    [701, {}],
    [702, failing],
  ] as const) {
    await golden.result('tidegate_setFaults', [faults]);
    const changedAt = await setVaultFee(golden, fee);
    const { status, body } = await waitForResponse(api, changedAt);
    expect([status, body]).toMatchObject([200, { state: { performanceFeeBps: fee } }]);
  }
});
