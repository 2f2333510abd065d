import { expect, test } from 'vitest';
import { addressFromBytes } from '#core/base/encoding/address.ts';
import { encodeBase64 } from '#core/base/encoding/base64.ts';
import { obligation } from '#core/protocol/klend/layout/obligation.ts';
import { responseSlot } from '../../support/clusters/response-checker.ts';
import {
  serveLocalnet,
  setVaultFee,
  VAULT_PATH,
  waitForServedSlot,
} from '../../support/clusters/served-cluster.ts';
import { startLossyProxy } from '../../support/fakes/lossy-proxy.ts';
import { goldenCluster } from '../../support/golden/golden.ts';
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

test('with polling a loan that was just created is not unknown, and one that does not exist is read once', async () => {
  const golden = await startGoldenLocalnet();
  const reads: string[] = [];
  const node = await startLossyProxy(golden, {
    loses: () => false,
    onCall({ method, params }) {
      if (method === 'getMultipleAccounts') reads.push(JSON.stringify(params));
      return undefined;
    },
  });
  // loans are read every two minutes
  const api = await serveLocalnet(golden, { nodes: [node], follow: 'polling' });
  await waitForServedSlot(api, 1n);
  const [, loan] =
    [...goldenCluster().accounts].find(([, account]) => obligation.matches(account)) ?? [];
  if (loan === undefined) throw new Error('there is no golden loan');
  const [created, absent] = [7, 8].map((byte) => addressFromBytes(new Uint8Array(32).fill(byte)));
  const data = [encodeBase64(loan.data), 'base64'];
  const account = { owner: loan.owner, lamports: Number(loan.lamports), data };
  await golden.result('tidegate_setAccount', [created, account]);
  const isConfirmed = async () => {
    const config = { encoding: 'base64', commitment: 'confirmed' };
    const { value } = (await golden.result('getAccountInfo', [created, config])) as {
      readonly value: unknown;
    };
    return value !== null;
  };
  await waitUntil(isConfirmed, 'the loan is confirmed');
  const response = await waitUntil(async () => {
    const each = await api.get(`/klend/loans/${created}`);
    expect(each.status, 'it exists').not.toBe(404);
    return each.status === 200 && each;
  }, 'the loan is served');
  expect(response.body).toMatchObject({ loanId: created });
  for (let i = 0; i < 3; i++) {
    expect((await api.get(`/klend/loans/${absent}`)).status).toBe(404);
  }
  expect(reads.filter((text) => text.includes(String(absent)))).toHaveLength(1);
});
