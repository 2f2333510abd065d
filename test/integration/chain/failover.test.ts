import { expect, onTestFinished, test } from 'vitest';
import { toAddress } from '#core/base/encoding/address.ts';
import { toSlot } from '#core/base/time.ts';
import { EndpointFailover } from '#server/chain/endpoints/endpoint-failover.ts';
import { createRpcSource } from '#server/chain/rpc/rpc-source.ts';
import { catchError } from '../../support/errors/catch-error.ts';
import { FakeNode } from '../../support/fakes/fake-node.ts';
import { silentLog } from '../../support/fakes/silent-log.ts';

const someone = toAddress('KLend2g3cP87fffoy8q1mQqGKjrxjC8boSyAYavgmjD');

async function setUp(
  count: number,
  prepare: (node: FakeNode, i: number) => void = () => undefined,
) {
  const nodes = await Promise.all(Array.from({ length: count }, () => FakeNode.start()));
  nodes.forEach(prepare);
  const time = { now: 0 };
  const clock = () => time.now;
  const readers = nodes.map(({ url }) =>
    createRpcSource({ url, commitment: 'confirmed', clock, maxLagSlots: 100n, timeoutMs: 2_000 }),
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

test('with two endpoints, one dying costs no failed request', async () => {
  const { nodes, failover } = await setUp(2);
  const answers: Promise<unknown>[] = [];
  for (let i = 0; i < 60; i++) {
    answers.push(failover.accounts([someone]));
    if (i === 20) await nodeOf(nodes, first).stop();
    if (i % 5 === 0) await Promise.all(answers.slice(-3));
  }
  const settled = await Promise.allSettled(answers);
  expect(settled.filter(({ status }) => status === 'rejected')).toEqual([]);
  expect(nodeOf(nodes, second).countOf('getMultipleAccounts')).toBeGreaterThan(30);
});

test('an endpoint that dies within its answer costs no failed request', async () => {
  const { nodes, failover } = await setUp(2);
  await failover.slot();
  nodeOf(nodes, first).reply = () => ({ cutAfter: '{"jsonrpc":"2.0","result":{"context":' });
  expect((await failover.accounts([someone])).slot).toBe(1_000n);
  expect(failover.status()[first]).toMatchObject({
    healthy: false,
    lastError: 'SOURCE_UNAVAILABLE',
  });
});

test('the first endpoint is asked while all are well', async () => {
  const { nodes, failover } = await setUp(2);
  for (let i = 0; i < 5; i++) await failover.accounts([someone]);
  expect(nodes.map((node) => node.countOf('getMultipleAccounts'))).toEqual([5, 0]);
});

test('one that failed is left alone until it has cooled down', async () => {
  const { nodes, failover, time } = await setUp(2);
  await failover.slot();
  nodeOf(nodes, first).reply = () => ({ status: 503 });
  await failover.accounts([someone]);
  await failover.accounts([someone]);
  expect(nodeOf(nodes, first).countOf('getMultipleAccounts')).toBe(1);
  nodeOf(nodes, first).reply = () => undefined;
  time.now += 5_001;
  await failover.accounts([someone]);
  expect(nodeOf(nodes, first).countOf('getMultipleAccounts')).toBe(2);
  expect(failover.status()[first]).toMatchObject({ healthy: true, lastError: undefined });
});

test('one that asks for a pause gets it', async () => {
  const { nodes, failover, time } = await setUp(2);
  await failover.slot();
  const limited = nodeOf(nodes, first);
  limited.reply = () => ({ status: 429, headers: { 'retry-after': '30' } });
  await failover.accounts([someone]);
  time.now += 29_000;
  await failover.accounts([someone]);
  expect(limited.countOf('getMultipleAccounts')).toBe(1);
});

test('one that lags 200 slots is passed over, and taken again when it has caught up', async () => {
  const { nodes, failover, time } = await setUp(2);
  await failover.slot();
  const [lagging, best] = [nodeOf(nodes, first), nodeOf(nodes, second)];
  best.slot += 200;
  // Its own failure makes the other one's slot known.
  lagging.reply = () => ({ status: 503 });
  expect(await failover.slot()).toBe(1_200n);
  lagging.reply = () => undefined;
  time.now += 60_000;
  expect((await failover.accounts([someone])).slot).toBe(1_200n);
  expect(failover.status()[first]).toMatchObject({ healthy: false, lagSlots: 200n });
  lagging.slot += 200;
  await best.stop();
  expect((await failover.accounts([someone])).slot).toBe(1_200n);
  expect(failover.status()[first]).toMatchObject({ healthy: true, lagSlots: 0n });
});

test('one that fails is unhealthy until it answers, not only while it is left alone', async () => {
  const { nodes, failover, time } = await setUp(2);
  await failover.slot();
  const dying = nodeOf(nodes, first);
  dying.reply = () => ({ status: 503 });
  await failover.accounts([someone]);
  time.now += 60_000;
  expect(failover.status().map(({ healthy }) => healthy)).toEqual([false, true]);
  dying.reply = () => undefined;
  await failover.accounts([someone]);
  expect(failover.status().map(({ healthy }) => healthy)).toEqual([true, true]);
});

test('one that falls 200 slots behind is known to from its next answer on, and asked last', async () => {
  const { nodes, failover } = await setUp(2);
  await failover.slot();
  const lagging = nodeOf(nodes, first);
  lagging.slot -= 200;
  for (let i = 0; i < 3; i++) expect((await failover.accounts([someone])).slot).toBe(1_000n);
  expect(lagging.countOf('getMultipleAccounts')).toBe(1);
  expect(failover.status()[first]).toMatchObject({ healthy: false, slot: 800n, lagSlots: 200n });
  expect(failover.newestSlot()).toBe(1_000n);
});

test('when every endpoint lags nothing old is answered', async () => {
  const { nodes, failover } = await setUp(2);
  await failover.slot();
  for (const node of nodes) node.slot -= 200;
  expect((await catchError(failover.accounts([someone])))?.code).toBe('SOURCE_LAGS');
  for (const node of nodes) node.slot += 200;
  expect((await failover.accounts([someone])).slot).toBe(1_000n);
});

test('an answer that takes long is as old as it was asked for, and taken', async () => {
  const { nodes, failover } = await setUp(1);
  await failover.slot();
  const node = nodeOf(nodes, first);
  const pieces = ['{"jsonrpc":"2.0","id":1,"result":{"context":{"slot":1000},"value":[', ']}}'];
  node.reply = ({ method }) =>
    method === 'getProgramAccounts' ? { pieces, pauseMs: 300 } : undefined;
  const scanned = failover.scan({ program: someone, filters: [] });
  await expect.poll(() => node.countOf('getProgramAccounts')).toBe(1);
  node.slot += 200;
  expect(await failover.slot()).toBe(1_200n);
  expect(await scanned).toEqual({ slot: 1_000n, accounts: [] });
  expect(node.countOf('getProgramAccounts')).toBe(1);
});

test('a slot that the first does not have yet is asked from the second', async () => {
  const { nodes, failover } = await setUp(2);
  await failover.slot();
  nodeOf(nodes, second).slot += 3;
  expect((await failover.accounts([someone], toSlot(1_003n))).slot).toBe(1_003n);
});

test('a single endpoint is asked again after a pause', async () => {
  const { nodes, failover } = await setUp(1);
  const node = nodeOf(nodes, first);
  let left = 3;
  node.reply = ({ method }) =>
    method === 'getMultipleAccounts' && left-- > 0 ? { status: 503 } : undefined;
  expect((await failover.accounts([someone])).slot).toBe(1_000n);
  expect(node.countOf('getMultipleAccounts')).toBe(4);
});

test('a single endpoint that stays away is given up', async () => {
  const { nodes, failover } = await setUp(1);
  const node = nodeOf(nodes, first);
  node.reply = () => ({ status: 503 });
  expect((await catchError(failover.accounts([someone])))?.code).toBe('SOURCE_UNAVAILABLE');
  expect(node.countOf('getMultipleAccounts')).toBe(4);
});

test('what one endpoint refuses another is asked once', async () => {
  const { nodes, failover } = await setUp(3);
  const refuse = { error: { code: -32601, message: 'Method not found' } };
  for (const node of nodes) {
    node.reply = ({ method }) => (method === 'getProgramAccounts' ? refuse : undefined);
  }
  const scan = { program: someone, filters: [] };
  expect((await catchError(failover.scan(scan)))?.code).toBe('SOURCE_REFUSES');
  // Two questions each: with compression and without.
  expect(nodes.map((node) => node.countOf('getProgramAccounts'))).toEqual([2, 2, 0]);
  nodeOf(nodes, second).reply = () => undefined;
  expect((await failover.scan(scan)).accounts).toEqual([]);
});

test('an endpoint of another cluster is not asked for accounts', async () => {
  const { nodes, failover } = await setUp(2, (node, i) => {
    if (i === 1) node.genesisHash = someone;
  });
  for (let i = 0; i < 3; i++) await failover.accounts([someone]);
  // Whichever told its cluster first.
  const foreign = failover.status().findIndex(({ lastError }) => lastError === 'SOURCE_REFUSES');
  expect(nodeOf(nodes, foreign).countOf('getMultipleAccounts')).toBe(0);
  expect(nodeOf(nodes, 1 - foreign).countOf('getMultipleAccounts')).toBe(3);
});

test('a closed one asks nobody', async () => {
  const { nodes, failover } = await setUp(2);
  await failover.slot();
  failover.close();
  expect((await catchError(failover.accounts([someone])))?.message).toMatch(/closed/);
  expect(nodes.map((node) => node.countOf('getMultipleAccounts'))).toEqual([0, 0]);
});
