import { expect, test } from 'vitest';
import { addressFromBytes, toAddress } from '#core/base/encoding/address.ts';
import { toSlot } from '#core/base/time.ts';
import { startPolling } from '../../support/clusters/polled-node.ts';

const program = toAddress('KLend2g3cP87fffoy8q1mQqGKjrxjC8boSyAYavgmjD');
const addressOf = (byte: number) => addressFromBytes(new Uint8Array(32).fill(byte));
const account = (byte: number) => ({ owner: program, lamports: 9n, data: Uint8Array.of(byte) });
const scan = { program, filters: [{ kind: 'size', size: 1 }] } as const;
const soon = { interval: 2 };

test('a subscribed account is announced at first, after each change, and when it is closed', async () => {
  const { node, subscribe, updates } = await startPolling();
  const address = addressOf(1);
  node.accounts.set(address, account(1));
  await subscribe({ kind: 'accounts', addresses: [address] }).ready;
  await expect.poll(() => updates.length, soon).toBe(1);
  node.slot += 1;
  node.accounts.set(address, account(2));
  await expect.poll(() => updates.length, soon).toBe(2);
  node.slot += 1;
  node.accounts.delete(address);
  await expect.poll(() => updates.length, soon).toBe(3);
  expect(updates.map(({ account: each, slot }) => [each?.data[0], slot])).toEqual([
    [1, 1_000n],
    [2, 1_001n],
    [undefined, 1_002n],
  ]);
});

