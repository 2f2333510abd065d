import { type ClusterAccount, toSlot, toUnixSeconds } from '@tidegate/core/base';
import { expect, test } from 'vitest';
import { catchError } from '../../../../test/support/errors/catch-error.ts';
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

const origin = { slot: toSlot(1_000n), unix: toUnixSeconds(50_000n) };
const bankOf = (...accounts: [ReturnType<typeof repeatedByteAddress>, ClusterAccount][]) =>
  new Bank({ accounts: new Map(accounts), origin });
const slot = (value: bigint) => toSlot(value);
const owned = (bank: Bank, owner: typeof OWNER, value: bigint) =>
  [...bank.view(slot(value)).accountsOf(owner)].map(({ address }) => address);

test('writes become visible when the slot closes, and earlier slots keep their values', () => {
  const bank = bankOf([A, account(1)]);
  bank.setAccount(A, account(2));
  expect(bank.account(A)?.data[0]).toBe(2);
  expect(bank.view(bank.slot).account(A)?.data[0]).toBe(1);
  bank.close(slot(1_001n));
  bank.setAccount(A, account(3));
  bank.close(slot(1_005n));
  const values = [999n, 1_000n, 1_001n, 1_004n, 1_005n].map(
    (value) => bank.view(slot(value)).account(A)?.data[0],
  );
  expect(values).toEqual([1, 1, 2, 2, 3]);
});

test('an account belongs to the program that owned it in the requested slot', () => {
  const bank = bankOf([A, account(1)], [B, account(1)]);
  bank.setAccount(A, account(1, OTHER));
  bank.close(slot(1_001n));
  expect(owned(bank, OWNER, 1_000n)).toEqual([A, B]);
  expect(owned(bank, OWNER, 1_001n)).toEqual([B]);
  expect(owned(bank, OTHER, 1_000n)).toEqual([]);
  expect(owned(bank, OTHER, 1_001n)).toEqual([A]);
});

test('an account without lamports is deleted and can be created again', () => {
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

test('beyond the retained slots only the newest state remains', () => {
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

test('no state is lost within the retained slots, however often an account changes', () => {
  const bank = bankOf([A, account(0)]);
  for (let i = 1n; i <= 400n; i++) {
    bank.setAccount(A, account(Number(i % 200n)));
    bank.close(slot(1_000n + i));
  }
  for (let back = 0n; back < RETAINED_SLOTS; back++) {
    const values = bank.view(slot(bank.slot - back)).account(A)?.data[0];
    expect(values).toBe(Number((400n - back) % 200n));
  }
});

test('changes are listed by slot, and listeners run after a slot closes', () => {
  const bank = bankOf([A, account(1)]);
  const slots: bigint[] = [];
  const unsubscribe = bank.onSlot(() => slots.push(bank.slot));
  bank.setAccount(A, account(2));
  bank.setAccount(B, account(2));
  bank.close(slot(1_001n));
  bank.close(slot(1_002n));
  bank.setAccount(B, account(3));
  bank.close(slot(1_003n));
  unsubscribe();
  bank.close(slot(1_004n));
  expect(slots).toEqual([1_001n, 1_002n, 1_003n]);
  expect(bank.changesBetween(slot(1_000n), slot(1_003n))).toEqual([
    { slot: 1_001n, addresses: [A, B] },
    { slot: 1_003n, addresses: [B] },
  ]);
  expect(bank.changesBetween(slot(1_001n), slot(1_002n))).toEqual([]);
});

test('slots last 400 ms, also before the origin, and cannot go back', () => {
  const bank = bankOf();
  const times = [998n, 1_000n, 1_002n, 1_003n, 1_150n].map(
    (value) => bank.timeOf(slot(value)).unix,
  );
  expect(times).toEqual([49_999n, 50_000n, 50_000n, 50_001n, 50_060n]);
  expect(catchError(() => bank.close(slot(1_000n)))?.code).toBe('MALFORMED_DATA');
});

test('a rollback restores all accounts and lists them as changed again', () => {
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

test('a rollback keeps the writes of the open slot', () => {
  const bank = bankOf([A, account(1)]);
  bank.setAccount(A, account(2));
  bank.close(slot(1_001n));
  bank.setAccount(A, account(3));
  bank.rollBack(slot(1_000n));
  expect(bank.account(A)?.data[0]).toBe(3);
  expect(bank.view(bank.slot).account(A)?.data[0]).toBe(1);
});

test('a rollback reaches as far as the retained slots, never before the start', () => {
  const bank = bankOf([A, account(0)]);
  const rollBackError = (to: bigint) => catchError(() => bank.rollBack(slot(to)))?.code;
  expect([rollBackError(1_000n), rollBackError(999n)]).toEqual([
    'MALFORMED_DATA',
    'MALFORMED_DATA',
  ]);
  for (let i = 1n; i <= 700n; i++) {
    bank.setAccount(A, account(Number(i % 200n)));
    bank.close(slot(1_000n + i));
  }
  expect(rollBackError(1_700n - RETAINED_SLOTS - 1n)).toBe('MALFORMED_DATA');
  bank.rollBack(slot(1_700n - RETAINED_SLOTS));
  expect(bank.account(A)?.data[0]).toBe(180);
  // Older slots are still available.
  expect(bank.view(slot(1_700n - 2n * RETAINED_SLOTS)).account(A)?.data[0]).toBe(60);
  expect(rollBackError(1_700n - RETAINED_SLOTS - 1n)).toBe('MALFORMED_DATA');
});
