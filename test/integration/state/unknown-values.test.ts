import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Address } from '#core/base/encoding/address.ts';
import { createUnknownValueCheck } from '#core/base/encoding/unknown-values.ts';
import type { RawAccount } from '#core/base/solana/account.ts';
import { toSlot } from '#core/base/time.ts';
import { identifyAccount } from '#core/state/account-kinds.ts';
import { ClusterState } from '#core/state/cluster-state.ts';
import { silentLog } from '../../support/fakes/silent-log.ts';
import { goldenCluster, goldenFlows } from '../../support/golden/golden.ts';
import { mainnetAccounts } from '../../support/mainnet/mainnet-fixtures.ts';
import { assertProperty } from '../../support/properties/assert-property.ts';
import { accountKinds } from '../../support/random/account-kinds.ts';

type PublishedLeaf = {
  readonly path: string;
  readonly offset: number;
  readonly size: number;
  readonly padding?: boolean;
  readonly repeat?: readonly { readonly stride: number; readonly count: number }[];
};

const file = new URL('../../fixtures/protocol/layouts.json', import.meta.url);
const published: Record<string, { readonly leaves: readonly PublishedLeaf[] }> = JSON.parse(
  readFileSync(file, 'utf8'),
).accounts;

/** Padding of the published tables that has a documented content, or that later releases use. */
const usedPadding: Readonly<Record<string, readonly string[]>> = {
  'klend.LendingMarket': [
    'matureReserveDebtLiquidationEnabled',
    'padding2',
    'reserved0',
    'reserved1',
  ],
  'klend.Obligation': [
    'borrows[].fixedTermBorrowRolloverConfig.alignmentPadding',
    'lastUpdate.placeholder',
    'lowestReserveDepositLiquidationLtv',
    'lowestReserveDepositMaxLtvPct',
    'padding3',
    'paddingDeprecatedAssetTiers',
  ],
  'klend.Reserve': [
    'config.paddingDeprecatedAssetTier',
    'config.reserved1',
    'configPadding',
    'lastUpdate.placeholder',
  ],
  'kvault.VaultState': ['padding2', 'padding3', 'vaultAllocationStrategy[].configPadding'],
};

const isPadding = (name: string, { padding, path }: PublishedLeaf): boolean =>
  padding === true && !(usedPadding[name] ?? []).includes(path);

/** Offsets of the bytes of a leaf. */
function bytesOf({ offset, size, repeat = [] }: PublishedLeaf): number[] {
  const starts = repeat.reduce(
    (found, { stride, count }) =>
      found.flatMap((start) => Array.from({ length: count }, (_, i) => start + i * stride)),
    [offset],
  );
  return starts.flatMap((start) => Array.from({ length: size }, (_, i) => start + i));
}

const checkedKinds = accountKinds.map(({ name, account: { body, size } }) => ({
  name,
  size,
  check: createUnknownValueCheck({ body, start: 8, size }),
  leaves: published[name]?.leaves ?? [],
}));

test.each(checkedKinds)('property: a set byte of the padding of a $name is found', (kind) => {
  const { name, size, check, leaves } = kind;
  const offsets = leaves.filter((leaf) => isPadding(name, leaf)).flatMap(bytesOf);
  if (offsets.length === 0) return;
  assertProperty(
    fc.property(fc.constantFrom(...offsets), fc.integer({ min: 1, max: 255 }), (offset, byte) => {
      const data = new Uint8Array(size);
      data[offset] = byte;
      expect(check(data)).toMatchObject([{ code: 'unknownBytes', offset }]);
    }),
    50,
  );
});

test.each(checkedKinds)('property: no value of a field of $name is reported as padding', (kind) => {
  const { name, size, check, leaves } = kind;
  const known = leaves.filter(({ padding }) => padding !== true).flatMap(bytesOf);
  assertProperty(
    fc.property(fc.constantFrom(...known), fc.integer({ min: 1, max: 255 }), (offset, byte) => {
      const data = new Uint8Array(size);
      data[offset] = byte;
      const codes = check(data).map(({ code }) => code);
      expect(codes, `${name} at ${offset}`).not.toContain('unknownBytes');
    }),
    50,
  );
});

const recorded = (): { readonly name: string; readonly raw: RawAccount }[] => [
  ...mainnetAccounts().map((raw) => ({ name: `mainnet ${raw.kind} ${raw.address}`, raw })),
  ...[...goldenCluster().accounts].map(([address, raw]) => ({ name: `golden ${address}`, raw })),
  ...goldenFlows().flatMap(({ name: flow, before, after }) =>
    [...before, ...after].flatMap(([address, raw]) =>
      raw === undefined ? [] : { name: `${flow} ${address}`, raw },
    ),
  ),
];