test('changes since the last scan of a program are announced', async () => {
  const { node, source, subscribe, updates, gaps, rescan } = await startPolling();
  for (const byte of [1, 2, 3]) node.accounts.set(addressOf(byte), account(byte));
  await subscribe({ kind: 'program', scan }).ready;
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

test('known accounts are read by address; a new one is found by the next scan', async () => {
  const { node, source, subscribe, updates, rescan, readAgain } = await startPolling(350);
  for (const byte of [1, 2, 3]) node.accounts.set(addressOf(byte), account(byte));
  await subscribe({ kind: 'program', scan }).ready;
  await source.scanProgram(scan);
  node.slot += 2;
  node.accounts.set(addressOf(2), account(9));
  node.accounts.delete(addressOf(3));
  node.accounts.set(addressOf(4), account(4));
  await readAgain();
  expect(node.countRequests('getProgramAccounts')).toBe(1);
  expect(updates).toEqual([
    { address: addressOf(2), account: account(9), slot: 1_002n },
    { address: addressOf(3), account: undefined, slot: 1_002n },
  ]);
  await readAgain();
  await readAgain();
  await rescan();
  expect(updates.slice(2)).toEqual([{ address: addressOf(4), account: account(4), slot: 1_002n }]);
});

test('an account that no longer passes the filters counts as closed', async () => {
  const { node, source, subscribe, updates, readAgain } = await startPolling(10_000);
  node.accounts.set(addressOf(1), account(1));
  await subscribe({ kind: 'program', scan }).ready;
  await source.scanProgram(scan);
  node.slot += 1;
  node.accounts.set(addressOf(1), { ...account(1), data: new Uint8Array(2) });
  await readAgain();
  expect(updates).toEqual([{ address: addressOf(1), account: undefined, slot: 1_001n }]);
});

test('a large program is left to its subscriber, and slots do not wait for it', async () => {
  const { node, source, subscribe, updates, slots, readAgain } = await startPolling(10_000);
  node.accounts.set(addressOf(1), account(1));
  const large = subscribe({ kind: 'program', isLarge: true, scan: { program, filters: [] } });
  const small = subscribe({ kind: 'program', scan });
  subscribe({ kind: 'slots' });
  await Promise.all([large.ready, small.ready]);
  expect([large.sendsUpdates?.(), small.sendsUpdates?.()]).toEqual([false, true]);
  await source.scanProgram(scan);
  node.slot += 1;
  node.accounts.set(addressOf(1), account(2));
  await readAgain();
  expect(updates).toEqual([{ address: addressOf(1), account: account(2), slot: 1_001n }]);
  expect(slots.at(-1)?.[0]).toBe(1_001n);
  expect(node.countRequests('getProgramAccounts')).toBe(1);
});

test('an account that was read on its own and closed before the next scan is announced as closed', async () => {
  const { node, source, subscribe, updates, rescan } = await startPolling();
  await subscribe({ kind: 'program', scan }).ready;
  await source.scanProgram(scan);
  node.accounts.set(addressOf(5), account(5));
  node.slot += 1;
  await source.getAccounts([addressOf(5)]);
  node.accounts.delete(addressOf(5));
  node.slot += 1;
  await rescan();
  expect(updates).toEqual([{ address: addressOf(5), account: undefined, slot: 1_002n }]);
});

test('a partial read of an account does not affect announcements', async () => {
  const { node, source, subscribe, updates, rescan } = await startPolling();
  await subscribe({ kind: 'program', scan }).ready;
  await source.scanProgram(scan);
  node.accounts.set(addressOf(5), account(5));
  node.slot += 1;
  expect((await source.getAccounts([addressOf(5)], undefined, 1)).accounts).toEqual([account(5)]);
  // uncompressed, because the node reports the size of the whole account
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

test('slots are announced up to the oldest scan of a subscribed program', async () => {
  const { node, source, subscribe, slots, rescan, settle } = await startPolling();
  await subscribe({ kind: 'slots' }).ready;
  await expect.poll(() => slots, soon).toEqual([[1_000n, 1_010n]]);
  await subscribe({ kind: 'program', scan }).ready;
  await source.scanProgram(scan);
  node.slot += 3;
  await settle();
  expect(slots.length).toBe(1);
  await rescan();
  expect(slots.at(-1)?.[0]).toBe(1_003n);
});

test('accounts are read as often as programs are scanned, and slots wait for both', async () => {
  const { node, source, subscribe, updates, slots, rescan, settle } = await startPolling();
  const address = addressOf(1);
  const reads = () =>
    node.requests.filter(({ params }) => [params[0]].flat().includes(address)).length;
  node.accounts.set(address, account(1));
  await subscribe({ kind: 'slots' }).ready;
  await subscribe({ kind: 'program', scan: { program: address, filters: [] } }).ready;
  await subscribe({ kind: 'accounts', addresses: [address, addressOf(2)] }).ready;
  await source.scanProgram({ program: address, filters: [] });
  await expect.poll(() => updates.length, soon).toBe(2);
  await settle();
  const before = reads();
  const requests = node.requests.length;
  node.slot += 3;
  node.accounts.set(address, account(2));
  await settle();
  expect(reads()).toBe(before);
  expect(node.requests).toHaveLength(requests);
  expect(slots.at(-1)?.[0] ?? 1_000n).toBe(1_000n);
  // the program is scanned one slot after the accounts were read
  node.reply = ({ method }) => {
    if (method === 'getProgramAccounts') node.slot += 1;
    return undefined;
  };
  await rescan();
  expect(updates.slice(2)).toEqual([{ address, account: account(2), slot: 1_003n }]);
  expect(slots.at(-1)?.[0]).toBe(1_003n);
});

test('changes are announced for the announced slot, although the scan was later', async () => {
  const { node, source, subscribe, updates, slots, rescan } = await startPolling();
  await subscribe({ kind: 'slots' }).ready;
  await subscribe({ kind: 'program', scan }).ready;
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

test('changes that a caller’s scan found are announced too', async () => {
  const { node, source, subscribe, updates, rescan } = await startPolling();
  await subscribe({ kind: 'program', scan }).ready;
  await source.scanProgram(scan);
  node.slot += 1;
  node.accounts.set(addressOf(2), account(2));
  await source.scanProgram(scan);
  await rescan();
  expect(updates).toEqual([{ address: addressOf(2), account: account(2), slot: 1_001n }]);
});

test('polling continues after failures and misses no change', async () => {
  const { node, subscribe, updates } = await startPolling();
  const address = addressOf(1);
  node.accounts.set(address, account(1));
  await subscribe({ kind: 'accounts', addresses: [address] }).ready;
  await expect.poll(() => updates.length, soon).toBe(1);
  let failures = 3;
  node.reply = () => (failures-- > 0 ? { status: 503 } : undefined);
  node.slot += 1;
  node.accounts.set(address, account(2));
  await expect.poll(() => updates.length, soon).toBe(2);
  expect(updates[1]?.account?.data[0]).toBe(2);
});

test('announced slots never decrease, even if the node falls back', async () => {
  const { node, subscribe, slots } = await startPolling();
  await subscribe({ kind: 'slots' }).ready;
  await expect.poll(() => slots.length, soon).toBe(1);
  node.slot -= 20;
  const requests = node.requests.length;
  await expect.poll(() => node.requests.length, soon).toBeGreaterThan(requests + 2);
  node.slot += 21;
  await expect.poll(() => slots.length, soon).toBe(2);
  expect(slots.map(([slot]) => slot)).toEqual([toSlot(1_000n), toSlot(1_001n)]);
});

test('nothing is announced after stop', async () => {
  const { node, subscribe, updates } = await startPolling();
  const address = addressOf(1);
  const subscription = subscribe({ kind: 'accounts', addresses: [address] });
  subscribe({ kind: 'slots' });
  await expect.poll(() => updates.length, soon).toBe(1);
  subscription.stop();
  node.accounts.set(address, account(3));
  const polls = node.requests.length;
  await expect.poll(() => node.requests.length, soon).toBeGreaterThan(polls + 3);
  expect(updates.length).toBe(1);
});

test('without subscriptions nothing is polled; the next one starts polling again', async () => {
  const { node, subscribe, updates } = await startPolling();
  const other = await startPolling();
  other.subscribe({ kind: 'slots' });
  const otherPolls = async (count: number) => {
    const before = other.node.requests.length;
    await expect.poll(() => other.node.requests.length, soon).toBeGreaterThan(before + count);
  };
  const target = { kind: 'accounts', addresses: [addressOf(1)] } as const;
  const subscription = subscribe(target);
  await expect.poll(() => updates.length, soon).toBe(1);
  subscription.stop();
  // a poll that has begun ends; then a source with the same pace polls, and this one does not
  await otherPolls(10);
  const polls = node.requests.length;
  await otherPolls(20);
  expect(node.requests).toHaveLength(polls);
  subscribe(target);
  await expect.poll(() => updates.length, soon).toBe(2);
});
