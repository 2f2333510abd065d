import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { bsf, lamports, sf, sf64, slot, unixSeconds } from '#core/base/encoding/branded-fields.ts';
import { bytesEqual, bytesToHex } from '#core/base/encoding/bytes.ts';
import {
  type Field,
  i64,
  pubkey,
  u8,
  u16,
  u32,
  u64,
  u128,
  u256,
} from '#core/base/encoding/layout.ts';
import type { RawAccount } from '#core/base/solana/account.ts';
import { goldenCluster, goldenFlows } from '../support/golden/golden.ts';
import { mainnetAccounts } from '../support/mainnet/mainnet-fixtures.ts';
import { assertProperty } from '../support/properties/assert-property.ts';
import { fieldDifferences } from '../support/protocol/field-differences.ts';
import { type AccountKind, accountKinds, randomAccount } from '../support/random/account-kinds.ts';
import { seeds } from '../support/random/seeded-bytes.ts';

type Leaf = {
  readonly path: string;
  readonly offset: number;
  readonly size: number;
  /** The type in the published interface, or `bytes` for raw bytes. */
  readonly type: string;
  readonly repeat: readonly { readonly stride: number; readonly count: number }[];
};

type PublishedLeaf = Omit<Leaf, 'repeat'> & {
  readonly padding?: boolean;
  readonly repeat?: readonly { stride: number; count: number }[];
};

type Published = { discriminator: string; size: number; leaves: PublishedLeaf[] };

const file = new URL('../fixtures/protocol/layouts.json', import.meta.url);
const published: Record<string, Published> = JSON.parse(readFileSync(file, 'utf8')).accounts;

const typeNames = new Map<Field<unknown>, string>([
  [u8, 'u8'],
  [u16, 'u16'],
  [u32, 'u32'],
  [u64, 'u64'],
  [i64, 'i64'],
  [u128, 'u128'],
  [u256, '[u64; 4]'],
  [pubkey, 'pubkey'],
  [sf, 'u128'],
  [sf64, 'u64'],
  [bsf, '[u64; 4]'],
  [lamports, 'u64'],
  [slot, 'u64'],
  [unixSeconds, 'u64'],
]);

/** Fields of newer interfaces where the published tables have padding or an older name. */
const newer: Record<string, (leaves: readonly Leaf[]) => Leaf[]> = {
  'klend.Reserve': newerReserve,
  'klend.LendingMarket': (leaves) =>
    replaced(leaves, 'padding2', [leaf('disableNonceBlock', 3357, 'u8')]),
  'klend.Obligation': newerObligation,
  'kvault.VaultState': (leaves) => {
    const repeat = [{ stride: 2160, count: 25 }];
    const strategy = replaced(leaves, 'vaultAllocationStrategy[].configPadding', [
      { ...leaf('vaultAllocationStrategy[].ctokenAllocationCap', 400, 'u64'), repeat },
      { ...padding('vaultAllocationStrategy[].configPadding', 408, 1008), repeat },
    ]);
    const capped = replaced(strategy, 'padding2', [
      padding('padding2', 58_730, 6),
      leaf('depositCap', 58_736, 'u64'),
    ]);
    return replaced(capped, 'padding3', [
      leaf('permissioningAuthority', 58_840, 'pubkey'),
      padding('padding3', 58_872, 3680),
    ]);
  },
};

function newerReserve(leaves: readonly Leaf[]): Leaf[] {
  const permissioned = replaced(withTimestamp(leaves), 'configPadding', [
    leaf('config.permissionedOps', 5800, 'u64'),
    padding('configPadding', 5808, 896),
  ]);
  const rewarded = replaced(permissioned, 'config.rewardsAmountPerSlot', [
    leaf('config.rewardsAmountPerAccrualUnit', 5792, 'u64'),
  ]);
  return replaced(rewarded, 'config.reserved1', [
    leaf('config.interestRateBasis', 4865, 'u8'),
    padding('config.reserved1', 4866, 3),
  ]);
}