test('no recorded account has an unknown value', () => {
  let count = 0;
  for (const { name, raw } of recorded()) {
    const kind = accountKinds.find(({ account }) => account.matches(raw));
    const check = checkedKinds.find((checked) => checked.name === kind?.name)?.check;
    if (check === undefined) continue;
    count += 1;
    expect(check(raw.data), name).toEqual([]);
  }
  expect(count).toBeGreaterThan(250);
});

const goldenOf = (kind: string): { address: Address; account: RawAccount } => {
  const found = [...goldenCluster().accounts].find(
    ([, account]) => identifyAccount(account).kind === kind,
  );
  if (found === undefined) throw new Error(`no golden ${kind}`);
  return { address: found[0], account: found[1] };
};

const withByte = ({ owner, data }: RawAccount, offset: number, byte: number): RawAccount => {
  const changed = data.slice();
  changed[offset] = byte;
  return { owner, data: changed };
};

/** The last bytes of these accounts are padding. */
const PADDED = ['market', 'reserve', 'obligation', 'vault', 'farm', 'farmsConfig', 'farmUser'];

test.each(PADDED)('the state finds a set padding byte of a %s, until it is cleared', (kind) => {
  const state = new ClusterState({ log: silentLog });
  const { address, account } = goldenOf(kind);
  const offset = account.data.length - 1;
  const put = (slot: bigint, content: RawAccount | undefined) =>
    state.apply({ address, account: content, slot: toSlot(slot) });
  put(1n, account);
  expect(state.unknownValues.examples()).toEqual([]);
  put(2n, withByte(account, offset, 7));
  const found = { address, kind, code: 'unknownBytes', offset, value: '07', since: 2n };
  expect(state.unknownValues.examples()).toMatchObject([found]);
  put(3n, withByte(account, offset, 8));
  expect(state.unknownValues.examples()).toMatchObject([{ ...found, value: '08' }]);
  expect(state.unknownValues.of(address)).toHaveLength(1);
  expect([...state.unknownValues.counts()]).toEqual([[kind, 1]]);
  put(4n, account);
  expect(state.unknownValues.examples()).toEqual([]);
  expect(state.unknownValues.of(address)).toEqual([]);
  put(5n, withByte(account, offset, 7));
  put(6n, undefined);
  expect(state.unknownValues.examples()).toEqual([]);
  expect([...state.unknownValues.counts()]).toEqual([]);
});

test('an older version of an account changes nothing', () => {
  const state = new ClusterState({ log: silentLog });
  const { address, account } = goldenOf('reserve');
  state.apply({ address, account, slot: toSlot(5n) });
  const older = withByte(account, account.data.length - 1, 1);
  state.apply({ address, account: older, slot: toSlot(4n) });
  expect(state.unknownValues.examples()).toEqual([]);
});

test('a farm with an unknown time unit cannot be read, and is found', () => {
  const state = new ClusterState({ log: silentLog });
  const { address, account } = goldenOf('farm');
  // `timeUnit` in the published layout
  const offset = published['farms.FarmState']?.leaves.find(
    ({ path }) => path === 'timeUnit',
  )?.offset;
  const changed = withByte(account, offset ?? Number.NaN, 2);
  state.apply({ address, account: changed, slot: toSlot(1n) });
  expect(state.farm(address)).toBeUndefined();
  expect(state.unreadable.get(address)).toMatchObject({
    kind: 'farm',
    reason: 'its timeUnit is 0x02, which has no known meaning',
  });
  expect(state.unknownValues.examples()).toMatchObject([
    { kind: 'farm', code: 'unknownValue', field: 'timeUnit', offset, since: 1n },
  ]);
  state.apply({ address, account, slot: toSlot(2n) });
  expect(state.farm(address)).toBeDefined();
  expect(state.unknownValues.examples()).toEqual([]);
});

test('accounts with the same unknown field share one example, the first of them', () => {
  const state = new ClusterState({ log: silentLog });
  const users = [...goldenCluster().accounts].filter(
    ([, account]) => identifyAccount(account).kind === 'farmUser',
  );
  const put = (index: number, slot: bigint, byte: number): Address => {
    const [address, account] = users[index] ?? [];
    if (address === undefined || account === undefined) throw new Error('no such user');
    const changed = withByte(account, account.data.length - 1, byte);
    state.apply({ address, account: changed, slot: toSlot(slot) });
    return address;
  };
  const first = put(0, 1n, 1);
  const second = put(1, 2n, 1);
  put(0, 3n, 2);
  expect(state.unknownValues.examples()).toMatchObject([{ address: first, since: 1n }]);
  expect([...state.unknownValues.counts()]).toEqual([['farmUser', 2]]);
  put(0, 4n, 0);
  expect(state.unknownValues.examples()).toMatchObject([{ address: second, since: 2n }]);
});
