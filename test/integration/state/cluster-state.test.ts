import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Address, addressFromBytes } from '#core/base/encoding/address.ts';
import { toLamports } from '#core/base/numbers/lamports.ts';
import type { RawAccount } from '#core/base/solana/account.ts';
import { type Slot, toSlot, toUnixSeconds } from '#core/base/time.ts';
import { farmState } from '#core/protocol/farms/layout/farm-state.ts';
import { userState } from '#core/protocol/farms/layout/user-state.ts';
import { lendingMarket } from '#core/protocol/klend/layout/lending-market.ts';
import { obligation } from '#core/protocol/klend/layout/obligation.ts';
import { reserve } from '#core/protocol/klend/layout/reserve.ts';
import { KLEND_PROGRAM } from '#core/protocol/klend/program.ts';
import { vaultState } from '#core/protocol/kvault/layout/vault-state.ts';
import { tokenAccount } from '#core/protocol/spl/layout/token-account.ts';
import { SYSTEM_PROGRAM, TOKEN_PROGRAM } from '#core/protocol/spl/programs.ts';
import { ClusterState } from '#core/state/cluster-state.ts';
import { SeenAddresses } from '#core/state/seen-addresses.ts';
import type { AccountStateUpdate } from '#core/state/state-options.ts';
import { silentLog } from '../../support/fakes/silent-log.ts';
import { goldenCluster, goldenFlows } from '../../support/golden/golden.ts';
import { goldenReader } from '../../support/golden/golden-reader.ts';
import { assertProperty } from '../../support/properties/assert-property.ts';
import { seededBytes, seeds } from '../../support/random/seeded-bytes.ts';

const slot = (number: number): Slot => toSlot(BigInt(number));
const one = slot(1);

function loadGoldenState(): { state: ClusterState; accounts: Map<Address, RawAccount> } {
  const state = new ClusterState({ log: silentLog });
  const { accounts } = goldenCluster();
  for (const [address, { owner, data }] of accounts) {
    state.apply({ address, account: { owner, data: data.slice() }, slot: one });
  }
  return { state, accounts };
}

const addressesOf = (list: Iterable<{ readonly address: Address }>): Address[] =>
  [...list].map(({ address }) => address).sort();

test('the state contains the same accounts as a scan of the golden cluster', () => {
  const { state, accounts } = loadGoldenState();
  const reference = goldenReader();
  const kinds = { lendingMarket, reserve, obligation, vaultState, farmState, userState };
  for (const [address, raw] of accounts) {
    const kind = Object.entries(kinds).find(([, { matches }]) => matches(raw))?.[0];
    expect(state.market(address) !== undefined).toBe(kind === 'lendingMarket');
    expect(state.reserve(address) !== undefined).toBe(kind === 'reserve');
    expect(state.obligation(address) !== undefined).toBe(kind === 'obligation');
    expect(state.vault(address) !== undefined).toBe(kind === 'vaultState');
    expect(state.farm(address) !== undefined).toBe(kind === 'farmState');
  }
  expect(addressesOf(state.markets())).toEqual(addressesOf(reference.markets()));
  expect(state.markets()).toHaveLength(2);
  expect(state.vaults().map(({ address }) => address)).toEqual(
    reference.vaults().map(({ address }) => address),
  );
  for (const { address: market } of reference.markets()) {
    const reserves = reference.reservesOf(market);
    expect(state.reservesOf(market).map((stored) => stored.address)).toEqual(addressesOf(reserves));
    const loans = reference.obligationsIn(market);
    expect(addressesOf(state.obligationsIn(market))).toEqual(addressesOf(loans));
  }
});

test('loans and stakes of golden wallets are found by owner, farm and delegatee', () => {
  const { state, accounts } = loadGoldenState();
  const reference = goldenReader();
  const loans = [...accounts.values()].filter((raw) => obligation.matches(raw));
  const users = [...accounts.values()].filter((raw) => userState.matches(raw));
  for (const owner of new Set(loans.map((raw) => obligation.view(raw).owner))) {
    const found = state.obligationsOf(owner);
    expect(found.map(({ address }) => address)).toEqual(
      reference.obligationsOf(owner).map(({ address }) => address),
    );
    for (const { fields } of found) expect(fields.owner).toBe(owner);
  }
  for (const raw of users) {
    const { owner, farmState: farm, delegatee, bump } = userState.view(raw);
    expect(addressesOf(state.farmUsersOf(owner))).toEqual(
      addressesOf(reference.farmUsersOf(owner)),
    );
    expect(addressesOf(state.farmUsersIn(farm))).toEqual(addressesOf(reference.farmUsersIn(farm)));
    expect(state.farmUser(farm, delegatee)?.fields.bump).toBe(bump);
    expect(state.farmUser(farm, farm)).toBeUndefined();
  }
});

