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
import { FakeNode } from '../../support/fakes/fake-node.ts';
import { silentLog } from '../../support/fakes/silent-log.ts';

const program = toAddress('KLend2g3cP87fffoy8q1mQqGKjrxjC8boSyAYavgmjD');
const address = toAddress('KvauGMspG5k6rtzrqqn7WNn3oZdyKqLKwK2XWQ8FLjd');
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

test('a clock that goes on by 20 slots at once after a pause of 8 s is followed without a gap', async () => {
  const { node, stream, time, alarmsOf } = await setUp();
  const { slots, gaps, listener } = recorder();
  await stream.subscribe(wholeProgram, listener).ready;
  await stream.subscribe({ kind: 'slots' }, listener).ready;
  node.nextSlot();
  // a busy machine: 8 s of 400 ms
  time.now += 8_000;
  node.slot += 19;
  node.nextSlot();
  node.nextSlot();
  await expect
    .poll(() => slots, soon)
    .toEqual([
      [1_001n, 1_011n],
      [1_021n, 1_031n],
    ]);
  expect(gaps).toEqual([]);
  expect(alarmsOf('skipped-slots').count).toBe(0);
  expect(stream.status()[0]).toMatchObject({ connected: true, lastError: undefined });
});

test('a notification of an unknown subscription is an alarm, and everything is subscribed again', async () => {
  const { node, stream, alarmsOf } = await setUp();
  const { updates, gaps, listener } = recorder();
  await stream.subscribe(wholeProgram, listener).ready;
  const result = { context: { slot: 1_000 }, value: null };
  const params = { subscription: 4_711, result };
  node.sendToAll(JSON.stringify({ jsonrpc: '2.0', method: 'programNotification', params }));
  await expect.poll(() => gaps.length, soon).toBe(1);
  expect(gaps[0]).toBe('it sent a notification of the unknown subscription 4711');
  expect(alarmsOf('subscription')).toMatchObject({
    count: 1,
    last: { source: `ws ${node.wsUrl.host}`, reason: gaps[0] },
  });
  expect(node.countRequests('programSubscribe')).toBe(2);
  node.announceAccount(address, program, account(9));
  await expect.poll(() => updates.length, soon).toBe(1);
});

test('a notification may arrive before the response to its subscription, or after its end', async () => {
  const { node, stream, alarmsOf } = await setUp();
  const [early, stopped] = [recorder(), recorder()];
  const first = stream.subscribe(wholeProgram, stopped.listener);
  await first.ready;
  first.stop();
  await expect.poll(() => node.countRequests('programUnsubscribe'), soon).toBe(1);
  // the node goes on with the subscription that has ended
  node.announceAccount(address, program, account(1));
  node.reply = ({ method }) => {
    if (method !== 'accountSubscribe') return undefined;
    const value = { owner: program, lamports: 9, data: ['AQ==', 'base64'], space: 1 };
    const params = { subscription: 77, result: { context: { slot: 1_000 }, value } };
    node.sendToAll(JSON.stringify({ jsonrpc: '2.0', method: 'accountNotification', params }));
    return { result: 77 };
  };
  await stream.subscribe({ kind: 'accounts', addresses: [address] }, early.listener).ready;
  expect(early.updates).toEqual([{ address, account: account(1), slot: 1_000n }]);
  expect([early.gaps, stopped.updates, alarmsOf('subscription').count]).toEqual([[], [], 0]);
});

test('a clock that goes back is named, and the connection is opened again', async () => {
  const { node, stream } = await setUp();
  const { gaps, listener } = recorder();
  await stream.subscribe({ kind: 'slots' }, listener).ready;
  node.nextSlot();
  node.nextSlot();
  node.slot -= 2;
  node.nextSlot();
  await expect
    .poll(() => gaps, soon)
    .toEqual([
      'its clock went back from slot 1002 to 1001: slots were rolled back, or a notification arrived again',
    ]);
});
