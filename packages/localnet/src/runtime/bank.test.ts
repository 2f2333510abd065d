import { type ClusterAccount, toSlot, toUnixSeconds } from '@tidegate/core/base';
import { expect, test } from 'vitest';
import { errorCode } from '../../../../test/support/errors/catch-error.ts';
import { repeatedByteAddress } from '../../../../test/support/vaults/example-vault.ts';
import { Bank, RETAINED_SLOTS } from './bank.ts';

const OWNER = repeatedByteAddress(1);
const OTHER = repeatedByteAddress(2);
const A = repeatedByteAddress(10);
const B = repeatedByteAddress(11);

const account = (byte: number, owner = OWNER): ClusterAccount => ({
  owner,
  lamports: 5n,
  data: Uint8Array.of(byte),
});

const at = { slot: toSlot(1_000n), unix: toUnixSeconds(50_000n) };
const bankOf = (...accounts: [ReturnType<typeof repeatedByteAddress>, ClusterAccount][]) =>
  new Bank({ accounts: new Map(accounts), at });
const slot = (value: bigint) => toSlot(value);
const owned = (bank: Bank, owner: typeof OWNER, of: bigint) =>
  [...bank.view(slot(of)).accountsOf(owner)].map(({ address }) => address);

test('what the open slot writes is seen once it is closed, and earlier slots keep what they had', () => {
  const bank = bankOf([A, account(1)]);
  bank.setAccount(A, account(2));
  expect(bank.account(A)?.data[0]).toBe(2);
  expect(bank.view(bank.slot).account(A)?.data[0]).toBe(1);
  bank.close(slot(1_001n));
  bank.setAccount(A, account(3));
  bank.close(slot(1_005n));
  const seen = [999n, 1_000n, 1_001n, 1_004n, 1_005n].map(
    (of) => bank.view(slot(of)).account(A)?.data[0],
  );
  expect(seen).toEqual([1, 1, 2, 2, 3]);
});

test('an account belongs to the program that owned it in the slot that is asked for', () => {
  const bank = bankOf([A, account(1)], [B, account(1)]);
  bank.setAccount(A, account(1, OTHER));
  bank.close(slot(1_001n));
  expect(owned(bank, OWNER, 1_000n)).toEqual([A, B]);
  expect(owned(bank, OWNER, 1_001n)).toEqual([B]);
  expect(owned(bank, OTHER, 1_000n)).toEqual([]);
  expect(owned(bank, OTHER, 1_001n)).toEqual([A]);
});

test('an account without lamports is gone, and can come back', () => {
  const bank = bankOf([A, account(1)]);
  bank.setAccount(A, { ...account(2), lamports: 0n });
  bank.close(slot(1_001n));
  expect(bank.view(slot(1_001n)).account(A)).toBeUndefined();
  expect(owned(bank, OWNER, 1_001n)).toEqual([]);
  bank.setAccount(A, account(3));
  bank.close(slot(1_002n));
  expect(bank.view(slot(1_002n)).account(A)?.data[0]).toBe(3);
  expect(bank.view(slot(1_001n)).account(A)).toBeUndefined();
});

test('after all its history has passed only the newest state is left, and it is right', () => {
  const bank = bankOf([A, account(1)], [B, account(1)]);
  bank.setAccount(A, account(2, OTHER));
  bank.setAccount(B, undefined);
  bank.close(slot(1_001n));
  bank.close(slot(1_001n + 2n * RETAINED_SLOTS));
  const oldest = slot(1_001n);
  expect(bank.view(oldest).account(A)?.data[0]).toBe(2);
  expect(owned(bank, OTHER, 1_001n)).toEqual([A]);
  expect(owned(bank, OWNER, 1_001n)).toEqual([]);
  expect(bank.view(slot(1_000n)).account(A)).toBeUndefined();
  expect(bank.changesBetween(slot(0n), bank.slot)).toEqual([]);
});

test('within its history no state is lost, however often an account changes', () => {
  const bank = bankOf([A, account(0)]);
  for (let i = 1n; i <= 400n; i++) {
    bank.setAccount(A, account(Number(i % 200n)));
    bank.close(slot(1_000n + i));
  }
  for (let back = 0n; back < RETAINED_SLOTS; back++) {
    const seen = bank.view(slot(bank.slot - back)).account(A)?.data[0];
    expect(seen).toBe(Number((400n - back) % 200n));
  }
});

