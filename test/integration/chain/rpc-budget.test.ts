import { expect, onTestFinished, test } from 'vitest';
import { toSlot } from '#core/base/time.ts';
import { createClusterSource } from '#server/chain/cluster-source.ts';
import { catchError } from '../../support/errors/catch-error.ts';
import { FakeNode } from '../../support/fakes/fake-node.ts';
import { silentLog } from '../../support/fakes/silent-log.ts';

const DAY_MS = 86_400_000;
const SLOT = toSlot(1n);

async function startNodes(count: number) {
  const nodes = await Promise.all(Array.from({ length: count }, () => FakeNode.start()));
  onTestFinished(async () => void (await Promise.all(nodes.map((node) => node.stop()))));
  return nodes;
}

function openSource(nodes: readonly FakeNode[], bytesPerDay: number) {
  let now = Date.UTC(2026, 0, 5, 12);
  const source = createClusterSource({
    rpcUrls: nodes.map(({ url }) => url),
    wsUrls: [],
    commitment: 'confirmed',
    clock: () => now,
    random: () => 0,
    log: silentLog,
    budget: { callsPerSecond: undefined, bytesPerDay },
    timing: { retryMs: 1, cooldownMs: 1, probeMs: 1e9, timeoutMs: 60_000 },
  });
  onTestFinished(() => source.close());
  return { source, startNextDay: () => (now += DAY_MS) };
}

/** Requests until the budget of all endpoints is used up. */
async function useUp(source: ReturnType<typeof openSource>['source']) {
  for (;;) {
    const error = await catchError(source.getGenesisHash());
    if (error !== undefined) return error;
  }
}

test('a request goes to the next endpoint when the bytes of one are used up, then it fails', async () => {
  const [first, second] = await startNodes(2);
  if (first === undefined || second === undefined) throw new Error('no nodes');
  const { source, startNextDay } = openSource([first, second], 4_000);
  const error = await useUp(source);
  expect(error).toMatchObject({
    code: 'RPC_BUDGET_SPENT',
    context: { retryAfterSeconds: 12 * 3_600 },
  });
  expect(first.countRequests('getGenesisHash')).toBeGreaterThan(5);
  expect(second.countRequests('getGenesisHash')).toBeGreaterThan(5);
  const sent = first.requests.length + second.requests.length;
  await catchError(source.withPriority('user', () => source.getSlotTime()));
  expect(first.requests.length + second.requests.length).toBe(sent);
  for (const { usage, healthy } of source.status().requests) {
    expect(usage?.budget).toMatchObject({ bytesPerDay: 4_000, bytesLeft: 0 });
    expect(healthy).toBe(true);
  }
  startNextDay();
  expect(await source.getGenesisHash()).toBe(first.genesisHash);
});

test('the bytes of a response are those on the connection', async () => {
  const [node] = await startNodes(1);
  if (node === undefined) throw new Error('no node');
  const { source } = openSource([node], 1e9);
  const text = 'x'.repeat(50_000);
  node.reply = ({ method }) => (method === 'getBlockTime' ? { result: null } : undefined);
  await source.ledger.getBlockTime(SLOT);
  const before = source.status().requests[0]?.usage?.methods.get('getBlockTime');
  expect(before?.receivedBytes).toBeGreaterThan(30);
  expect(before?.receivedBytes).toBeLessThan(1_000);
  const small = before?.receivedBytes ?? 0;
  node.reply = () => ({ body: JSON.stringify({ jsonrpc: '2.0', id: 1, result: null, text }) });
  await source.ledger.getBlockTime(SLOT);
  const after = source.status().requests[0]?.usage?.methods.get('getBlockTime');
  expect((after?.receivedBytes ?? 0) - 2 * small).toBeGreaterThan(50_000);
  expect((after?.receivedBytes ?? 0) - 2 * small).toBeLessThan(50_100);
});
