import { expect, onTestFinished, test } from 'vitest';
import { toAddress } from '#core/base/encoding/address.ts';
import { toSlot } from '#core/base/time.ts';
import { createDeferred } from '#server/chain/deferred.ts';
import { EndpointFailover } from '#server/chain/endpoints/endpoint-failover.ts';
import { createRpcSource } from '#server/chain/rpc/rpc-source.ts';
import { catchError } from '../../support/errors/catch-error.ts';
import { FakeNode } from '../../support/fakes/fake-node.ts';
import { silentLog } from '../../support/fakes/silent-log.ts';

const address = toAddress('KLend2g3cP87fffoy8q1mQqGKjrxjC8boSyAYavgmjD');

async function setUp(
  count: number,
  prepare: (node: FakeNode, i: number) => void = () => undefined,
) {
  const nodes = await Promise.all(Array.from({ length: count }, () => FakeNode.start()));
  nodes.forEach(prepare);
  const time = { now: 0 };
  const clock = () => time.now;
  const readers = nodes.map(({ url }) =>
    createRpcSource({ url, commitment: 'confirmed', clock, maxLagSlots: 100n, timeoutMs: 60_000 }),
  );
  const failover = new EndpointFailover(readers, {
    maxLagSlots: 100n,
    clock,
    random: () => 0,
    log: silentLog,
    probeMs: 1e9,
    retryMs: 2,
  });
  onTestFinished(async () => {
    failover.close();
    await Promise.all(nodes.map((node) => node.stop().catch(() => undefined)));
  });
  return { nodes, failover, time };
}

const [first, second] = [0, 1] as const;
const nodeOf = (nodes: readonly FakeNode[], index: number): FakeNode => {
  const node = nodes[index];
  if (node === undefined) throw new Error('no such node');
  return node;
};

test('no request fails when one of two endpoints goes down', async () => {
  const { nodes, failover } = await setUp(2);
  const responses: Promise<unknown>[] = [];
  for (let i = 0; i < 60; i++) {
    responses.push(failover.reads.getAccounts([address]));
    if (i === 20) await nodeOf(nodes, first).stop();
    if (i % 5 === 0) await Promise.all(responses.slice(-3));
  }
  const settled = await Promise.allSettled(responses);
  expect(settled.filter(({ status }) => status === 'rejected')).toEqual([]);
  expect(nodeOf(nodes, second).countRequests('getMultipleAccounts')).toBeGreaterThan(30);
});

test('what one endpoint said is checked with another, and with the same one if no other works', async () => {
  const { nodes, failover } = await setUp(2);
  const count = () => nodes.map((node) => node.countRequests('getMultipleAccounts'));
  await failover.reads.getAccounts([address]);
  const before = count();
  await failover.reads.getAccountsAgain([address]);
  const usual = before.indexOf(1);
  const other = nodeOf(nodes, 1 - usual);
  expect(count()[1 - usual]).toBe(1);
  await other.stop();
  await failover.reads.getAccountsAgain([address]);
  expect(count()[usual]).toBe(2);
});

test('no request fails when an endpoint breaks off its response', async () => {
  const { nodes, failover } = await setUp(2);
  await failover.reads.getSlot();
  nodeOf(nodes, first).reply = () => ({ cutAfter: '{"jsonrpc":"2.0","result":{"context":' });
  expect((await failover.reads.getAccounts([address])).slot).toBe(1_000n);
  expect(failover.status()[first]).toMatchObject({
    healthy: false,
    lastError: 'SOURCE_UNAVAILABLE',
  });
});

test('requests go to the first endpoint while all are healthy', async () => {
  const { nodes, failover } = await setUp(2);
  for (let i = 0; i < 5; i++) await failover.reads.getAccounts([address]);
  expect(nodes.map((node) => node.countRequests('getMultipleAccounts'))).toEqual([5, 0]);
});

test('a failed endpoint is not used during its cooldown', async () => {
  const { nodes, failover, time } = await setUp(2);
  await failover.reads.getSlot();
  nodeOf(nodes, first).reply = () => ({ status: 503 });
  await failover.reads.getAccounts([address]);
  await failover.reads.getAccounts([address]);
  expect(nodeOf(nodes, first).countRequests('getMultipleAccounts')).toBe(1);
  nodeOf(nodes, first).reply = () => undefined;
  time.now += 5_001;
  await failover.reads.getAccounts([address]);
  expect(nodeOf(nodes, first).countRequests('getMultipleAccounts')).toBe(2);
  expect(failover.status()[first]).toMatchObject({ healthy: true, lastError: undefined });
});

test('the retry-after of an endpoint is respected', async () => {
  const { nodes, failover, time } = await setUp(2);
  await failover.reads.getSlot();
  const limited = nodeOf(nodes, first);
  limited.reply = () => ({ status: 429, headers: { 'retry-after': '30' } });
  await failover.reads.getAccounts([address]);
  time.now += 29_000;
  await failover.reads.getAccounts([address]);
  expect(limited.countRequests('getMultipleAccounts')).toBe(1);
});

test('an endpoint that lags 200 slots is not used until it has caught up', async () => {
  const { nodes, failover, time } = await setUp(2);
  await failover.reads.getSlot();
  const [lagging, best] = [nodeOf(nodes, first), nodeOf(nodes, second)];
  best.slot += 200;
  time.now += 80_000;
  // its failure makes the slot of the other endpoint known
  lagging.reply = () => ({ status: 503 });
  expect(await failover.reads.getSlot()).toBe(1_200n);
  lagging.reply = () => undefined;
  time.now += 60_000;
  expect((await failover.reads.getAccounts([address])).slot).toBe(1_200n);
  expect(failover.status()[first]).toMatchObject({ healthy: false, lagSlots: 200n });
  lagging.slot += 200;
  await best.stop();
  expect((await failover.reads.getAccounts([address])).slot).toBe(1_200n);
  expect(failover.status()[first]).toMatchObject({ healthy: true, lagSlots: 0n });
});

