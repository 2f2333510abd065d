import { expect, onTestFinished, test } from 'vitest';
import { addressFromBytes } from '#core/base/encoding/address.ts';
import { createClusterSource } from '#server/chain/cluster-source.ts';
import type { AccountUpdate, SubscriptionListener } from '#server/chain/source/chain-source.ts';
import { FakeNode, type ReceivedRpcRequest, type Reply } from '../../support/fakes/fake-node.ts';
import { silentLog } from '../../support/fakes/silent-log.ts';

const program = addressFromBytes(new Uint8Array(32).fill(7));
const address = addressFromBytes(new Uint8Array(32).fill(8));
const accountOf = (byte: number) => ({ owner: program, lamports: 9n, data: Uint8Array.of(byte) });
const scan = { program, filters: [] };
const soon = { interval: 10 };

const SLOT_MS = 20;

/**
 * A node whose slots advance, and a source whose steps fail within 300 ms and are tried again within 600 ms of a clock
 * that passes with the slots: while the test itself has to wait, no step fails.
 */
async function setUp(prepare: (node: FakeNode) => void = () => undefined) {
  const node = await FakeNode.start();
  node.accounts.set(address, accountOf(1));
  prepare(node);
  let now = 1_000;
  const source = createClusterSource({
    rpcUrls: [node.url],
    wsUrls: [node.wsUrl],
    commitment: 'confirmed',
    clock: () => now,
    random: () => 0,
    log: silentLog,
    scanMs: 20,
    timing: {
      probeMs: 50,
      ladder: { failAfterMs: 300, firstRetryMs: 600, maxRetryMs: 600 },
      clock: { silentMs: 50, readEveryMs: 20, settleMs: 10, updatesMs: 1_000 },
    },
  });
  const ticker = setInterval(() => {
    now += SLOT_MS;
    node.nextSlot();
  }, SLOT_MS);
  onTestFinished(async () => {
    clearInterval(ticker);
    source.close();
    await node.stop();
  });
  return { node, source };
}

function recorder() {
  const updates: AccountUpdate[] = [];
  const slots: bigint[] = [];
  const gaps: string[] = [];
  const listener: SubscriptionListener = {
    onAccount: (update) => updates.push(update),
    onSlot: (slot) => slots.push(slot),
    onGap: (reason) => gaps.push(reason),
  };
  return { updates, slots, gaps, listener };
}

const stepOf = (source: Awaited<ReturnType<typeof setUp>>['source']) =>
  source.status().updates.step;

/** Ignores WebSocket requests of this kind. */
const silence =
  (...methods: readonly string[]) =>
  ({ method }: ReceivedRpcRequest): Reply | undefined =>
    methods.includes(method) ? 'silence' : undefined;

test.each([
  ['confirms no subscription', silence('accountSubscribe', 'programSubscribe')],
  ['confirms only account subscriptions', silence('programSubscribe')],
  [
    'refuses program subscriptions',
    ({ method }: ReceivedRpcRequest): Reply | undefined =>
      method === 'programSubscribe'
        ? { error: { code: -32601, message: 'Method not found' } }
        : undefined,
  ],
])('a WebSocket that %s is replaced by polling and used again when it works', async (_, reply) => {
  const { node, source } = await setUp((started) => {
    started.reply = reply;
  });
  const { slots, listener: slotListener } = recorder();
  const { updates, gaps, listener } = recorder();
  source.subscribe({ kind: 'slots' }, slotListener);
  await source.subscribe({ kind: 'program', scan }, listener).ready;
  expect(source.status().updates).toMatchObject({
    step: 'polling',
    reason: expect.stringMatching(/^websocket: /),
  });
  expect(gaps).toEqual([]);
  await source.scanProgram(scan);
  node.accounts.set(address, accountOf(2));
  await expect.poll(() => updates.at(-1)?.account?.data, soon).toEqual(Uint8Array.of(2));
  await expect.poll(() => slots.length, soon).toBeGreaterThan(0);

  node.reply = () => undefined;
  await expect.poll(() => stepOf(source), soon).toBe('websocket');
  // the program may have missed updates while it moved
  expect(gaps).toContain('It works again.');
  const before = slots.length;
  await expect.poll(() => slots.length, soon).toBeGreaterThan(before);
  const polls = node.countRequests('getProgramAccounts');
  node.announceAccount(address, program, accountOf(3));
  await expect.poll(() => updates.at(-1)?.account?.data, soon).toEqual(Uint8Array.of(3));
  expect(node.countRequests('getProgramAccounts')).toBe(polls);
});

