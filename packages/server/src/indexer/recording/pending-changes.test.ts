import { addressFromBytes } from '@tidegate/core/base';
import { expect, test } from 'vitest';
import { PendingChanges } from './pending-changes.ts';

const addressOf = (byte: number) => addressFromBytes(new Uint8Array(32).fill(byte));
const accountOf = (byte: number) => ({
  owner: addressOf(200),
  data: new Uint8Array(5_000).fill(byte),
});

const readAll = (changes: PendingChanges) =>
  changes.drain().map((group) => {
    const accounts = group.read();
    expect(accounts).toHaveLength(group.count);
    return accounts.map(({ address, account }) => [address, account?.data[0]]);
  });

test('changes are returned once, in groups, in their order', () => {
  const changes = new PendingChanges(2);
  for (const byte of [1, 2, 3]) changes.set(addressOf(byte), accountOf(byte));
  changes.set(addressOf(4), undefined);
  changes.set(addressOf(5), accountOf(5));
  expect(readAll(changes)).toEqual([
    [
      [addressOf(1), 1],
      [addressOf(2), 2],
    ],
    [
      [addressOf(3), 3],
      [addressOf(4), undefined],
    ],
    [[addressOf(5), 5]],
  ]);
  expect(readAll(changes)).toEqual([]);
});

test('the last version of an account comes last', () => {
  const changes = new PendingChanges(2);
  changes.set(addressOf(1), accountOf(1));
  changes.set(addressOf(1), accountOf(2));
  changes.set(addressOf(2), accountOf(3));
  changes.set(addressOf(3), accountOf(4));
  changes.set(addressOf(1), accountOf(9));
  const versions = readAll(changes).flat();
  expect(versions.filter(([address]) => address === addressOf(1))).toEqual([
    [addressOf(1), 2],
    [addressOf(1), 9],
  ]);
});

test('bytes that change after a group is full do not change it', () => {
  const changes = new PendingChanges(1);
  const account = accountOf(1);
  changes.set(addressOf(1), account);
  changes.set(addressOf(2), accountOf(2));
  account.data.fill(7);
  expect(readAll(changes)[0]).toEqual([[addressOf(1), 1]]);
});
