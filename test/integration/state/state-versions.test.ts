import { expect, test } from 'vitest';
import type { Address } from '#core/base/encoding/address.ts';
import { toSlot, toUnixSeconds } from '#core/base/time.ts';
import { KLEND_PROGRAM } from '#core/protocol/klend/program.ts';
import { ClusterState } from '#core/state/cluster-state.ts';
import { type AccountKind, identifyAccount, type StatePart } from '#core/state/index.ts';
import { silentLog } from '../../support/fakes/silent-log.ts';
import { goldenCluster } from '../../support/golden/golden.ts';

const PARTS: readonly StatePart[] = [
  ...(['market', 'reserve', 'obligation', 'vault', 'farm', 'farmsConfig', 'farmUser'] as const),
  ...(['prices', 'shares', 'lookupTable', 'slot', 'slotDuration'] as const),
];

/** The golden accounts in a state, and the parts that a change counts. */
function loadState() {
  const state = new ClusterState({ log: silentLog });
  const { accounts } = goldenCluster();
  for (const [address, account] of accounts) {
    state.apply({ address, account: copyOf(account), slot: toSlot(1n) });
  }
  const changedBy = (change: () => unknown): StatePart[] => {
    const before = new Map(PARTS.map((part) => [part, state.versionOf(part)]));
    const version = state.version();
    change();
    expect(state.version()).toBeGreaterThan(version);
    return PARTS.filter((part) => state.versionOf(part) !== before.get(part));
  };
  return { state, accounts, changedBy };
}

type Account = { readonly owner: Address; readonly data: Uint8Array };

const copyOf = ({ owner, data }: Account): Account => ({ owner, data: data.slice() });

const exampleOf = (accounts: ReadonlyMap<Address, Account>, kind: AccountKind) => {
  const found = [...accounts].find(([, account]) => identifyAccount(account).kind === kind);
  if (found === undefined) throw new Error(`no golden account is a ${kind}`);
  return { address: found[0], account: found[1] };
};

const KINDS = PARTS.filter((part) => part !== 'slot' && part !== 'slotDuration');

test.each(KINDS)('a changed or closed account counts as a change of its kind: %s', (kind) => {
  const { state, accounts, changedBy } = loadState();
  const { address, account } = exampleOf(accounts, kind);
  const apply = (changed: Account | undefined, slot: bigint) =>
    changedBy(() => state.apply({ address, account: changed, slot: toSlot(slot) }));
  expect(apply(copyOf(account), 2n)).toEqual([]);
  expect(apply(undefined, 3n)).toEqual([kind]);
  expect(apply(undefined, 4n)).toEqual([]);
  expect(apply(copyOf(account), 5n)).toEqual([kind]);
});

test('a field that differs in one bit counts', () => {
  const { state, accounts, changedBy } = loadState();
  for (const kind of ['market', 'reserve', 'vault', 'obligation', 'farmUser', 'farm'] as const) {
    const { address, account } = exampleOf(accounts, kind);
    const changed = copyOf(account);
    // In each of them a number, not an address, has the byte after discriminator, version and tags.
    changed.data[16] = (changed.data[16] ?? 0) ^ 1;
    const apply = () => state.apply({ address, account: changed, slot: toSlot(2n) });
    expect(changedBy(apply)).toEqual([kind]);
  }
});

test('an account that cannot be decoded counts as its kind, and as the kind that it was', () => {
  const { state, accounts, changedBy } = loadState();
  const { address, account } = exampleOf(accounts, 'reserve');
  const short = { owner: account.owner, data: account.data.slice(0, 100) };
  const apply = (changed: Account | undefined, slot: bigint) =>
    changedBy(() => state.apply({ address, account: changed, slot: toSlot(slot) }));
  expect(apply(short, 2n)).toEqual(['reserve']);
  expect(apply(copyOf(account), 3n)).toEqual(['reserve']);
  const vault = exampleOf(accounts, 'vault');
  expect(apply(copyOf(vault.account), 4n)).toEqual(['reserve', 'vault']);
});

test('slot, slot duration, complete shares and forgotten accounts count', () => {
  const { state, accounts, changedBy } = loadState();
  const at = { slot: toSlot(9n), unix: toUnixSeconds(9n) };
  expect(changedBy(() => state.setAt(at))).toEqual(['slot']);
  const slotMs = { numerator: 399n, denominator: 1n };
  expect(changedBy(() => state.setSlotMs(slotMs))).toEqual(['slotDuration']);
  expect(changedBy(() => state.setSlotMs(slotMs))).toEqual([]);
  const { address } = exampleOf(accounts, 'vault');
  expect(changedBy(() => state.setSharesComplete(address, true))).toEqual(['shares']);
  const selection = { program: KLEND_PROGRAM };
  expect(changedBy(() => state.forget('obligation', selection))).toEqual(['obligation']);
});
