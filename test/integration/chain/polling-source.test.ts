import { expect, onTestFinished, test, vi } from 'vitest';
import { addressFromBytes, toAddress } from '#core/base/encoding/address.ts';
import { toSlot } from '#core/base/time.ts';
import { PollingSource } from '#server/chain/polling/polling-source.ts';
import { createRpcSource } from '#server/chain/rpc/rpc-source.ts';
import type { AccountUpdate, SubscriptionTarget } from '#server/chain/source/chain-source.ts';
import { FakeNode } from '../../support/fakes/fake-node.ts';
import { silentLog } from '../../support/fakes/silent-log.ts';

const program = toAddress('KLend2g3cP87fffoy8q1mQqGKjrxjC8boSyAYavgmjD');
const addressOf = (byte: number) => addressFromBytes(new Uint8Array(32).fill(byte));
const account = (byte: number) => ({ owner: program, lamports: 9n, data: Uint8Array.of(byte) });
const scan = { program, filters: [{ kind: 'size', size: 1 }] } as const;
const soon = { timeout: 3_000, interval: 2 };

async function setUp() {
  const node = await FakeNode.start();
  const time = { now: 0 };
  const clock = () => time.now;
  const reader = createRpcSource({
    url: node.url,
    commitment: 'confirmed',
    clock,
    maxLagSlots: 100n,
  });
  const options = { clock, random: () => 0, log: silentLog, pollMs: 2, scanMs: 100 };
  const source = new PollingSource(reader, options);
  onTestFinished(async () => {
    source.close();
    await node.stop();
  });
  const updates: AccountUpdate[] = [];
  const slots: [bigint, bigint | undefined][] = [];
  const gaps: string[] = [];
  const follow = (followed: SubscriptionTarget) =>
    source.subscribe(followed, {
      onAccount: (update) => updates.push(update),
      onSlot: (slot, unix) => slots.push([slot, unix]),
      onGap: (reason) => gaps.push(reason),
    });
  /** Until the program was read once more. */
  async function rescan() {
    const before = node.countOf('getProgramAccounts');
    time.now += 101;
    await vi.waitFor(
      () => expect(node.countOf('getProgramAccounts')).toBeGreaterThan(before),
      soon,
    );
    const polls = node.countOf('getMultipleAccounts');
    await vi.waitFor(
      () => expect(node.countOf('getMultipleAccounts')).toBeGreaterThan(polls + 1),
      soon,
    );
  }
  return { node, source, follow, updates, slots, gaps, rescan };
}

test('a followed account is announced as it is, and then when it changes or goes', async () => {
  const { node, follow, updates } = await setUp();
  const address = addressOf(1);
  node.accounts.set(address, account(1));
  await follow({ kind: 'accounts', addresses: [address] }).ready;
  await vi.waitFor(() => expect(updates.length).toBe(1), soon);
  node.slot += 1;
  node.accounts.set(address, account(2));
  await vi.waitFor(() => expect(updates.length).toBe(2), soon);
  node.slot += 1;
  node.accounts.delete(address);
  await vi.waitFor(() => expect(updates.length).toBe(3), soon);
  expect(updates.map(({ account: each, slot }) => [each?.data[0], slot])).toEqual([
    [1, 1_000n],
    [2, 1_001n],
    [undefined, 1_002n],
  ]);
});

test('of a program what differs from the last reading is announced', async () => {
  const { node, source, follow, updates, gaps, rescan } = await setUp();
  for (const byte of [1, 2, 3]) node.accounts.set(addressOf(byte), account(byte));
  await follow({ kind: 'program', scan }).ready;
  await source.scanProgram(scan);
  node.slot += 2;
  node.accounts.set(addressOf(2), account(9));
  node.accounts.delete(addressOf(3));
  node.accounts.set(addressOf(4), account(4));
  await rescan();
  expect(updates).toEqual([
    { address: addressOf(2), account: account(9), slot: 1_002n },
    { address: addressOf(4), account: account(4), slot: 1_002n },
    { address: addressOf(3), account: undefined, slot: 1_002n },
  ]);
  await rescan();
  expect(updates.length).toBe(3);
  expect(gaps).toEqual([]);
});

test('an account that was handed out alone and is closed before the next reading is announced as gone', async () => {
  const { node, source, follow, updates, rescan } = await setUp();
  await follow({ kind: 'program', scan }).ready;
  await source.scanProgram(scan);
  node.accounts.set(addressOf(5), account(5));
  node.slot += 1;
  await source.getAccounts([addressOf(5)]);
  node.accounts.delete(addressOf(5));
  node.slot += 1;
  await rescan();
  expect(updates).toEqual([{ address: addressOf(5), account: undefined, slot: 1_002n }]);
});

test('an account of which a part was handed out is not known by that', async () => {
  const { node, source, follow, updates, rescan } = await setUp();
  await follow({ kind: 'program', scan }).ready;
  await source.scanProgram(scan);
  node.accounts.set(addressOf(5), account(5));
  node.slot += 1;
  expect((await source.getAccounts([addressOf(5)], undefined, 1)).accounts).toEqual([account(5)]);
  // packed, its size would not be the one that the node states
  expect(node.requests.map(({ params }) => params[1])).toContainEqual({
    encoding: 'base64',
    dataSlice: { offset: 0, length: 1 },
    commitment: 'confirmed',
  });
  node.accounts.delete(addressOf(5));
  node.slot += 1;
  await rescan();
  expect(updates).toEqual([]);
});