/** The last four bytes of `lastUpdate` are a time since release 1.25. */
const withTimestamp = (leaves: readonly Leaf[]): Leaf[] =>
  replaced(leaves, 'lastUpdate.placeholder', [
    padding('lastUpdate.padding', 26, 2),
    leaf('lastUpdate.timestamp', 28, 'u32'),
  ]);

/** `borrowOrder` is now the first of three orders of the same shape. */
function newerObligation(leaves: readonly Leaf[]): Leaf[] {
  const config = 'borrows[].fixedTermBorrowRolloverConfig';
  const days = leaf(`${config}.fixedTermRolloverWindowDurationDays`, 1355, 'u8');
  const order = leaves.filter(({ path }) => path.startsWith('borrowOrder.'));
  const tail = order.map((part) => ({
    ...part,
    path: part.path.replace('borrowOrder', 'tailBorrowOrders[]'),
    offset: part.offset - 2600 + 2792,
    repeat: [{ stride: 160, count: 2 }],
  }));
  const withDays = replaced(withTimestamp(leaves), `${config}.alignmentPadding`, [
    { ...days, repeat: [{ stride: 200, count: 5 }] },
  ]);
  return replaced(withDays, 'padding3', [...tail, padding('padding3', 3112, 232)]).map((part) => ({
    ...part,
    path: part.path.replace(/^borrowOrder\./, 'headBorrowOrder.'),
  }));
}

function replaced(leaves: readonly Leaf[], path: string, by: readonly Leaf[]): Leaf[] {
  expect(leaves.map((part) => part.path)).toContain(path);
  return leaves.flatMap((part) => (part.path === path ? by : [part]));
}

const sizes: Record<string, number> = { u8: 1, u32: 4, u64: 8, pubkey: 32 };

const leaf = (path: string, offset: number, type: string): Leaf => ({
  path,
  offset,
  size: sizes[type] ?? 0,
  type,
  repeat: [],
});

const padding = (path: string, offset: number, size: number): Leaf => ({
  path,
  offset,
  size,
  type: 'bytes',
  repeat: [],
});

/** Padding and `[u8; n]` decode to bytes. Padding of one element can also decode to a number. */
function expectedLeaf({ path, offset, size, type, ...more }: PublishedLeaf): Leaf {
  const isArray = type.startsWith('[');
  const isBytes = (more.padding === true && isArray) || /^\[u8; \d+\]$/.test(type);
  const repeat = (more.repeat ?? []).map(({ stride, count }) => ({ stride, count }));
  return { path, offset, size, type: isBytes ? 'bytes' : type, repeat };
}

/** Depth first, as in the published tables. An array of scalars is one leaf. */
function leavesOf(field: Field<unknown>, at: Omit<Leaf, 'size' | 'type'>): Leaf[] {
  const { parts, size } = field;
  if (parts?.kind === 'struct') {
    return Object.entries(parts.shape).flatMap(([name, part]) => {
      const path = at.path === '' ? name : `${at.path}.${name}`;
      return leavesOf(part, {
        ...at,
        path,
        offset: at.offset + (parts.offsets[name] ?? Number.NaN),
      });
    });
  }
  if (parts?.kind === 'array' && parts.item.parts !== undefined) {
    const repeat = [...at.repeat, { stride: parts.item.size, count: parts.count }];
    return leavesOf(parts.item, { path: `${at.path}[]`, offset: at.offset, repeat });
  }
  return [{ ...at, size, type: typeOf(field) }];
}

function typeOf(field: Field<unknown>): string {
  const { parts, known } = field;
  if (parts?.kind !== 'array') return typeNames.get(known?.of ?? field) ?? 'bytes';
  const item = typeNames.get(parts.item) ?? `[u8; ${parts.item.size}]`;
  return `[${item}; ${parts.count}]`;
}

test('every published account of these programs has a layout', () => {
  const ours = accountKinds.map(({ name }) => name);
  const theirs = Object.keys(published).filter((name) => !/^(spl|alt)\./.test(name));
  expect(ours.toSorted()).toEqual(theirs.toSorted());
});

