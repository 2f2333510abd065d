import { expect, onTestFinished, test, vi } from 'vitest';
import { toAddress } from '#core/base/encoding/address.ts';
import { toSlot } from '#core/base/time.ts';
import type {
  AccountUpdate,
  SubscriptionListener,
  SubscriptionTarget,
} from '#server/chain/source/chain-source.ts';
import { ReconnectingStream } from '#server/chain/streams/reconnecting-stream.ts';
import { createWebSocketSource } from '#server/chain/streams/websocket-source.ts';
import { catchError } from '../../support/errors/catch-error.ts';
import { FakeNode } from '../../support/fakes/fake-node.ts';
import { silentLog } from '../../support/fakes/silent-log.ts';

const program = toAddress('KLend2g3cP87fffoy8q1mQqGKjrxjC8boSyAYavgmjD');
const address = toAddress('KvauGMspG5k6rtzrqqn7WNn3oZdyKqLKwK2XWQ8FLjd');
const NOBODY = 'Vote111111111111111111111111111111111111111';
const account = (byte: number) => ({ owner: program, lamports: 9n, data: Uint8Array.of(byte) });
const wholeProgram: SubscriptionTarget = { kind: 'program', scan: { program, filters: [] } };
const soon = { timeout: 3_000, interval: 2 };

function recorder() {
  const updates: AccountUpdate[] = [];
  const slots: [bigint, bigint | undefined][] = [];
  const gaps: string[] = [];
  const listener: SubscriptionListener = {
    onAccount: (update) => updates.push(update),
    onSlot: (slot, unix) => slots.push([slot, unix]),
    onGap: (reason) => gaps.push(reason),
  };
  return { updates, slots, gaps, listener };
}

type SetUp = { readonly count?: number; readonly pingMs?: number; readonly best?: () => bigint };

async function setUp({ count = 1, pingMs = 1_000, best }: SetUp = {}) {
  const nodes = await Promise.all(Array.from({ length: count }, () => FakeNode.start()));
  const sources = nodes.map(({ wsUrl: url }) =>
    createWebSocketSource({ url, commitment: 'confirmed', timeoutMs: 2_000, pingMs, settleMs: 1 }),
  );
  const follower = new ReconnectingStream(sources, {
    newestSlot: () => (best === undefined ? undefined : toSlot(best())),
    maxLagSlots: 100n,
    clock: () => 0,
    random: () => 0,
    log: silentLog,
    retryMs: 2,
    checkMs: 5,
  });
  onTestFinished(async () => {
    follower.close();
    await Promise.all(nodes.map((node) => node.stop().catch(() => undefined)));
  });
  const [node] = nodes;
  if (node === undefined) throw new Error('no node');
  return { node, nodes, follower };
}

test('updates of a program and of an account arrive with their slot', async () => {
  const { node, follower } = await setUp();
  const [ofProgram, ofAccount] = [recorder(), recorder()];
  const filters = [{ kind: 'size', size: 1 }] as const;
  const scan = { program, filters };
  await follower.subscribe({ kind: 'program', scan }, ofProgram.listener).ready;
  await follower.subscribe({ kind: 'accounts', addresses: [address] }, ofAccount.listener).ready;
  node.announceAccount(address, program, account(4));
  const expected = [{ address, account: account(4), slot: 1_000n }];
  await vi.waitFor(() => expect(ofAccount.updates).toEqual(expected), soon);
  expect(ofProgram.updates).toEqual(expected);
  expect(node.subscribed('programSubscribe')[0]?.params).toEqual([
    program,
    { filters: [{ dataSize: 1 }], encoding: 'base64+zstd', commitment: 'confirmed' },
  ]);
});

test('an account without lamports is announced as gone', async () => {
  const { node, follower } = await setUp();
  const { updates, listener } = recorder();
  await follower.subscribe({ kind: 'accounts', addresses: [address] }, listener).ready;
  node.announceAccount(address, program, { ...account(0), lamports: 0n });
  await vi.waitFor(() => expect(updates.length).toBe(1), soon);
  expect(updates[0]).toEqual({ address, account: undefined, slot: 1_000n });
});