test('changes are told by slot, listeners after the slot is closed', () => {
  const bank = bankOf([A, account(1)]);
  const heard: bigint[] = [];
  const end = bank.onSlot(() => heard.push(bank.slot));
  bank.setAccount(A, account(2));
  bank.setAccount(B, account(2));
  bank.close(slot(1_001n));
  bank.close(slot(1_002n));
  bank.setAccount(B, account(3));
  bank.close(slot(1_003n));
  end();
  bank.close(slot(1_004n));
  expect(heard).toEqual([1_001n, 1_002n, 1_003n]);
  expect(bank.changesBetween(slot(1_000n), slot(1_003n))).toEqual([
    { slot: 1_001n, addresses: [A, B] },
    { slot: 1_003n, addresses: [B] },
  ]);
  expect(bank.changesBetween(slot(1_001n), slot(1_002n))).toEqual([]);
});

test('slots last 400 ms, before the origin too, and do not go back', () => {
  const bank = bankOf();
  const times = [998n, 1_000n, 1_002n, 1_003n, 1_150n].map((of) => bank.timeOf(slot(of)).unix);
  expect(times).toEqual([49_999n, 50_000n, 50_000n, 50_001n, 50_060n]);
  expect(errorCode(() => bank.close(slot(1_000n)))).toBe('MALFORMED_DATA');
});

test('slots that are undone leave everything as it was, and are told as changes once more', () => {
  const bank = bankOf([A, account(1)]);
  bank.setAccount(A, account(2));
  bank.close(slot(1_001n));
  bank.setAccount(A, account(3, OTHER));
  bank.setAccount(B, account(1));
  bank.close(slot(1_002n));
  bank.setAccount(A, undefined);
  bank.close(slot(1_003n));
  bank.rollBack(slot(1_001n));
  expect(bank.slot).toBe(1_001n);
  expect([bank.account(A)?.data[0], bank.account(B)]).toEqual([2, undefined]);
  expect(bank.view(slot(1_005n)).account(A)?.data[0]).toBe(2);
  expect([owned(bank, OWNER, 1_005n), owned(bank, OTHER, 1_005n)]).toEqual([[A], []]);
  expect(bank.rollBacks).toEqual([1_001n]);
  bank.close(slot(1_002n));
  expect(bank.changesBetween(slot(1_000n), slot(1_010n))).toEqual([
    { slot: 1_001n, addresses: [A] },
    { slot: 1_002n, addresses: [A, B] },
  ]);
  expect(bank.view(slot(1_002n)).account(A)?.data[0]).toBe(2);
});

test('what waits in the open slot stays when others are undone', () => {
  const bank = bankOf([A, account(1)]);
  bank.setAccount(A, account(2));
  bank.close(slot(1_001n));
  bank.setAccount(A, account(3));
  bank.rollBack(slot(1_000n));
  expect(bank.account(A)?.data[0]).toBe(3);
  expect(bank.view(bank.slot).account(A)?.data[0]).toBe(1);
});

test('it goes back as far as its history allows, never before its start, and only back', () => {
  const bank = bankOf([A, account(0)]);
  const refused = (to: bigint) => errorCode(() => bank.rollBack(slot(to)));
  expect([refused(1_000n), refused(999n)]).toEqual(['MALFORMED_DATA', 'MALFORMED_DATA']);
  for (let i = 1n; i <= 700n; i++) {
    bank.setAccount(A, account(Number(i % 200n)));
    bank.close(slot(1_000n + i));
  }
  expect(refused(1_700n - RETAINED_SLOTS - 1n)).toBe('MALFORMED_DATA');
  bank.rollBack(slot(1_700n - RETAINED_SLOTS));
  expect(bank.account(A)?.data[0]).toBe(180);
  // the history before is still there
  expect(bank.view(slot(1_700n - 2n * RETAINED_SLOTS)).account(A)?.data[0]).toBe(60);
  expect(refused(1_700n - RETAINED_SLOTS - 1n)).toBe('MALFORMED_DATA');
});
