import { expect, onTestFinished, test } from 'vitest';
import { toAddress } from '#core/base/encoding/address.ts';
import { toSlot } from '#core/base/time.ts';
import type {
  AccountUpdate,
  SubscriptionListener,
  SubscriptionTarget,
} from '#server/chain/source/chain-source.ts';
import { SourceAlarms } from '#server/chain/source/source-alarms.ts';
import { ReconnectingStream } from '#server/chain/streams/reconnecting-stream.ts';
import { createWebSocketSource } from '#server/chain/streams/websocket-source.ts';
import { catchError } from '../../support/errors/catch-error.ts';
import { FakeNode } from '../../support/fakes/fake-node.ts';
import { silentLog } from '../../support/fakes/silent-log.ts';

const program = toAddress('KLend2g3cP87fffoy8q1mQqGKjrxjC8boSyAYavgmjD');
const address = toAddress('KvauGMspG5k6rtzrqqn7WNn3oZdyKqLKwK2XWQ8FLjd');
const OTHER_PROGRAM = 'Vote111111111111111111111111111111111111111';
const account = (byte: number) => ({ owner: program, lamports: 9n, data: Uint8Array.of(byte) });
const wholeProgram: SubscriptionTarget = { kind: 'program', scan: { program, filters: [] } };
const soon = { interval: 2 };

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

type SetUp = { readonly count?: number; readonly pingMs?: number; readonly newest?: () => bigint };

async function setUp({ count = 1, pingMs = 60_000, newest }: SetUp = {}) {
  const nodes = await Promise.all(Array.from({ length: count }, () => FakeNode.start()));
  const time = { now: 0 };
  const alarms = new SourceAlarms(() => 0);
  const timing = { timeoutMs: 60_000, pingMs, settleMs: 1, now: () => time.now };
  const sources = nodes.map(({ wsUrl: url }) =>
    createWebSocketSource({ url, commitment: 'confirmed', alarms, ...timing }),
  );
  const stream = new ReconnectingStream(sources, {
    newestSlot: () => (newest === undefined ? undefined : toSlot(newest())),
    maxLagSlots: 100n,
    clock: () => 0,
    random: () => 0,
    log: silentLog,
    retryMs: 2,
    checkMs: 5,
  });
  onTestFinished(async () => {
    stream.close();
    await Promise.all(nodes.map((node) => node.stop().catch(() => undefined)));
  });
  const [node] = nodes;
  if (node === undefined) throw new Error('no node');
  const alarmsOf = (kind: string) =>
    alarms.status().find((alarm) => alarm.kind === kind) ?? { count: undefined, last: undefined };
  return { node, nodes, stream, time, alarmsOf };
}

test('updates of a program and of an account arrive with their slot', async () => {
  const { node, stream } = await setUp();
  const [ofProgram, ofAccount] = [recorder(), recorder()];
  const filters = [{ kind: 'size', size: 1 }] as const;
  const scan = { program, filters };
  await stream.subscribe({ kind: 'program', scan }, ofProgram.listener).ready;
  await stream.subscribe({ kind: 'accounts', addresses: [address] }, ofAccount.listener).ready;
  node.announceAccount(address, program, account(4));
  const expected = [{ address, account: account(4), slot: 1_000n }];
  await expect.poll(() => ofAccount.updates, soon).toEqual(expected);
  expect(ofProgram.updates).toEqual(expected);
  expect(node.subscriptionsOf('programSubscribe')[0]?.params).toEqual([
    program,
    { filters: [{ dataSize: 1 }], encoding: 'base64+zstd', commitment: 'confirmed' },
  ]);
});

test('an account without lamports is announced as closed', async () => {
  const { node, stream } = await setUp();
  const { updates, listener } = recorder();
  await stream.subscribe({ kind: 'accounts', addresses: [address] }, listener).ready;
  node.announceAccount(address, program, { ...account(0), lamports: 0n });
  await expect.poll(() => updates.length, soon).toBe(1);
  expect(updates[0]).toEqual({ address, account: undefined, slot: 1_000n });
});

test('accounts of one subscription are announced separately and unsubscribed together', async () => {
  const { node, stream } = await setUp();
  const { updates, listener } = recorder();
  const addresses = [address, program];
  const subscription = stream.subscribe({ kind: 'accounts', addresses }, listener);
  await subscription.ready;
  for (const each of addresses) node.announceAccount(each, OTHER_PROGRAM, account(5));
  await expect.poll(() => updates.length, soon).toBe(2);
  expect(updates.map((update) => update.address)).toEqual(addresses);
  subscription.stop();
  await expect.poll(() => node.countRequests('accountUnsubscribe'), soon).toBe(2);
});