test('accounts that are followed together arrive each by itself, and end together', async () => {
  const { node, follower } = await setUp();
  const { updates, listener } = recorder();
  const addresses = [address, program];
  const subscription = follower.subscribe({ kind: 'accounts', addresses }, listener);
  await subscription.ready;
  for (const each of addresses) node.announceAccount(each, NOBODY, account(5));
  await vi.waitFor(() => expect(updates.length).toBe(2), soon);
  expect(updates.map((update) => update.address)).toEqual(addresses);
  subscription.stop();
  await vi.waitFor(() => expect(node.countOf('accountUnsubscribe')).toBe(2), soon);
});

test('of accounts that are followed together none is when one is refused', async () => {
  const { node, follower } = await setUp();
  node.reply = ({ method, params }) =>
    method === 'accountSubscribe' && params[0] === program
      ? { error: { code: -32602, message: 'too many' } }
      : undefined;
  const { updates, listener } = recorder();
  const { ready } = follower.subscribe(
    { kind: 'accounts', addresses: [address, program] },
    listener,
  );
  expect((await catchError(ready))?.code).toBe('SOURCE_REFUSES');
  await vi.waitFor(() => expect(node.countOf('accountUnsubscribe')).toBe(1), soon);
  node.announceAccount(address, NOBODY, account(5));
  const others = recorder();
  await follower.subscribe({ kind: 'accounts', addresses: [address] }, others.listener).ready;
  node.announceAccount(address, NOBODY, account(6));
  await vi.waitFor(() => expect(others.updates.length).toBe(1), soon);
  expect(updates).toEqual([]);
});

test('a slot is announced with its time when the next one has begun', async () => {
  const { node, follower } = await setUp();
  const { slots, listener } = recorder();
  await follower.subscribe({ kind: 'slots' }, listener).ready;
  node.nextSlot();
  node.nextSlot();
  node.nextSlot();
  await vi.waitFor(() => expect(slots.length).toBe(2), soon);
  expect(slots).toEqual([
    [1_001n, 1_011n],
    [1_002n, 1_012n],
  ]);
});

test('a dropped connection is made again, everything subscribed again, and each told of the gap', async () => {
  const { node, follower } = await setUp();
  const [first, second] = [recorder(), recorder()];
  await follower.subscribe(wholeProgram, first.listener).ready;
  await follower.subscribe({ kind: 'slots' }, second.listener).ready;
  node.dropWebSockets();
  await vi.waitFor(() => expect([first.gaps.length, second.gaps.length]).toEqual([1, 1]), soon);
  expect(first.gaps[0]).toMatch(/closed/);
  node.announceAccount(address, program, account(7));
  await vi.waitFor(() => expect(first.updates.length).toBe(1), soon);
  expect(node.subscribed('programSubscribe').length).toBe(1);
});

test('a connection that gives no sign of life is left', async () => {
  const { node, follower } = await setUp({ pingMs: 15 });
  const { gaps, listener } = recorder();
  await follower.subscribe(wholeProgram, listener).ready;
  node.isMute = true;
  await vi.waitFor(() => expect(gaps.length).toBeGreaterThan(0), soon);
  expect(gaps[0]).toMatch(/no sign of life for 30 ms/);
});

test('slots that were left out are a gap, but not the few of absent leaders', async () => {
  const { node, follower } = await setUp();
  const { slots, gaps, listener } = recorder();
  await follower.subscribe(wholeProgram, listener).ready;
  await follower.subscribe({ kind: 'slots' }, listener).ready;
  node.nextSlot();
  node.slot += 8;
  node.nextSlot();
  await vi.waitFor(() => expect(slots).toEqual([[1_001n, 1_011n]]), soon);
  expect(gaps).toEqual([]);
  node.slot += 30;
  node.nextSlot();
  await vi.waitFor(() => expect(gaps.length).toBeGreaterThan(0), soon);
  expect(new Set(gaps)).toEqual(
    new Set(['The clock account is malformed: it leaps from slot 1010 to 1041.']),
  );
});

test('a connection whose slots stand still while the cluster goes on is left', async () => {
  let best = 1_000n;
  const { node, follower } = await setUp({ best: () => best });
  const { gaps, listener } = recorder();
  await follower.subscribe(wholeProgram, listener).ready;
  node.nextSlot();
  node.nextSlot();
  best = 1_202n;
  await vi.waitFor(() => expect(gaps.length).toBeGreaterThan(0), soon);
  expect(gaps[0]).toMatch(/its updates are 20[12] slots behind/);
});

