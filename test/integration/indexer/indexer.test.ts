import { inspect } from 'node:util';
import { expect, test } from 'vitest';
import type { Address } from '#core/base/encoding/address.ts';
import { obligation } from '#core/protocol/klend/layout/obligation.ts';
import { reserve } from '#core/protocol/klend/layout/reserve.ts';
import { vaultState } from '#core/protocol/kvault/layout/vault-state.ts';
import { tokenAccount } from '#core/protocol/spl/layout/token-account.ts';
import { TOKEN_PROGRAM } from '#core/protocol/spl/programs.ts';
import { CodedError } from '#server/errors.ts';
import type { LoadProgress } from '#server/indexer/follow/indexer-status.ts';
import {
  advanceSlotsUntil,
  advanceSlotsWhile,
  createGoldenIndexer,
  findAccount,
  withValueAt,
} from '../../support/clusters/golden-indexer.ts';
import type { FakeSource } from '../../support/fakes/fake-source.ts';

const { tag } = obligation.offsets;

/** Fails all scans. Returns how often one of them was tried. */
function failScans(source: FakeSource, code: 'SOURCE_UNAVAILABLE' | 'SOURCE_REFUSES') {
  const tries = new Map<string, number>();
  source.onRequest = (request, scan) => {
    if (request !== 'scan') return;
    const key = inspect(scan, { depth: null });
    tries.set(key, (tries.get(key) ?? 0) + 1);
    throw new CodedError(code, { source: '', reason: '' });
  };
  return () => Math.max(0, ...tries.values());
}

test('the first load reads all accounts, reports progress, and ends with a complete slot', async () => {
  const progress: LoadProgress[] = [];
  const { source, state, indexer } = createGoldenIndexer({
    onProgress: (p) => void progress.push(p),
  });
  expect(indexer.status()).toMatchObject({ loading: true, ready: false, sharesComplete: false });
  await advanceSlotsWhile(source, indexer.start());
  expect(state.statistics()).toMatchObject({ obligations: 15, farmUsers: 14, unreadable: 0 });
  expect(state.markets()).toHaveLength(2);
  expect(state.vaults()).toHaveLength(2);
  expect(state.slotMs()).toEqual({ numerator: 420n, denominator: 1n });
  expect(state.at().slot).toBe(indexer.status().slot);
  expect(state.at().unix - state.at().slot).toBe(source.at.unix - source.at.slot);
  expect(indexer.status()).toMatchObject({ loading: false, ready: true, sharesComplete: true });
  const last = progress.at(-1);
  expect(last?.done).toBe(last?.total);
  expect(last?.accounts).toBeGreaterThan(40);
  indexer.stop();
  expect(source.subscriptions.size).toBe(0);
});

test('a change is visible when its slot is complete, not before', async () => {
  const { source, state, indexer } = createGoldenIndexer();
  await advanceSlotsWhile(source, indexer.start());
  source.advanceSlot();
  const [address, account] = findAccount(source, obligation);
  const { slot } = source.at;
  const update = {
    address,
    account: withValueAt(account, tag, 77n),
    slot: (slot + 1n) as typeof slot,
  };
  source.announce(update);
  expect(state.obligation(address)?.fields.tag).not.toBe(77n);
  source.announceSlot();
  expect(state.at().slot).toBe(slot);
  expect(state.obligation(address)?.fields.tag).not.toBe(77n);
  source.advanceSlot([[address, update.account]]);
  expect(state.at().slot).toBe(slot + 1n);
  expect(state.obligation(address)?.fields.tag).toBe(77n);
  indexer.stop();
});

test('changes during the first load are not lost', async () => {
  const { source, state, indexer } = createGoldenIndexer();
  const [address, account] = findAccount(source, obligation);
  let turn = 0n;
  source.duringScan = () => source.advanceSlot([[address, withValueAt(account, tag, ++turn)]]);
  await advanceSlotsWhile(source, indexer.start());
  source.duringScan = () => undefined;
  source.advanceSlot();
  expect(turn).toBeGreaterThan(5n);
  expect(state.obligation(address)?.fields.tag).toBe(turn);
  indexer.stop();
});

