import { expect, test } from 'vitest';
import { obligation } from '#core/protocol/klend/layout/obligation.ts';
import { type BankResponses, createBankResponses } from '../../support/clusters/bank-responses.ts';
import { startFaultyNode } from '../../support/clusters/faulty-node.ts';
import { responseSlot } from '../../support/clusters/response-checker.ts';
import {
  LONG_POLL,
  serveLocalnet,
  setVaultFee,
  waitForServedSlot,
  waitUntilReady,
} from '../../support/clusters/served-cluster.ts';
import { goldenCluster } from '../../support/golden/golden.ts';
import { goldenMarket } from '../../support/golden/golden-addresses.ts';
import type { RunningApi } from '../../support/http/test-api.ts';
import { startGoldenLocalnet } from '../../support/localnet/golden-localnet.ts';

const LOANS = [...goldenCluster().accounts]
  .filter(([, account]) => obligation.matches(account))
  .map(([address]) => `/klend/loans/${address}`);
const LISTS = [
  `/svc-market/${goldenMarket('Main Market').address}/reserves/metrics`,
  '/kvaults/vaults',
];

/** Every third account of a list is left out. */
const leaveOut = ({ method }: { method: string }, result: unknown): unknown => {
  if (method !== 'getProgramAccounts') return result;
  const { context, value } = result as { context: unknown; value: unknown[] };
  return { context, value: value.filter((_, i) => i % 3 !== 0) };
};

/** Of the accounts of each answer, 30 % are null, every time others. */
function createNulls() {
  let state = 7;
  const happens = () => {
    state = (state * 48_271) % 2_147_483_647;
    return state % 10 < 3;
  };
  return ({ method }: { method: string }, result: unknown): unknown => {
    if (method !== 'getMultipleAccounts') return result;
    const { context, value } = result as { context: unknown; value: unknown[] };
    // the clock has to arrive
    return { context, value: value.map((each, i) => (i > 0 && happens() ? null : each)) };
  };
}

type Comparison = {
  readonly api: RunningApi;
  readonly bankResponse: BankResponses;
  readonly paths: readonly string[];
  readonly compared?: (body: unknown) => unknown;
};

const same = (body: unknown): unknown => body;

/** Without polling, answers equal those of the bank at their slot. A polled account may be newer than the slot. */
async function expectSameAsBank({ api, bankResponse, paths, compared = same }: Comparison) {
  for (const path of paths) {
    const response = await api.get(path);
    expect([path, response.status]).toEqual([path, 200]);
    const expected = await bankResponse(path, responseSlot(response));
    expect(compared(response.body)).toEqual(compared(expected));
  }
}

/** All addresses of a body, in its order. */
const addressesIn = (body: unknown) => JSON.stringify(body).match(/"[1-9A-HJ-NP-Za-km-z]{32,44}"/g);

test('accounts that getProgramAccounts leaves out after a gap are not closed', async () => {
  const golden = await startGoldenLocalnet();
  const node = await startFaultyNode(golden);
  const api = await serveLocalnet(golden, { nodes: [node] });
  await waitUntilReady(api);
  const bankResponse = await createBankResponses(golden.localnet.bank);
  node.setFault({ alterResult: leaveOut });
  await golden.result('tidegate_dropWebSockets');
  const changedAt = await setVaultFee(golden, 701);
  await waitForServedSlot(api, changedAt);
  await expectSameAsBank({ api, bankResponse, paths: [...LOANS, ...LISTS] });
  const { body } = await api.get('/status');
  const { checks } = (body as { clusters: { checks: Record<string, number> }[] }).clusters[0] ?? {};
  expect(checks).toMatchObject({ confirmedAbsences: 0, unconfirmedAbsences: 0 });
  expect(checks?.['refutedAbsences']).toBeGreaterThan(5);
});

test('a first load from a node that leaves accounts out is complete', async () => {
  const golden = await startGoldenLocalnet();
  const node = await startFaultyNode(golden);
  let listings = 0;
  const alterResult: typeof leaveOut = (call, result) => {
    if (call.method !== 'getProgramAccounts') return result;
    // other accounts each time
    listings += 1;
    const { context, value } = result as { context: unknown; value: unknown[] };
    return { context, value: value.filter((_, i) => (i + listings) % 3 !== 0) };
  };
  node.setFault({ alterResult });
  const api = await serveLocalnet(golden, { nodes: [node] });
  await waitUntilReady(api);
  const bankResponse = await createBankResponses(golden.localnet.bank);
  await expectSameAsBank({ api, bankResponse, paths: LISTS });
  for (const path of LOANS) {
    await expect.poll(async () => (await api.get(path)).status, LONG_POLL).toBe(200);
  }
  await expectSameAsBank({ api, bankResponse, paths: LOANS });
});

test('with polling, accounts that a node sometimes returns as null do not vanish', async () => {
  const golden = await startGoldenLocalnet();
  const node = await startFaultyNode(golden);
  const api = await serveLocalnet(golden, { nodes: [node], follow: 'polling' });
  await waitUntilReady(api);
  const bankResponse = await createBankResponses(golden.localnet.bank);
  node.setFault({ alterResult: createNulls() });
  for (const fee of [702, 703]) {
    const changedAt = await setVaultFee(golden, fee);
    await waitForServedSlot(api, changedAt);
    await expectSameAsBank({ api, bankResponse, paths: LISTS, compared: addressesIn });
  }
  node.setFault({});
  await waitForServedSlot(api, await setVaultFee(golden, 704));
  await expectSameAsBank({ api, bankResponse, paths: [...LOANS, ...LISTS], compared: addressesIn });
});