test('slots are announced up to the oldest reading of a followed program', async () => {
  const { node, source, follow, slots, rescan } = await setUp();
  await follow({ kind: 'slots' }).ready;
  await vi.waitFor(() => expect(slots).toEqual([[1_000n, 1_010n]]), soon);
  await follow({ kind: 'program', scan }).ready;
  await source.scanProgram(scan);
  node.slot += 3;
  const polls = node.countOf('getMultipleAccounts');
  await vi.waitFor(
    () => expect(node.countOf('getMultipleAccounts')).toBeGreaterThan(polls + 3),
    soon,
  );
  expect(slots.length).toBe(1);
  await rescan();
  expect(slots.at(-1)?.[0]).toBe(1_003n);
});

test('beside a program accounts are read as often as it is, and slots wait for both', async () => {
  const { node, source, follow, updates, slots, rescan } = await setUp();
  const address = addressOf(1);
  const reads = () =>
    node.requests.filter(({ params }) => [params[0]].flat().includes(address)).length;
  node.accounts.set(address, account(1));
  await follow({ kind: 'slots' }).ready;
  await follow({ kind: 'program', scan: { program: address, filters: [] } }).ready;
  await follow({ kind: 'accounts', addresses: [address, addressOf(2)] }).ready;
  await source.scanProgram({ program: address, filters: [] });
  await vi.waitFor(() => expect(updates.length).toBe(2), soon);
  const [before, polls] = [reads(), node.countOf('getMultipleAccounts')];
  node.slot += 3;
  node.accounts.set(address, account(2));
  await vi.waitFor(
    () => expect(node.countOf('getMultipleAccounts')).toBeGreaterThan(polls + 5),
    soon,
  );
  expect(reads()).toBe(before);
  expect(slots.at(-1)?.[0] ?? 1_000n).toBe(1_000n);
  // The program is read after the accounts, one slot later.
  node.reply = ({ method }) => {
    if (method === 'getProgramAccounts') node.slot += 1;
    return undefined;
  };
  await rescan();
  expect(updates.slice(2)).toEqual([{ address, account: account(2), slot: 1_003n }]);
  const later = node.countOf('getMultipleAccounts') + 3;
  await vi.waitFor(() => expect(node.countOf('getMultipleAccounts')).toBeGreaterThan(later), soon);
  expect(slots.at(-1)?.[0]).toBe(1_003n);
});

test('what is found of a program is told for the slot that is announced, though it was read later', async () => {
  const { node, source, follow, updates, slots, rescan } = await setUp();
  await follow({ kind: 'slots' }).ready;
  await follow({ kind: 'program', scan }).ready;
  await source.scanProgram(scan);
  node.slot += 3;
  node.accounts.set(addressOf(2), account(2));
  node.reply = ({ method }) => {
    if (method === 'getProgramAccounts') node.slot += 1;
    return undefined;
  };
  await rescan();
  expect(updates).toEqual([{ address: addressOf(2), account: account(2), slot: 1_003n }]);
  expect(slots.map(([slot]) => slot)).toContain(1_003n);
});

test('what somebody was given of a program and may not have taken is told too', async () => {
  const { node, source, follow, updates, rescan } = await setUp();
  await follow({ kind: 'program', scan }).ready;
  await source.scanProgram(scan);
  node.slot += 1;
  node.accounts.set(addressOf(2), account(2));
  await source.scanProgram(scan);
  await rescan();
  expect(updates).toEqual([{ address: addressOf(2), account: account(2), slot: 1_001n }]);
});

test('a node that fails for a while is polled again, and nothing is missed', async () => {
  const { node, follow, updates } = await setUp();
  const address = addressOf(1);
  node.accounts.set(address, account(1));
  await follow({ kind: 'accounts', addresses: [address] }).ready;
  await vi.waitFor(() => expect(updates.length).toBe(1), soon);
  let failures = 3;
  node.reply = () => (failures-- > 0 ? { status: 503 } : undefined);
  node.slot += 1;
  node.accounts.set(address, account(2));
  await vi.waitFor(() => expect(updates.length).toBe(2), soon);
  expect(updates[1]?.account?.data[0]).toBe(2);
});

test('slots never go back, though the node does', async () => {
  const { node, follow, slots } = await setUp();
  await follow({ kind: 'slots' }).ready;
  await vi.waitFor(() => expect(slots.length).toBe(1), soon);
  node.slot -= 20;
  const asked = node.requests.length;
  await vi.waitFor(() => expect(node.requests.length).toBeGreaterThan(asked + 2), soon);
  node.slot += 21;
  await vi.waitFor(() => expect(slots.length).toBe(2), soon);
  expect(slots.map(([slot]) => slot)).toEqual([toSlot(1_000n), toSlot(1_001n)]);
});

test('nothing is announced after stop', async () => {
  const { node, follow, updates } = await setUp();
  const address = addressOf(1);
  const subscription = follow({ kind: 'accounts', addresses: [address] });
  await vi.waitFor(() => expect(updates.length).toBe(1), soon);
  subscription.stop();
  node.accounts.set(address, account(3));
  const polls = node.requests.length;
  await vi.waitFor(() => expect(node.requests.length).toBeGreaterThan(polls + 3), soon);
  expect(updates.length).toBe(1);
});