test('after a gap the slot does not advance until everything was read again', async () => {
  const { source, state, indexer } = createGoldenIndexer();
  await advanceSlotsWhile(source, indexer.start());
  source.advanceSlot();
  const before = state.at().slot;
  const [address, account] = findAccount(source, obligation);
  const [closed] = [...source.accounts].filter(([, raw]) => obligation.matches(raw)).at(-1) ?? [];
  if (closed === undefined) throw new Error('no golden obligation');
  const tries = failScans(source, 'SOURCE_UNAVAILABLE');
  source.accounts.set(address, withValueAt(account, tag, 5n));
  source.accounts.delete(closed);
  source.reportGap();
  await advanceSlotsUntil(source, () => tries() > 2);
  expect(state.at().slot).toBe(before);
  expect(indexer.status()).toMatchObject({ resyncing: true, lastGap: 'connection lost' });
  expect(state.obligation(address)?.fields.tag).not.toBe(5n);
  source.onRequest = () => undefined;
  await advanceSlotsUntil(source, () => state.at().slot > before);
  expect(state.obligation(address)?.fields.tag).toBe(5n);
  expect(state.obligation(closed)).toBeUndefined();
  expect(indexer.status().resyncing).toBe(false);
  indexer.stop();
});

test('nothing is read from a node that is behind', async () => {
  const { source, state, indexer } = createGoldenIndexer();
  await advanceSlotsWhile(source, indexer.start());
  const [address, account] = findAccount(source, obligation);
  source.fallBehind();
  source.advanceSlot([[address, withValueAt(account, tag, 5n)]]);
  const before = state.at().slot;
  const requests = source.requests.length;
  source.reportGap();
  await advanceSlotsUntil(source, () => source.requests.length > requests + 3);
  expect(state.at().slot).toBe(before);
  source.laggingState = undefined;
  await advanceSlotsUntil(source, () => state.at().slot > before);
  expect(state.obligation(address)?.fields.tag).toBe(5n);
  indexer.stop();
});

test('after a read ahead of the updates, earlier slots are skipped', async () => {
  const { source, state, indexer } = createGoldenIndexer();
  await advanceSlotsWhile(source, indexer.start());
  source.advanceSlot();
  const before = source.at;
  source.at = { ...before, slot: (before.slot + 5n) as typeof before.slot };
  source.reportGap();
  await expect.poll(() => indexer.status().resyncing, { interval: 1 }).toBe(false);
  const ahead = source.at;
  source.at = { ...before, slot: (before.slot + 3n) as typeof before.slot };
  source.announceSlot();
  expect(state.at().slot).toBe(before.slot);
  source.at = ahead;
  source.announceSlot();
  expect(state.at().slot).toBe(ahead.slot);
  indexer.stop();
});

test('a read that is rejected after a gap is retried', async () => {
  const { source, state, indexer } = createGoldenIndexer();
  await advanceSlotsWhile(source, indexer.start());
  source.advanceSlot();
  const before = state.at().slot;
  const tries = failScans(source, 'SOURCE_REFUSES');
  source.reportGap();
  await advanceSlotsUntil(source, () => tries() > 2);
  expect(state.at().slot).toBe(before);
  source.onRequest = () => undefined;
  await advanceSlotsUntil(source, () => state.at().slot > before);
  indexer.stop();
});

test('a gap during a read causes another read', async () => {
  const { source, state, indexer } = createGoldenIndexer();
  await advanceSlotsWhile(source, indexer.start());
  const [address, account] = findAccount(source, reserve);
  const at = reserve.offsets.borrowedAmountOutsideElevationGroup;
  let turn = 0n;
  source.duringScan = () => {
    if (turn === 3n) return;
    source.accounts.set(address, withValueAt(account, at, ++turn));
    source.reportGap();
  };
  source.reportGap();
  await advanceSlotsUntil(source, () => !indexer.status().resyncing);
  source.advanceSlot();
  expect(turn).toBe(3n);
  expect(state.reserve(address)?.fields.borrowedAmountOutsideElevationGroup).toBe(3n);
  indexer.stop();
});

test('a rescan finds a closed loan that was not announced', async () => {
  const { source, state, indexer } = createGoldenIndexer({ timing: { rescanObligationsMs: 1 } });
  await advanceSlotsWhile(source, indexer.start());
  const [address] = findAccount(source, obligation);
  source.advanceSlot([[address, undefined]]);
  expect(state.obligation(address)).toBeDefined();
  await advanceSlotsUntil(source, () => state.obligation(address) === undefined);
  expect(state.statistics().obligations).toBe(14);
  indexer.stop();
});

