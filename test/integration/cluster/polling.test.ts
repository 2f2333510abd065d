import { setTimeout as sleep } from 'node:timers/promises';
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

/** The first response for the slot or a later one. */
async function waitForResponse(api: RunningApi, slot: bigint): Promise<JsonResponse> {
  for (;;) {
    const response = await api.get(VAULT_PATH);
    if (responseSlot(response) >= slot) return response;
    await sleep(10);
  }
}

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