test('a WebSocket that falls silent is replaced by polling with a gap, and nothing is lost', async () => {
  const { node, source } = await setUp();
  const { slots, listener: slotListener } = recorder();
  const { updates, gaps, listener } = recorder();
  await source.subscribe({ kind: 'slots' }, slotListener).ready;
  await source.subscribe({ kind: 'program', scan }, listener).ready;
  await expect.poll(() => slots.length, soon).toBeGreaterThan(2);
  expect(stepOf(source)).toBe('websocket');
  node.isMute = true;
  node.accounts.set(address, accountOf(2));
  await expect.poll(() => gaps.length, soon).toBe(1);
  expect(stepOf(source)).toBe('polling');
  expect((await source.scanProgram(scan)).accounts[0]?.account.data).toEqual(Uint8Array.of(2));
  node.accounts.set(address, accountOf(3));
  await expect.poll(() => updates.at(-1)?.account?.data, soon).toEqual(Uint8Array.of(3));
});

test('a stopped subscription gets nothing from any step', async () => {
  const { node, source } = await setUp();
  const { slots, listener } = recorder();
  const subscription = source.subscribe({ kind: 'slots' }, listener);
  await expect.poll(() => slots.length, soon).toBeGreaterThan(0);
  subscription.stop();
  const count = slots.length;
  node.isMute = true;
  await expect.poll(() => stepOf(source), soon).toBe('polling');
  node.isMute = false;
  await expect.poll(() => stepOf(source), soon).toBe('websocket');
  expect(slots).toHaveLength(count);
});

/** A node that confirms the clock subscription but never sends the clock. Slots and other accounts are sent. */
async function setUpWithoutClock() {
  const { node, source } = await setUp((started) => {
    started.nextSlot = () => {
      started.slot += 1;
      started.announceSlot();
    };
  });
  return { node, source };
}

test('without clock updates over WebSocket the clock is read over HTTP', async () => {
  const { node, source } = await setUpWithoutClock();
  const { updates, slots, listener } = recorder();
  await source.subscribe({ kind: 'slots' }, listener).ready;
  await source.subscribe({ kind: 'program', scan }, listener).ready;
  const ticker = setInterval(() => node.announceAccount(address, program, accountOf(4)), 100);
  onTestFinished(() => clearInterval(ticker));
  await expect.poll(() => slots.length, soon).toBeGreaterThan(40);
  expect(slots).toEqual(slots.toSorted((a, b) => Number(a - b)));
  expect(stepOf(source)).toBe('websocket');
  expect(updates.at(-1)?.account?.data).toEqual(Uint8Array.of(4));
});

test('an endpoint that sends slots but no account at all is replaced by polling', async () => {
  const { node, source } = await setUpWithoutClock();
  const { updates, slots, listener } = recorder();
  await source.subscribe({ kind: 'slots' }, listener).ready;
  await source.subscribe({ kind: 'program', scan }, listener).ready;
  await expect.poll(() => slots.length, soon).toBeGreaterThan(0);
  expect(stepOf(source)).toBe('websocket');
  node.accounts.set(address, accountOf(5));
  await expect.poll(() => stepOf(source), soon).toBe('polling');
  await source.scanProgram(scan);
  node.accounts.set(address, accountOf(6));
  await expect.poll(() => updates.at(-1)?.account?.data, soon).toEqual(Uint8Array.of(6));
});
