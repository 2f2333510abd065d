import { toSlot, ZERO_ADDRESS } from '@tidegate/core/base';
import { expect, test } from 'vitest';
import { AccountVersions, type KnownAccount } from './account-versions.ts';

const account = (lamports: bigint) => ({
  owner: ZERO_ADDRESS,
  lamports,
  data: new Uint8Array(1_000),
});

function lamportsAt(versions: AccountVersions, slot: bigint): bigint | string | undefined {
  const known: KnownAccount | 'current' = versions.has(ZERO_ADDRESS)
    ? versions.at(ZERO_ADDRESS, toSlot(slot))?.account
    : 'current';
  return typeof known === 'object' ? known.lamports : known;
}

const add = (versions: AccountVersions, slot: bigint, lamports: bigint): void =>
  versions.add(ZERO_ADDRESS, { slot: toSlot(slot), account: account(lamports) }, () => account(1n));

test('an account is as of the newest version that is not later', () => {
  const versions = new AccountVersions();
  add(versions, 10n, 2n);
  add(versions, 12n, 3n);
  expect([9n, 10n, 11n, 12n, 13n].map((slot) => lamportsAt(versions, slot))).toEqual([
    ...[1n, 2n, 2n, 3n, 3n],
  ]);
});

test('after a write that was not seen an account is unknown until its next version', () => {
  const versions = new AccountVersions();
  add(versions, 10n, 2n);
  versions.addUnknown(ZERO_ADDRESS, toSlot(11n), () => undefined);
  add(versions, 14n, 3n);
  expect([10n, 11n, 13n, 14n].map((slot) => lamportsAt(versions, slot))).toEqual([
    ...[2n, 'unknown', 'unknown', 3n],
  ]);
});

test('a write that turns out later to be unseen leaves later versions', () => {
  const versions = new AccountVersions();
  add(versions, 10n, 2n);
  add(versions, 14n, 3n);
  versions.addUnknown(ZERO_ADDRESS, toSlot(11n), () => undefined);
  expect([10n, 12n, 14n].map((slot) => lamportsAt(versions, slot))).toEqual([2n, 'unknown', 3n]);
});

test('a change that a read found is of an unknown slot', () => {
  const versions = new AccountVersions();
  add(versions, 10n, 2n);
  versions.addFound(ZERO_ADDRESS, { slot: toSlot(20n), account: account(4n) });
  expect([10n, 11n, 19n, 20n].map((slot) => lamportsAt(versions, slot))).toEqual([
    ...[2n, 'unknown', 'unknown', 4n],
  ]);
});

test('pruning leaves what later slots need, and no bytes of others', () => {
  const versions = new AccountVersions();
  for (const slot of [10n, 11n, 12n]) add(versions, slot, slot);
  versions.prune(toSlot(12n));
  expect([11n, 12n].map((slot) => lamportsAt(versions, slot))).toEqual([11n, 12n]);
  expect(versions.byteLength).toBeLessThan(2_500);
  versions.prune(toSlot(13n));
  expect(lamportsAt(versions, 13n)).toBe('current');
  expect(versions.byteLength).toBe(0);
});