test('following moves to another endpoint when its own dies', async () => {
  const { nodes, node, follower } = await setUp({ count: 2 });
  const { updates, gaps, listener } = recorder();
  await follower.subscribe(wholeProgram, listener).ready;
  expect(follower.status().map(({ connected }) => connected)).toEqual([true, false]);
  await node.stop();
  await vi.waitFor(() => expect(gaps.length).toBe(1), soon);
  nodes[1]?.announceAccount(address, program, account(8));
  await vi.waitFor(() => expect(updates.length).toBe(1), soon);
  expect(follower.status().map(({ connected }) => connected)).toEqual([false, true]);
});

test('no slot is announced on a new connection before everything is subscribed again', async () => {
  const { node, follower } = await setUp();
  const [ofProgram, ofSlots] = [recorder(), recorder()];
  await follower.subscribe(wholeProgram, ofProgram.listener).ready;
  await follower.subscribe({ kind: 'slots' }, ofSlots.listener).ready;
  node.reply = ({ method }) => (method === 'programSubscribe' ? 'silence' : undefined);
  node.dropWebSockets();
  await vi.waitFor(() => expect(node.countOf('programSubscribe')).toBe(2), soon);
  for (let i = 0; i < 3; i++) node.nextSlot();
  await new Promise((resolve) => setTimeout(resolve, 30));
  expect(ofSlots.slots).toEqual([]);
});

test.each([
  ['no JSON', '{"jsonrpc":"2.0","method":"accou'],
  ['a list', '[]'],
])('a message that is %s ends the connection', async (_, text) => {
  const { node, follower } = await setUp();
  const { gaps, listener } = recorder();
  await follower.subscribe(wholeProgram, listener).ready;
  node.sendToAll(text);
  await vi.waitFor(() => expect(gaps.length).toBe(1), soon);
  expect(gaps[0]).toMatch(/malformed/);
});

test('a notification that makes no sense, or is for a far slot, ends the connection', async () => {
  const { node, follower } = await setUp();
  const { updates, gaps, listener } = recorder();
  await follower.subscribe(wholeProgram, listener).ready;
  node.announce('programSubscribe', program, { pubkey: address, account: { lamports: 'x' } });
  await vi.waitFor(() => expect(gaps.length).toBe(1), soon);
  node.nextSlot();
  node.slot += 10_000;
  node.announceAccount(address, program, account(1));
  await vi.waitFor(() => expect(gaps.length).toBe(2), soon);
  expect(gaps[1]).toMatch(/slot 11001 and the last slot was 1001/);
  expect(updates).toEqual([]);
});

test('what the endpoint does not serve is refused, and the rest goes on', async () => {
  const { node, follower } = await setUp();
  node.reply = ({ method }) =>
    method === 'programSubscribe'
      ? { error: { code: -32601, message: 'Method not found' } }
      : undefined;
  const { updates, listener } = recorder();
  const failure = await catchError(follower.subscribe(wholeProgram, listener).ready);
  expect(failure?.code).toBe('SOURCE_REFUSES');
  await follower.subscribe({ kind: 'accounts', addresses: [address] }, listener).ready;
  node.announceAccount(address, program, account(2));
  await vi.waitFor(() => expect(updates.length).toBe(1), soon);
});

test('nothing arrives after stop', async () => {
  const { node, follower } = await setUp();
  const [stopped, other] = [recorder(), recorder()];
  const subscription = follower.subscribe(wholeProgram, stopped.listener);
  await subscription.ready;
  await follower.subscribe(wholeProgram, other.listener).ready;
  subscription.stop();
  await vi.waitFor(() => expect(node.countOf('programUnsubscribe')).toBe(1), soon);
  node.announceAccount(address, program, account(3));
  await vi.waitFor(() => expect(other.updates.length).toBe(1), soon);
  expect(stopped.updates).toEqual([]);
});

test('an endpoint that is not there yet is tried until it is', async () => {
  const { node, follower } = await setUp();
  const url = node.wsUrl;
  node.reply = ({ method }) => (method === 'accountSubscribe' ? { status: 503 } : undefined);
  const { listener } = recorder();
  const { ready } = follower.subscribe(wholeProgram, listener);
  await vi.waitFor(() => expect(node.countOf('accountSubscribe')).toBeGreaterThan(1), soon);
  node.reply = () => undefined;
  await ready;
  expect(follower.status()[0]).toMatchObject({ name: `ws ${url.host}`, connected: true });
});
