import { expect, test } from 'vitest';
import { type Slot, toSlot } from '#core/base/time.ts';
import { obligation } from '#core/protocol/klend/layout/obligation.ts';
import {
  advanceSlotsUntil,
  advanceSlotsWhile,
  createGoldenIndexer,
  findAccount,
  withValueAt,
} from '../../support/clusters/golden-indexer.ts';

const { tag } = obligation.offsets;

/** An indexer that is up to date, on a clock of the test. */
async function setUp() {
  const time = { now: 0 };
  const parts = createGoldenIndexer({ now: () => time.now });
  const { source, state, indexer } = parts;
  await advanceSlotsWhile(source, indexer.start());
  source.advanceSlot();
  const [address, account] = findAccount(source, obligation);
  /** An update of the loan for a slot, whenever it is sent. */
  const announce = (slot: bigint, value: bigint) =>
    source.announce({ address, account: withValueAt(account, tag, value), slot: toSlot(slot) });
  const tagOf = () => state.obligation(address)?.fields.tag;
  const later = (slots: number): Slot => toSlot(source.at.slot + BigInt(slots));
  return { ...parts, time, address, account, announce, tagOf, later };
}

test('an update of a complete slot withdraws the claim, and later slots wait for as long', async () => {
  const { source, state, indexer, time, announce, tagOf } = await setUp();
  const { slot } = source.at;
  expect(indexer.status().claims).toEqual({ lateUpdates: 0, delayMs: 0, completeTo: undefined });
  time.now += 1_000;
  announce(slot, 7n);
  expect(tagOf()).toBe(7n);
  // a quarter and 200 ms longer
  const delayMs = 1_450;
  expect(indexer.status().claims).toEqual({ lateUpdates: 1, delayMs, completeTo: slot - 1n });
  const detail = `updates arrive late, complete only to slot ${slot - 1n}`;
  expect(indexer.doubts()).toContainEqual({
    kind: 'obligation',
    code: 'lateUpdates',
    detail,
    since: slot,
  });
  expect(await indexer.waitForSlot(slot, 1)).toBe(false);
  expect(await indexer.waitForSlot(toSlot(slot - 1n), 1)).toBe(true);
  source.advanceSlot();
  time.now += delayMs - 1;
  source.announceSlot();
  expect(state.at().slot).toBe(slot);
  // the next one came in time to wait with its slot
  announce(slot + 1n, 8n);
  expect(tagOf()).toBe(7n);
  time.now += 1_000;
  await expect.poll(() => state.at().slot, { interval: 1 }).toBe(slot + 1n);
  expect(tagOf()).toBe(8n);
  expect(indexer.status().claims).toMatchObject({ lateUpdates: 1, completeTo: undefined });
  expect(indexer.doubts()).toEqual([]);
  expect(await indexer.waitForSlot(toSlot(slot + 1n), 1)).toBe(true);
  indexer.stop();
});

test('updates that change nothing are no alarm: repeated, older, or equal to what state has', async () => {
  const { source, indexer, time, announce, tagOf, later } = await setUp();
  const { slot } = source.at;
  announce(later(1), 7n);
  source.at = { ...source.at, slot: later(2) };
  source.announceSlot();
  expect(tagOf()).toBe(7n);
  time.now += 1_000;
  announce(slot + 1n, 7n);
  announce(slot, 6n);
  announce(slot + 2n, 7n);
  expect(tagOf()).toBe(7n);
  expect(indexer.status().claims).toEqual({ lateUpdates: 0, delayMs: 0, completeTo: undefined });
  indexer.stop();
});

test('an account that a stream closes in a complete slot is an alarm, one that is not known is not', async () => {
  const { source, state, indexer, address } = await setUp();
  const { slot } = source.at;
  const close = (closed: typeof address) => {
    for (const { target, listener } of source.subscriptions) {
      if (target.kind !== 'program') continue;
      listener.onAccount({ address: closed, account: undefined, slot });
    }
  };
  close(source.accounts.keys().next().value ?? address);
  close(address);
  expect(state.obligation(address)).toBeUndefined();
  expect(indexer.status().claims.lateUpdates).toBeGreaterThan(0);
  indexer.stop();
});

test('what is polled may be newer than its slot, so it is no alarm', async () => {
  const { source, indexer, announce, tagOf } = await setUp();
  source.isPolled = true;
  announce(source.at.slot, 9n);
  expect(tagOf()).toBe(9n);
  expect(indexer.status().claims.lateUpdates).toBe(0);
  indexer.stop();
});

test('an update of accounts that were not read yet is no alarm', async () => {
  const { source, state, indexer } = createGoldenIndexer({ mode: 'on-demand' });
  await advanceSlotsWhile(source, indexer.start());
  source.advanceSlot();
  const [address, account] = findAccount(source, obligation);
  const { slot } = source.at;
  source.duringScan = () => source.announce({ address, account, slot });
  await advanceSlotsWhile(source, indexer.loadWallet(obligation.view(account).owner));
  expect(state.obligation(address)).toBeDefined();
  expect(indexer.status().claims.lateUpdates).toBe(0);
  indexer.stop();
});

test('while everything is read again after a gap, nothing is claimed that was announced before', async () => {
  const { source, state, indexer, account, address } = await setUp();
  const { slot } = source.at;
  source.at = { ...source.at, slot: toSlot(slot + 3n) };
  source.accounts.set(address, withValueAt(account, tag, 5n));
  source.reportGap();
  await advanceSlotsUntil(source, () => state.at().slot > slot);
  expect(state.obligation(address)?.fields.tag).toBe(5n);
  expect(indexer.status().claims.lateUpdates).toBe(0);
  indexer.stop();
});

test('when nothing is late any more, slots wait shorter and shorter', async () => {
  const { source, indexer, time, announce } = await setUp();
  time.now += 1_000;
  announce(source.at.slot, 7n);
  const delays = new Set<number>();
  await advanceSlotsUntil(source, () => {
    time.now += 1_000;
    const { delayMs } = indexer.status().claims;
    delays.add(delayMs);
    return delayMs === 0;
  });
  expect([...delays]).toEqual([1_450, 725, 363, 182, 0]);
  indexer.stop();
});