test('balances count associated token accounts; owners count all token accounts', () => {
  const { state } = loadGoldenState();
  const [vault] = state.vaults();
  if (vault === undefined) throw new Error('no golden vault');
  const mint = vault.fields.sharesMint;
  expect(state.vaultOfShares(mint)?.address).toBe(vault.address);
  expect(state.shareBalances(mint)).toEqual(goldenReader().shareBalances(mint));
  expect(state.shareBalances(mint).length).toBeGreaterThan(0);
  const wallet = addressFromBytes(seededBytes(7, 32));
  const other = tokenAccountOf(mint, wallet, 5n);
  state.apply({ address: addressFromBytes(seededBytes(9, 32)), account: other, slot: one });
  expect(state.shareBalance(mint, wallet)).toBe(0n);
  expect(state.shareOwners(mint)).toBeUndefined();
  state.setSharesComplete(mint, true);
  expect(state.shareOwners(mint)).toContain(wallet);
  expect(state.shareBalances(mint).map(({ owner }) => owner)).not.toContain(wallet);
});

function tokenAccountOf(mint: Address, owner: Address, amount: bigint): RawAccount {
  const template = [...goldenCluster().accounts.values()].find(
    (raw) => raw.owner === TOKEN_PROGRAM && tokenAccount.matches(raw),
  );
  if (template === undefined) throw new Error('no golden token account');
  const fields = { ...tokenAccount.decode(template), mint, owner, amount: toLamports(amount) };
  return { owner: TOKEN_PROGRAM, data: tokenAccount.encode(fields) };
}

test('an older update is ignored; one of the same slot replaces', () => {
  const { state, accounts } = loadGoldenState();
  const [address, raw] = [...accounts].find(([, account]) => obligation.matches(account)) ?? [];
  if (address === undefined || raw === undefined) throw new Error('no golden obligation');
  const withTag = (tag: bigint): RawAccount => {
    const data = raw.data.slice();
    new DataView(data.buffer).setBigUint64(obligation.offsets.tag, tag, true);
    return { owner: raw.owner, data };
  };
  expect(state.apply({ address, account: withTag(7n), slot: slot(10) })).toBe(true);
  expect(state.apply({ address, account: withTag(8n), slot: slot(9) })).toBe(false);
  expect(state.obligation(address)?.fields.tag).toBe(7n);
  expect(state.apply({ address, account: withTag(9n), slot: slot(10) })).toBe(true);
  expect(state.obligation(address)?.fields.tag).toBe(9n);
  const before = state.version();
  expect(state.apply({ address, account: undefined, slot: slot(11) })).toBe(true);
  expect(state.version()).toBeGreaterThan(before);
  expect(state.obligation(address)).toBeUndefined();
  expect(state.apply({ address, account: withTag(1n), slot: slot(10) })).toBe(false);
  expect(state.obligation(address)).toBeUndefined();
});

test('an account with a new program owner is removed', () => {
  const { state, accounts } = loadGoldenState();
  const [address] = [...accounts].find(([, account]) => vaultState.matches(account)) ?? [];
  if (address === undefined) throw new Error('no golden vault');
  state.apply({ address, account: { owner: SYSTEM_PROGRAM, data: new Uint8Array() }, slot: one });
  expect(state.vault(address)).toBeUndefined();
  expect(state.vaults()).toHaveLength(1);
});

test('accounts missing in a snapshot are found, unless they are newer', () => {
  const { state, accounts } = loadGoldenState();
  const [present, closed, newer] = [...accounts].filter(([, raw]) => obligation.matches(raw));
  if (present === undefined || closed === undefined || newer === undefined)
    throw new Error('too few');
  const all = state.statistics().obligations;
  state.apply({ address: newer[0], account: newer[1], slot: slot(6) });
  state.apply({ address: present[0], account: present[1], slot: slot(5) });
  const missing = state.findOlder('obligation', { program: KLEND_PROGRAM }, slot(5));
  expect(missing).toHaveLength(all - 2);
  expect(missing).toContain(closed[0]);
  expect(missing).not.toContain(present[0]);
  expect(missing).not.toContain(newer[0]);
  expect([present[0], newer[0]].map((address) => state.slotOf(address))).toEqual([5n, 6n]);
  state.apply({ address: closed[0], account: undefined, slot: slot(5) });
  expect(state.slotOf(closed[0])).toBeUndefined();
  expect(state.apply({ address: closed[0], account: closed[1], slot: slot(4) })).toBe(false);
});