test('a subscription of several accounts is cancelled if the node rejects one', async () => {
  const { node, stream } = await setUp();
  node.reply = ({ method, params }) =>
    method === 'accountSubscribe' && params[0] === program
      ? { error: { code: -32602, message: 'too many' } }
      : undefined;
  const { updates, listener } = recorder();
  const { ready } = stream.subscribe({ kind: 'accounts', addresses: [address, program] }, listener);
  expect((await catchError(ready))?.code).toBe('SOURCE_REFUSES');
  await expect.poll(() => node.countRequests('accountUnsubscribe'), soon).toBe(1);
  node.announceAccount(address, OTHER_PROGRAM, account(5));
  const others = recorder();
  await stream.subscribe({ kind: 'accounts', addresses: [address] }, others.listener).ready;
  node.announceAccount(address, OTHER_PROGRAM, account(6));
  await expect.poll(() => others.updates.length, soon).toBe(1);
  expect(updates).toEqual([]);
});

test('a slot is announced with its time when the next one has started', async () => {
  const { node, stream } = await setUp();
  const { slots, listener } = recorder();
  await stream.subscribe({ kind: 'slots' }, listener).ready;
  node.nextSlot();
  node.nextSlot();
  node.nextSlot();
  await expect.poll(() => slots.length, soon).toBe(2);
  expect(slots).toEqual([
    [1_001n, 1_011n],
    [1_002n, 1_012n],
  ]);
});

test('after a dropped connection everything is subscribed again and each listener receives the gap', async () => {
  const { node, stream } = await setUp();
  const [first, second] = [recorder(), recorder()];
  await stream.subscribe(wholeProgram, first.listener).ready;
  await stream.subscribe({ kind: 'slots' }, second.listener).ready;
  node.dropWebSockets();
  await expect.poll(() => [first.gaps.length, second.gaps.length], soon).toEqual([1, 1]);
  expect(first.gaps[0]).toMatch(/closed/);
  node.announceAccount(address, program, account(7));
  await expect.poll(() => first.updates.length, soon).toBe(1);
  expect(node.subscriptionsOf('programSubscribe').length).toBe(1);
});

test('a connection without responses to pings is replaced', async () => {
  const { node, stream } = await setUp({ pingMs: 15 });
  const { gaps, listener } = recorder();
  await stream.subscribe(wholeProgram, listener).ready;
  node.isMute = true;
  await expect.poll(() => gaps.length, soon).toBeGreaterThan(0);
  expect(gaps[0]).toMatch(/no response to pings for 30 ms/);
});

test('many slots without time for them are a gap, but a few skipped ones are not', async () => {
  const { node, stream, alarmsOf } = await setUp();
  const { slots, gaps, listener } = recorder();
  await stream.subscribe(wholeProgram, listener).ready;
  await stream.subscribe({ kind: 'slots' }, listener).ready;
  node.nextSlot();
  node.slot += 8;
  node.nextSlot();
  await expect.poll(() => slots, soon).toEqual([[1_001n, 1_011n]]);
  expect(gaps).toEqual([]);
  node.slot += 30;
  node.nextSlot();
  await expect.poll(() => gaps.length, soon).toBeGreaterThan(0);
  expect(new Set(gaps)).toEqual(
    new Set(['its clock went from slot 1010 to 1041 within 0 ms, so updates may be missing']),
  );
  expect(alarmsOf('skipped-slots')).toMatchObject({ count: 1, last: { reason: gaps[0] } });
  expect(stream.status()[0]).toMatchObject({ connected: true, lastError: undefined });
});

test('a connection whose slots stall while the cluster advances is replaced', async () => {
  let newest = 1_000n;
  const { node, stream } = await setUp({ newest: () => newest });
  const { gaps, listener } = recorder();
  await stream.subscribe(wholeProgram, listener).ready;
  node.nextSlot();
  node.nextSlot();
  newest = 1_202n;
  await expect.poll(() => gaps.length, soon).toBeGreaterThan(0);
  expect(gaps[0]).toMatch(/its updates are 20[12] slots behind/);
});

