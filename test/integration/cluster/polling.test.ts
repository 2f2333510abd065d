import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { responseSlot } from '../../support/clusters/response-checker.ts';
import {
  LONG_TEST_TIMEOUT_MS,
  serveLocalnet,
  setVaultFee,
  VAULT_PATH,
  waitForServedSlot,
} from '../../support/clusters/served-cluster.ts';
import type { JsonResponse, RunningApi } from '../../support/http/test-api.ts';
import { startGoldenLocalnet } from '../../support/localnet/golden-localnet.ts';

/** The first answer that claims to be of that slot or a later one. */
async function answerFrom(api: RunningApi, slot: bigint): Promise<JsonResponse> {
  for (;;) {
    const answer = await api.get(VAULT_PATH);
    if (responseSlot(answer) >= slot) return answer;
    await sleep(10);
  }
}

test(
  'of a node that is polled no answer is older than the slot that it names, also when it fails',
  async () => {
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
      const { status, body } = await answerFrom(api, changedAt);
      expect([status, body]).toMatchObject([200, { state: { performanceFeeBps: fee } }]);
    }
  },
  LONG_TEST_TIMEOUT_MS,
);