test.each([
  ['obligation', obligation],
  ['farmUser', userState],
  ['shares', tokenAccount],
  ['reserve', reserve],
] as const)('of %s, accounts that were seen stay, whatever their slot', (kind, account) => {
  const { state, accounts } = loadGoldenState();
  const [kept, raw] = [...accounts].find(([, each]) => account.matches(each)) ?? [];
  const program = raw?.owner;
  if (kept === undefined || program === undefined) throw new Error('too few accounts');
  const except = new SeenAddresses();
  except.add(kept);
  const others = state.findOlder(kind, { program, except }, slot(5));
  expect(others.length).toBeGreaterThan(0);
  expect(others).not.toContain(kept);
  expect(state.findOlder(kind, { program }, slot(5))).toHaveLength(others.length + 1);
});

test('an account is held if nobody would see a difference', () => {
  const { state, accounts } = loadGoldenState();
  for (const layout of [obligation, userState, reserve, vaultState]) {
    const [address, raw] = [...accounts].find(([, each]) => layout.matches(each)) ?? [];
    if (address === undefined || raw === undefined) throw new Error('no golden account');
    expect(state.holds(address, raw)).toBe(true);
    const data = raw.data.slice();
    data[16] = (data[16] ?? 0) ^ 1;
    expect(state.holds(address, { ...raw, data })).toBe(false);
    expect(state.holds(addressFromBytes(new Uint8Array(32).fill(3)), raw)).toBe(false);
    expect(state.holds(address, { owner: SYSTEM_PROGRAM, data: raw.data })).toBe(false);
    expect(state.kindOf(address)).toBeDefined();
  }
  expect(state.kindOf(addressFromBytes(new Uint8Array(32).fill(3)))).toBeUndefined();
});

test('tombstones expire after an hour, and older updates are then rejected', () => {
  const { state, accounts } = loadGoldenState();
  const [address, raw] = [...accounts].find(([, account]) => obligation.matches(account)) ?? [];
  if (address === undefined || raw === undefined) throw new Error('no golden obligation');
  state.apply({ address, account: undefined, slot: slot(2) });
  state.setAt({ slot: slot(1_000_000), unix: toUnixSeconds(0n) });
  expect(state.apply({ address, account: raw, slot: slot(1) })).toBe(false);
  expect(state.apply({ address, account: raw, slot: slot(999_999) })).toBe(true);
});

/** Every state of the golden accounts, one slot per flow. */
function accountHistories(): Map<Address, (RawAccount | undefined)[]> {
  const all = new Map<Address, (RawAccount | undefined)[]>();
  for (const { before, after } of goldenFlows()) {
    for (const [address, account] of after) {
      const states = all.get(address) ?? [before.get(address)];
      states.push(account);
      all.set(address, states);
    }
  }
  return all;
}

test('property: in any order and with repetitions, the newest update of each account wins', () => {
  const golden = accountHistories();
  const changes: AccountStateUpdate[] = [...golden].flatMap(([address, states]) =>
    states.map((account, i) => ({ address, account, slot: slot(i + 1) })),
  );
  const programs = [lendingMarket, reserve, obligation, vaultState, farmState, userState];
  assertProperty(
    fc.property(seeds, fc.nat(), (seed, from) => {
      const state = new ClusterState({ log: silentLog });
      const repeated = changes.slice(from % changes.length).slice(0, 200);
      const order = seededBytes(seed, (changes.length + repeated.length) * 2);
      const shuffled = [...changes, ...repeated]
        .map((change, i) => ({ change, at: order[i * 2] ?? 0, next: order[i * 2 + 1] ?? 0 }))
        .sort((a, b) => a.at - b.at || a.next - b.next);
      for (const { change } of shuffled) state.apply(change);
      for (const [address, states] of golden) {
        const last = states.at(-1);
        const isProgramAccount =
          last !== undefined && programs.some(({ matches }) => matches(last));
        const stored =
          state.market(address) ??
          state.reserve(address) ??
          state.vault(address) ??
          state.farm(address);
        const packed = state.obligation(address);
        if (!isProgramAccount) expect(stored ?? packed).toBeUndefined();
        else if (obligation.matches(last)) {
          expect(packed?.fields.depositedValueSf).toBe(obligation.view(last).depositedValueSf);
          expect(packed?.fields.lastUpdate.slot).toBe(obligation.view(last).lastUpdate.slot);
        } else if (!userState.matches(last)) {
          expect(Buffer.compare(stored?.data ?? new Uint8Array(), last.data)).toBe(0);
        }
      }
    }),
    15,
  );
});