test('the stream moves to another endpoint when the current one goes down', async () => {
  const { nodes, node, stream } = await setUp({ count: 2 });
  const { updates, gaps, listener } = recorder();
  await stream.subscribe(wholeProgram, listener).ready;
  expect(stream.status().map(({ connected }) => connected)).toEqual([true, false]);
  await node.stop();
  await expect.poll(() => gaps.length, soon).toBe(1);
  nodes[1]?.announceAccount(address, program, account(8));
  await expect.poll(() => updates.length, soon).toBe(1);
  expect(stream.status().map(({ connected }) => connected)).toEqual([false, true]);
});

test('a new connection announces no slot before everything is subscribed again', async () => {
  const { node, stream } = await setUp();
  const [ofProgram, ofSlots] = [recorder(), recorder()];
  await stream.subscribe(wholeProgram, ofProgram.listener).ready;
  await stream.subscribe({ kind: 'slots' }, ofSlots.listener).ready;
  node.reply = ({ method }) => (method === 'programSubscribe' ? 'silence' : undefined);
  node.dropWebSockets();
  await expect.poll(() => node.countRequests('programSubscribe'), soon).toBe(2);
  for (let i = 0; i < 3; i++) node.nextSlot();
  // the connection has received it
  await expect.poll(() => stream.status()[0]?.slot, soon).toBe(1_002n);
  expect(ofSlots.slots).toEqual([]);
});

test.each([
  ['not JSON', '{"jsonrpc":"2.0","method":"accou'],
  ['an array', '[]'],
])('a message that is %s closes the connection', async (_, text) => {
  const { node, stream } = await setUp();
  const { gaps, listener } = recorder();
  await stream.subscribe(wholeProgram, listener).ready;
  node.sendToAll(text);
  await expect.poll(() => gaps.length, soon).toBe(1);
  expect(gaps[0]).toMatch(/malformed/);
});

test('a malformed notification, or one for a distant slot, closes the connection', async () => {
  const { node, stream } = await setUp();
  const { updates, gaps, listener } = recorder();
  await stream.subscribe(wholeProgram, listener).ready;
  node.announce('programSubscribe', program, { pubkey: address, account: { lamports: 'x' } });
  await expect.poll(() => gaps.length, soon).toBe(1);
  node.nextSlot();
  node.slot += 10_000;
  node.announceAccount(address, program, account(1));
  await expect.poll(() => gaps.length, soon).toBe(2);
  expect(gaps[1]).toMatch(/slot 11001, but the last slot was 1001/);
  expect(updates).toEqual([]);
});

test('an unsupported subscription is rejected and others continue', async () => {
  const { node, stream } = await setUp();
  node.reply = ({ method }) =>
    method === 'programSubscribe'
      ? { error: { code: -32601, message: 'Method not found' } }
      : undefined;
  const { updates, listener } = recorder();
  const failure = await catchError(stream.subscribe(wholeProgram, listener).ready);
  expect(failure?.code).toBe('SOURCE_REFUSES');
  await stream.subscribe({ kind: 'accounts', addresses: [address] }, listener).ready;
  node.announceAccount(address, program, account(2));
  await expect.poll(() => updates.length, soon).toBe(1);
});

test('no update arrives after stop', async () => {
  const { node, stream } = await setUp();
  const [stopped, other] = [recorder(), recorder()];
  const subscription = stream.subscribe(wholeProgram, stopped.listener);
  await subscription.ready;
  await stream.subscribe(wholeProgram, other.listener).ready;
  subscription.stop();
  await expect.poll(() => node.countRequests('programUnsubscribe'), soon).toBe(1);
  node.announceAccount(address, program, account(3));
  await expect.poll(() => other.updates.length, soon).toBe(1);
  expect(stopped.updates).toEqual([]);
});

test('an unavailable endpoint is retried until it is available', async () => {
  const { node, stream } = await setUp();
  const url = node.wsUrl;
  node.reply = ({ method }) => (method === 'accountSubscribe' ? { status: 503 } : undefined);
  const { listener } = recorder();
  const { ready } = stream.subscribe(wholeProgram, listener);
  await expect.poll(() => node.countRequests('accountSubscribe'), soon).toBeGreaterThan(1);
  node.reply = () => undefined;
  await ready;
  expect(stream.status()[0]).toMatchObject({ name: `ws ${url.host}`, connected: true });
});