test('a failed endpoint is unhealthy until it responds, even after its cooldown', async () => {
  const { nodes, failover, time } = await setUp(2);
  await failover.reads.getSlot();
  const failing = nodeOf(nodes, first);
  failing.reply = () => ({ status: 503 });
  await failover.reads.getAccounts([address]);
  time.now += 60_000;
  expect(failover.status().map(({ healthy }) => healthy)).toEqual([false, true]);
  failing.reply = () => undefined;
  await failover.reads.getAccounts([address]);
  expect(failover.status().map(({ healthy }) => healthy)).toEqual([true, true]);
});

test('an endpoint that falls 200 slots behind is detected with its next response and used last', async () => {
  const { nodes, failover } = await setUp(2);
  await failover.reads.getSlot();
  const lagging = nodeOf(nodes, first);
  lagging.slot -= 200;
  for (let i = 0; i < 3; i++)
    expect((await failover.reads.getAccounts([address])).slot).toBe(1_000n);
  expect(lagging.countRequests('getMultipleAccounts')).toBe(1);
  expect(failover.status()[first]).toMatchObject({ healthy: false, slot: 800n, lagSlots: 200n });
  expect(failover.newestSlot()).toBe(1_000n);
});

test('requests fail if every endpoint lags', async () => {
  const { nodes, failover } = await setUp(2);
  await failover.reads.getSlot();
  for (const node of nodes) node.slot -= 200;
  expect((await catchError(failover.reads.getAccounts([address])))?.code).toBe('SOURCE_LAGS');
  for (const node of nodes) node.slot += 200;
  expect((await failover.reads.getAccounts([address])).slot).toBe(1_000n);
});

test('a slow response is compared with the slot at the time of its request', async () => {
  const { nodes, failover, time } = await setUp(1);
  await failover.reads.getSlot();
  const node = nodeOf(nodes, first);
  const { promise: when, resolve: respond } = createDeferred<void>();
  const body = '{"jsonrpc":"2.0","id":1,"result":{"context":{"slot":1000},"value":[]}}';
  node.reply = ({ method }) => (method === 'getProgramAccounts' ? { body, when } : undefined);
  const scanning = failover.reads.scanProgram({ program: address, filters: [] });
  await expect.poll(() => node.countRequests('getProgramAccounts')).toBe(1);
  node.slot += 200;
  time.now += 80_000;
  expect(await failover.reads.getSlot()).toBe(1_200n);
  respond();
  expect(await scanning).toEqual({ slot: 1_000n, accounts: [] });
  expect(node.countRequests('getProgramAccounts')).toBe(1);
});

test('a request goes to the second endpoint if the first has not reached the slot', async () => {
  const { nodes, failover } = await setUp(2);
  await failover.reads.getSlot();
  nodeOf(nodes, second).slot += 3;
  expect((await failover.reads.getAccounts([address], toSlot(1_003n))).slot).toBe(1_003n);
});

test('a request to a single endpoint is retried after a pause', async () => {
  const { nodes, failover } = await setUp(1);
  const node = nodeOf(nodes, first);
  let left = 3;
  node.reply = ({ method }) =>
    method === 'getMultipleAccounts' && left-- > 0 ? { status: 503 } : undefined;
  expect((await failover.reads.getAccounts([address])).slot).toBe(1_000n);
  expect(node.countRequests('getMultipleAccounts')).toBe(4);
});

test('a request to a single endpoint fails after four attempts', async () => {
  const { nodes, failover } = await setUp(1);
  const node = nodeOf(nodes, first);
  node.reply = () => ({ status: 503 });
  expect((await catchError(failover.reads.getAccounts([address])))?.code).toBe(
    'SOURCE_UNAVAILABLE',
  );
  expect(node.countRequests('getMultipleAccounts')).toBe(4);
});

test('an invalid request is sent to one other endpoint', async () => {
  const { nodes, failover } = await setUp(3);
  const rejection = { error: { code: -32602, message: 'Invalid params' } };
  for (const node of nodes) {
    node.reply = ({ method }) => (method === 'getProgramAccounts' ? rejection : undefined);
  }
  const scan = { program: address, filters: [] };
  expect((await catchError(failover.reads.scanProgram(scan)))?.code).toBe('SOURCE_REFUSES');
  // two requests each: with and without compression
  expect(nodes.map((node) => node.countRequests('getProgramAccounts'))).toEqual([2, 2, 0]);
  nodeOf(nodes, second).reply = () => undefined;
  expect((await failover.reads.scanProgram(scan)).accounts).toEqual([]);
});

test('no account is read from an endpoint of another cluster', async () => {
  const { nodes, failover } = await setUp(2, (node, i) => {
    if (i === 1) node.genesisHash = address;
  });
  for (let i = 0; i < 3; i++) await failover.reads.getAccounts([address]);
  // the first genesis hash decides
  const wrong = failover.status().findIndex(({ wrongCluster }) => wrongCluster);
  expect(nodeOf(nodes, wrong).countRequests('getMultipleAccounts')).toBe(0);
  expect(nodeOf(nodes, 1 - wrong).countRequests('getMultipleAccounts')).toBe(3);
});

test('a closed source sends no requests', async () => {
  const { nodes, failover } = await setUp(2);
  await failover.reads.getSlot();
  failover.close();
  expect((await catchError(failover.reads.getAccounts([address])))?.message).toMatch(/closed/);
  expect(nodes.map((node) => node.countRequests('getMultipleAccounts'))).toEqual([0, 0]);
});
