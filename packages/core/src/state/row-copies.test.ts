import { expect, test } from 'vitest';
import { silentLog } from '../../../../test/support/fakes/silent-log.ts';
import { goldenCluster } from '../../../../test/support/golden/golden.ts';
import type { Address } from '../base/encoding/address.ts';
import type { RawAccount } from '../base/solana/account.ts';
import { toSlot } from '../base/time.ts';
import { userState } from '../protocol/farms/layout/user-state.ts';
import { obligation } from '../protocol/klend/layout/obligation.ts';
import { ClusterState } from './cluster-state.ts';
import type { StateRows } from './row-copies.ts';

const golden = [...goldenCluster().accounts];
const SMALL = 512;

function stateOf(accounts: readonly (readonly [Address, RawAccount])[]): ClusterState {
  const state = new ClusterState({ log: silentLog });
  for (const [i, [address, { owner, data }]] of accounts.entries()) {
    const account = { owner, data: data.slice() };
    state.apply({ address, slot: toSlot(BigInt(i + 1)), account });
  }
  return state;
}

/** A new state with everything of another one. */
function copyOf(
  state: ClusterState,
  change: (rows: StateRows) => StateRows = (rows) => rows,
): ClusterState {
  const copy = new ClusterState({ log: silentLog });
  const { rows, accounts } = state.copies.read(SMALL);
  for (const each of rows) copy.copies.add(change(each));
  for (const { address, slot, owner, data } of accounts) {
    copy.apply({ address, slot, account: { owner, data: data.slice() } });
  }
  return copy;
}

const contentOf = (state: ClusterState) =>
  new Map(
    Array.from(state.accounts(), ({ address, owner, data, slot }) => [
      address,
      { owner, slot, data: Buffer.from(data).toString('hex') },
    ]),
  );

const loanWallets = golden.flatMap(([, raw]) =>
  obligation.matches(raw) ? obligation.view(raw).owner : [],
);

test('a copy has every account with its slot, and finds it by wallet, market and farm', () => {
  const state = stateOf(golden);
  const copy = copyOf(state);
  expect(contentOf(copy)).toEqual(contentOf(state));
  for (const wallet of loanWallets) {
    const loans = copy.obligationsOf(wallet).map(({ address }) => address);
    expect(loans).toEqual(state.obligationsOf(wallet).map(({ address }) => address));
    expect(loans).not.toEqual([]);
  }
  const addressesIn = (each: ClusterState, market: Address) =>
    Array.from(each.obligationsIn(market), ({ address }) => address).sort();
  for (const { address } of state.markets()) {
    expect(addressesIn(copy, address)).toEqual(addressesIn(state, address));
  }
});

test('loans and stakes are copied as rows, in parts', () => {
  const { rows, accounts } = stateOf(golden).copies.read(SMALL);
  const kinds = Array.from(rows, ({ kind }) => kind);
  expect(new Set(kinds)).toEqual(new Set(['obligation', 'farmUser']));
  expect(kinds.length).toBeGreaterThan(2);
  const others = Array.from(accounts, ({ owner, data }) => ({ owner, data: data.slice() }));
  expect(others.some((raw) => obligation.matches(raw) || userState.matches(raw))).toBe(false);
});

test('rows of another layout are read one by one', () => {
  const state = stateOf(golden);
  const copy = copyOf(state, ({ layout, ...rest }) => ({
    ...rest,
    // as a release that knows eight bytes more
    layout: { ...layout, size: layout.size + 8 },
  }));
  expect(contentOf(copy)).toEqual(contentOf(state));
});

test('a copy can be changed as its original', () => {
  const state = stateOf(golden);
  const copy = copyOf(state);
  const loans = golden.filter(([, raw]) => obligation.matches(raw));
  for (const [i, [address, { owner }]] of loans.entries()) {
    // the content of another loan, with other keys
    const [, { data }] = loans[(i + 1) % loans.length] ?? [address, { owner, data: EMPTY }];
    for (const each of [state, copy]) {
      const account = i % 3 === 0 ? undefined : { owner, data: data.slice() };
      each.apply({ address, slot: toSlot(10_000n), account });
    }
  }
  expect(contentOf(copy)).toEqual(contentOf(state));
  for (const wallet of loanWallets) {
    expect(copy.obligationsOf(wallet).map(({ address }) => address)).toEqual(
      state.obligationsOf(wallet).map(({ address }) => address),
    );
  }
});

test('an account with unknown values is known as such in the copy', () => {
  const [loan] = golden.filter(([, raw]) => obligation.matches(raw));
  if (loan === undefined) throw new Error('no loan');
  const [address, { owner, data }] = loan;
  const changed = data.slice();
  // the padding at the end
  changed[obligation.size - 1] = 1;
  const state = stateOf([...golden, [address, { owner, data: changed }]]);
  expect(state.unknownValues.of(address)).toHaveLength(1);
  const copy = copyOf(state);
  expect(copy.unknownValues.of(address)).toEqual(state.unknownValues.of(address));
  expect(contentOf(copy)).toEqual(contentOf(state));
});

test('rows before which others are missing are refused', () => {
  const [, second] = stateOf(golden).copies.read(SMALL).rows;
  if (second === undefined) throw new Error('there is one part');
  const other = new ClusterState({ log: silentLog });
  expect(() => other.copies.add(second)).toThrow('rows before these are missing');
});

const EMPTY = new Uint8Array(0);