test.each(accountKinds)('$name has the published size and discriminator', ({ account, name }) => {
  expect(account.size).toBe(published[name]?.size);
  expect(bytesToHex(account.discriminator)).toBe(published[name]?.discriminator);
});

test.each(accountKinds)('every field of $name has its published offset', ({ account, name }) => {
  const ours = leavesOf(account.body, { path: '', offset: 8, repeat: [] });
  const theirs = (published[name]?.leaves ?? []).map(expectedLeaf);
  const now = newer[name]?.(theirs) ?? theirs;
  expect(now.length).toBeGreaterThan(0);
  expect(ours).toEqual(now);
});

test.each(accountKinds)('filter offsets of $name start at its first byte', ({ account }) => {
  const ours = leavesOf(account.body, { path: '', offset: 8, repeat: [] });
  for (const { path, offset } of ours) {
    if (!/[.[]/.test(path)) expect(account.offsets[path]).toBe(offset);
  }
});

/** Checks that decoding and encoding returns the same bytes, and that a view returns the same values. */
function expectWholeAndSame({ account }: AccountKind, raw: RawAccount): void {
  const value = account.decode(raw);
  expect(bytesEqual(account.encode(value), raw.data)).toBe(true);
  expect(fieldDifferences(account.body, [value, account.view(raw)])).toEqual([]);
}

test.each(accountKinds)('property: any bytes of a $name round-trip', (kind) => {
  const runs = Math.max(2, Math.min(30, Math.floor(300_000 / kind.account.size)));
  assertProperty(
    fc.property(seeds, (seed) => expectWholeAndSame(kind, randomAccount(kind, seed))),
    runs,
  );
});

const isOfPrograms = ({ owner }: RawAccount) =>
  accountKinds.some(({ owners }) => owners.includes(owner));

/** Checks each account and counts them by type. */
function checkAll(accounts: readonly RawAccount[]): Record<string, number> {
  const textOf = ({ owner, data }: RawAccount) => owner + Buffer.from(data).toString('latin1');
  const different = new Map(accounts.filter(isOfPrograms).map((raw) => [textOf(raw), raw]));
  const names = [...different.values()].map((raw) => {
    const [kind, ...others] = accountKinds.filter(({ account }) => account.matches(raw));
    expect(others).toEqual([]);
    if (kind === undefined) throw new Error(`an account of ${raw.owner} has no known type`);
    expectWholeAndSame(kind, raw);
    return kind.name;
  });
  return countOf(names);
}

function countOf(names: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const name of names) counts[name] = (counts[name] ?? 0) + 1;
  return counts;
}

test('every account of the golden cluster round-trips', () => {
  expect(checkAll([...goldenCluster().accounts.values()])).toEqual({
    'farms.FarmState': 4,
    'farms.GlobalConfig': 1,
    'farms.UserState': 14,
    'klend.LendingMarket': 2,
    'klend.Obligation': 15,
    'klend.Reserve': 9,
    'klend.UserMetadata': 10,
    'kvault.GlobalConfig': 1,
    'kvault.VaultState': 2,
    'scope.OraclePrices': 2,
  });
});

test('every account before and after the golden flows round-trips', () => {
  const states = goldenFlows().flatMap(({ before, after }) => [
    ...before.values(),
    ...after.values(),
  ]);
  expect(checkAll(states.filter((state) => state !== undefined))).toEqual({
    'farms.FarmState': 29,
    'farms.GlobalConfig': 1,
    'farms.UserState': 31,
    'klend.LendingMarket': 2,
    'klend.Obligation': 35,
    'klend.Reserve': 85,
    'klend.UserMetadata': 2,
    'kvault.GlobalConfig': 1,
    'kvault.VaultState': 10,
    'scope.OraclePrices': 34,
  });
});

test('every recorded mainnet account round-trips', () => {
  const fixed = mainnetAccounts().filter(({ kind }) => kind !== 'scope-MintsToScopeChains');
  const labels = fixed.filter(isOfPrograms).map(({ kind }) => kind.replace('-', '.'));
  expect(labels.length).toBeGreaterThan(40);
  expect(checkAll(fixed)).toEqual(countOf(labels));
});
