import { expect, test } from 'vitest';
import { type Slot, toSlot } from '#core/base/time.ts';
import { obligation } from '#core/protocol/klend/layout/obligation.ts';
import { reserve } from '#core/protocol/klend/layout/reserve.ts';
import { identifyAccount, programAccountKinds } from '#core/state/account-kinds.ts';
import { ClusterState } from '#core/state/cluster-state.ts';
import { silentLog } from '../../support/fakes/silent-log.ts';
import { goldenCluster } from '../../support/golden/golden.ts';
import { findGoldenAccount } from '../../support/golden/golden-accounts.ts';
import { fieldDifferences } from '../../support/protocol/field-differences.ts';

const slot = (number: number): Slot => toSlot(BigInt(number));

const goldenReserve = () => findGoldenAccount((account) => reserve.matches(account));

test('an undecodable account is logged once, reported, and not served', () => {
  const warnings: unknown[] = [];
  const log = { ...silentLog, warn: (fields: unknown) => void warnings.push(fields) };
  const state = new ClusterState({ log });
  const { address, account: raw } = goldenReserve();
  state.apply({ address, account: raw, slot: slot(1) });
  const truncated = { owner: raw.owner, data: raw.data.slice(0, -1) };
  state.apply({ address, account: truncated, slot: slot(2) });
  state.apply({ address, account: truncated, slot: slot(3) });
  expect(state.reserve(address)).toBeUndefined();
  expect(state.statistics().unreadable).toBe(1);
  const size = raw.data.length - 1;
  const reason = expect.stringContaining(`${size} bytes`);
  const version = undefined;
  expect(warnings).toEqual([{ address, account: 'reserve', size, version, reason }]);
  const market = reserve.decode(raw).lendingMarket;
  const entry = { address, kind: 'reserve', owner: raw.owner, size, version, reason };
  const expected = { ...entry, belongsTo: market };
  expect(state.unreadable.get(address)).toEqual(expected);
  expect(state.unreadable.first()).toEqual([expected]);
  expect(state.unreadable.ofKind('reserve', market)).toEqual([expected]);
  expect(state.unreadable.ofKind('reserve', address)).toEqual([]);
  expect(state.unreadable.ofKind('vault')).toEqual([]);
  state.apply({ address, account: raw, slot: slot(2) });
  expect(state.reserve(address)).toBeUndefined();
  state.apply({ address, account: raw, slot: slot(4) });
  expect(state.reserve(address)?.address).toBe(address);
  expect([state.unreadable.count, state.unreadable.get(address)]).toEqual([0, undefined]);
});

test('an unreadable account that no longer exists is not reported', () => {
  const state = new ClusterState({ log: silentLog });
  const { address, account: raw } = goldenReserve();
  const account = { owner: raw.owner, data: raw.data.slice(0, -1) };
  state.apply({ address, account, slot: slot(2) });
  const { owner: program } = raw;
  expect(state.findOlder('vault', { program }, slot(9))).toEqual([]);
  expect(state.findOlder('reserve', { program }, slot(2))).toEqual([]);
  expect(state.findOlder('reserve', { program }, slot(3))).toEqual([address]);
  expect(state.slotOf(address)).toBe(2n);
  state.apply({ address, account: undefined, slot: slot(5) });
  expect(state.unreadable.count).toBe(0);
});

test('an unreadable account of another kind than the subscribed one is ignored', () => {
  const state = new ClusterState({ log: silentLog });
  const { address, account: raw } = goldenReserve();
  const account = { owner: raw.owner, data: raw.data.slice(0, -1) };
  expect(state.apply({ address, account, slot: slot(2), onlyKind: 'vault' })).toBe(false);
  expect(state.unreadable.count).toBe(0);
  expect(state.apply({ address, account, slot: slot(2), onlyKind: 'reserve' })).toBe(true);
  expect(state.unreadable.count).toBe(1);
});

test('enlarged accounts of every kind are stored and read by their known part', () => {
  const state = new ClusterState({ log: silentLog });
  const enlarged = new ClusterState({ log: silentLog });
  for (const [address, account] of goldenCluster().accounts) {
    const known = identifyAccount(account).kind;
    if (!programAccountKinds.some(({ kind }) => kind === known)) continue;
    state.apply({ address, account: { ...account, data: account.data.slice() }, slot: slot(1) });
    const data = new Uint8Array(account.data.length + 64).fill(7);
    data.set(account.data);
    enlarged.apply({ address, account: { owner: account.owner, data }, slot: slot(1) });
  }
  expect(enlarged.unreadable.count).toBe(0);
  expect(enlarged.statistics()).toMatchObject({ obligations: 15, farmUsers: 14 });
  for (const [address] of goldenCluster().accounts) {
    const [before, after] = [state, enlarged].map((each) => each.obligation(address)?.fields);
    if (before === undefined || after === undefined) continue;
    expect(fieldDifferences(obligation.body, [before, after])).toEqual([]);
  }
  const addresses = (each: ClusterState) => each.vaults().map(({ address }) => address);
  expect(addresses(enlarged)).toEqual(addresses(state));
});