test('a closed share account is detected by the decrease of the vault’s issued shares', async () => {
  let now = 1_000;
  const clock = () => now;
  const timing = { rescanObligationsMs: 1 };
  const { source, state, indexer } = createGoldenIndexer({ timing, clock });
  await advanceSlotsWhile(source, indexer.start());
  const holder = state
    .vaults()
    .flatMap((vault) =>
      state.shareBalances(vault.fields.sharesMint).map((balance) => ({ vault, ...balance })),
    )[0];
  if (holder === undefined) throw new Error('no golden holder');
  const { vault, owner, amount } = holder;
  const mint = vault.fields.sharesMint;
  const [account] =
    [...source.accounts].find(
      ([, raw]) =>
        tokenAccount.matches(raw) &&
        tokenAccount.view(raw).mint === mint &&
        tokenAccount.view(raw).owner === owner,
    ) ?? [];
  const held = source.accounts.get(vault.address);
  if (account === undefined || held === undefined) throw new Error('no golden share account');
  const left = vault.fields.sharesIssued - amount;
  source.advanceSlot([
    [account, undefined],
    [vault.address, withValueAt(held, vaultState.offsets.sharesIssued, left)],
  ]);
  expect(state.shareBalance(mint, owner)).toBe(amount);
  const isScanned = (condition: () => boolean) =>
    advanceSlotsUntil(source, () => {
      now += 10;
      return condition();
    });
  await isScanned(() => state.shareBalance(mint, owner) === 0n);
  expect(state.shareOwners(mint)).not.toContain(owner);
  // from now on shares are not scanned
  const scanned: Address[] = [];
  source.onRequest = (request, scan) => {
    if (request === 'scan' && scan !== undefined) scanned.push(scan.program);
  };
  await isScanned(() => scanned.length > 3);
  expect(scanned).not.toContain(TOKEN_PROGRAM);
  indexer.stop();
});

test('share balances are read by wallet if share accounts cannot be scanned', async () => {
  const { source, state, indexer } = createGoldenIndexer();
  source.onRequest = (request, scan) => {
    if (request === 'follow' && scan?.program === TOKEN_PROGRAM) {
      throw new CodedError('SOURCE_REFUSES', { source: 'fake', reason: 'too many accounts' });
    }
  };
  await advanceSlotsWhile(source, indexer.start());
  expect(indexer.status()).toMatchObject({ ready: true, sharesComplete: false });
  const full = createGoldenIndexer();
  await advanceSlotsWhile(full.source, full.indexer.start());
  const [vault] = full.state.vaults();
  const mint = vault?.fields.sharesMint;
  const [holder] = mint === undefined ? [] : full.state.shareBalances(mint);
  if (mint === undefined || holder === undefined) throw new Error('no golden holder');
  expect(state.shareOwners(mint)).toBeUndefined();
  expect(state.shareBalance(mint, holder.owner)).toBe(0n);
  await advanceSlotsWhile(source, indexer.loadShares(holder.owner));
  expect(state.shareBalance(mint, holder.owner)).toBe(holder.amount);
  indexer.stop();
  full.indexer.stop();
});

test('start fails if the source rejects a subscription', async () => {
  const { source, indexer } = createGoldenIndexer();
  source.onRequest = (request, scan) => {
    const isLoans = scan?.filters.some(
      (f) => f.kind === 'bytes' && Buffer.compare(f.bytes, obligation.discriminator) === 0,
    );
    if (request === 'follow' && isLoans === true) {
      throw new CodedError('SOURCE_REFUSES', { source: 'fake', reason: 'too many accounts' });
    }
  };
  await expect(indexer.start()).rejects.toMatchObject({ code: 'SOURCE_REFUSES' });
  indexer.stop();
});

test('the lag is estimated from the cluster’s slot and, without responses, from the clock', async () => {
  let now = 1_000_000;
  const { source, indexer } = createGoldenIndexer({ clock: () => now });
  await advanceSlotsWhile(source, indexer.start());
  source.advanceSlot();
  expect(indexer.status()).toMatchObject({ lagSlots: 0n, stalled: false });
  source.onRequest = () => {
    throw new CodedError('SOURCE_UNAVAILABLE', { source: 'fake', reason: 'down' });
  };
  now += 42_000;
  expect(indexer.status()).toMatchObject({ lagSlots: 100n, stalled: true, ready: true });
  source.onRequest = () => undefined;
  source.advanceSlot();
  expect(indexer.status()).toMatchObject({ lagSlots: 0n, stalled: false });
  indexer.stop();
});
