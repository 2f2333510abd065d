import { type Address, addressFromBytes, toAddress, toSlot } from '@tidegate/core/base';
import { expect, test } from 'vitest';
import { readAbsent } from './absence-reads.ts';

const program = toAddress('KLend2g3cP87fffoy8q1mQqGKjrxjC8boSyAYavgmjD');
const addressOf = (number: number) => {
  const bytes = new Uint8Array(32).fill(9);
  new DataView(bytes.buffer).setUint32(0, number);
  return addressFromBytes(bytes);
};
const range = (start: number, count: number): Address[] =>
  Array.from({ length: count }, (_, i) => addressOf(start + i));

/** A node that has the accounts, and what was requested of it. */
function createNode(has: (address: Address, read: number) => boolean) {
  const requests: (readonly Address[])[] = [];
  const read = async (addresses: readonly Address[]) => {
    requests.push(addresses);
    const account = { owner: program, lamports: 1n, data: new Uint8Array() };
    return {
      slot: toSlot(7n),
      accounts: addresses.map((each) => (has(each, requests.length) ? account : undefined)),
    };
  };
  return { requests, read };
}

const existing = range(10_000, 30);
const suspects = range(0, 3);
const random = () => 0.5;

test('accounts that a good answer does not have are absent, after one request', async () => {
  const { requests, read } = createNode((address) => existing.includes(address));
  const result = await readAbsent(suspects, { read, existing, random });
  expect(result).toEqual({ found: [], absent: suspects, unknown: [], skipped: [] });
  expect(requests.map(({ length }) => length)).toEqual([19]);
});

test('an account that exists is found, and the others are asked for twice', async () => {
  const { requests, read } = createNode(
    (address) => existing.includes(address) || address === suspects[1],
  );
  const { found, absent, unknown } = await readAbsent(suspects, { read, existing, random });
  expect(found.map(({ address, slot }) => [address, slot])).toEqual([[suspects[1], 7n]]);
  expect([absent, unknown]).toEqual([[suspects[0], suspects[2]], []]);
  expect(requests).toHaveLength(2);
});

test('an answer without an account that exists proves nothing', async () => {
  const { requests, read } = createNode(
    (address) => existing.includes(address) && address !== existing[20],
  );
  const result = await readAbsent(suspects, { read, existing, random });
  expect(result).toMatchObject({ found: [], absent: [], unknown: suspects });
  expect(requests).toHaveLength(4);
});

test('without accounts to compare with, two answers are needed', async () => {
  const { requests, read } = createNode(() => false);
  const result = await readAbsent(suspects, { read, existing: [], random });
  expect(result).toMatchObject({ absent: suspects, unknown: [] });
  expect(requests).toHaveLength(2);
});

test('many accounts are read in batches of at most 100', async () => {
  const many = range(0, 1_700);
  const { requests, read } = createNode((address) => existing.includes(address));
  const { absent } = await readAbsent(many, { read, existing, random });
  expect(absent).toEqual(many);
  expect(requests.length).toBeLessThan(22);
  expect(Math.max(...requests.map(({ length }) => length))).toBeLessThanOrEqual(100);
});

test('of a bad listing only some are read', async () => {
  const many = range(0, 1_700);
  const { requests, read } = createNode(() => true);
  const options = { read, existing, random, onlySamples: true };
  const { found, absent, skipped } = await readAbsent(many, options);
  expect([found.length + skipped.length, absent]).toEqual([1_700, []]);
  expect(requests).toHaveLength(1);
});
