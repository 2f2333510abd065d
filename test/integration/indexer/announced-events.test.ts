import { expect, test } from 'vitest';
import { toSlot, toUnixSeconds } from '#core/base/time.ts';
import { KVAULT_PROGRAM } from '#core/protocol/kvault/program.ts';
import { EVENTS_CHECKPOINT } from '#server/history/checkpoint-names.ts';
import { HistoryWriter } from '#server/history/writing/history-writer.ts';
import {
  all,
  clearHistory,
  countRequests,
  createFollower,
  createSource,
  eventRows,
  eventsIn,
  LAST_SLOT,
  readRows,
  recordAtOnce,
  simulated,
  startAnnounced,
} from '../../support/history/followed-events.ts';
import { onEachEngine } from '../../support/history/history-engines.ts';
import { FIRST_AT, FIRST_SLOT, moveToSlot } from '../../support/history/simulated-ledger.ts';

onEachEngine('the event follower, with announced transactions', (engine) => {
  test('records announced transactions without listing, in any order, late or twice', async () => {
    const history = await engine.shared();
    const expected = await recordAtOnce(history, all);
    const source = createSource([], FIRST_SLOT);
    const follower = createFollower(source, history, { pollMs: 1e9 });
    await startAnnounced(follower, source);
    const lists = countRequests(source, 'listSignatures');
    source.ledger.add(...all);
    const order = all.toSorted((a, b) => (a.signature < b.signature ? -1 : 1));
    for (const each of [...order, ...order.slice(0, 30)]) source.announceTransaction(each);
    await expect.poll(async () => eventsIn(await readRows(history))).toBe(eventsIn(expected));
    await follower.stop();
    expect(await readRows(history)).toEqual(expected);
    expect(countRequests(source, 'listSignatures')).toBe(lists);
    const mentioned = all.filter(({ mentions }) =>
      simulated.programs.some((program) => mentions.includes(program)),
    );
    expect(source.ledger.fetched).toHaveLength(mentioned.length);
  });

  test('takes whole transactions from the source and requests none', async () => {
    const history = await engine.shared();
    const expected = await recordAtOnce(history, all);
    const source = createSource([], FIRST_SLOT);
    source.announcesLogs = false;
    source.streamsTransactions = true;
    const follower = createFollower(source, history, { pollMs: 1e9 });
    await startAnnounced(follower, source);
    source.ledger.add(...all);
    for (const each of all) source.announceTransaction(each);
    await expect.poll(async () => eventsIn(await readRows(history))).toBe(eventsIn(expected));
    // state reaches the last slot: everything up to it is recorded, without a poll
    const reach = () => {
      follower.onSlot({ slot: toSlot(LAST_SLOT), unix: toUnixSeconds(FIRST_AT) });
      return follower.progress().upTo;
    };
    await expect.poll(reach).toBe(LAST_SLOT);
    await follower.stop();
    expect(source.ledger.fetched).toEqual([]);
    expect(source.ledger.requests).not.toContain('getBlockSignatures');
    expect(eventRows(await readRows(history))).toEqual(eventRows(expected));
  });

  test('a poll finds transactions whose announcement was lost, and one in an abandoned slot is undone', async () => {
    const history = await engine.shared();
    const [rest, last] = [all.slice(0, -9), all.slice(-9)];
    const moved = last.slice(0, 4).map((each) => moveToSlot(each, each.slot + 5n));
    const expected = await recordAtOnce(history, [...rest, ...moved]);
    const source = createSource([], FIRST_SLOT);
    const follower = createFollower(source, history, { pollMs: 1e9 });
    await startAnnounced(follower, source);
    source.ledger.add(...all);
    // every third announcement is lost
    for (const [index, each] of all.entries()) if (index % 3 > 0) source.announceTransaction(each);
    const announced = all.filter((_, index) => index % 3 > 0);
    await expect
      .poll(async () => eventsIn(await readRows(history)))
      .toBe(simulated.eventsOf(announced));
    source.at = { slot: toSlot(LAST_SLOT + 10n), unix: toUnixSeconds(FIRST_AT + 1_000n) };
    source.ledger.transactions = [...rest, ...moved];
    // a late announcement of an abandoned slot, then the end of the slot
    for (const each of last) source.announceTransaction(each);
    source.announceDeadSlot(toSlot(LAST_SLOT));
    await expect.poll(() => readRows(history)).toEqual(expected);
    await follower.stop();
  });

  test('an account that changes without an announced transaction causes a poll', async () => {
    const history = await engine.shared();
    const expected = await recordAtOnce(history, all);
    const source = createSource(all);
    source.ledger.unlisted = new Set(all.map(({ signature }) => signature));
    const follower = createFollower(source, history, { pollMs: 1e9, doubtMs: 0 });
    await startAnnounced(follower, source);
    source.ledger.unlisted = new Set();
    const changed = [...simulated.accounts.values()].filter(
      ({ owner }) => owner === KVAULT_PROGRAM,
    );
    const at = (slot: bigint) => ({ slot: toSlot(slot), unix: toUnixSeconds(FIRST_AT) });
    follower.onSlot(at(LAST_SLOT + 2n));
    follower.onAccountChange(changed[0]);
    follower.onSlot(at(LAST_SLOT + 3n));
    await expect.poll(() => readRows(history)).toEqual(expected);
    await follower.stop();
  });

  test('after a restart a poll lists from the last list, not from what was announced since', async () => {
    const history = await engine.shared();
    const expected = await recordAtOnce(history, all);
    await createFollower(createSource([], FIRST_SLOT), history).poll();
    // announced transactions have moved the checkpoint far beyond the window
    const at = toUnixSeconds(FIRST_AT);
    const slot = toSlot(LAST_SLOT + 5_000n);
    const checkpoint = { name: EVENTS_CHECKPOINT, direction: 'newer', at, slot } as const;
    await new HistoryWriter(history.db).append({ checkpoint });
    await createFollower(createSource(all, LAST_SLOT + 5_001n), history).poll();
    expect(await readRows(history)).toEqual(expected);
  });

  test('an announcement that the node does not answer yet is tried again', async () => {
    const history = await engine.shared();
    const expected = await recordAtOnce(history, all.slice(0, 3));
    const source = createSource([], FIRST_SLOT);
    const follower = createFollower(source, history, { pollMs: 1e9 });
    await startAnnounced(follower, source);
    for (const each of all.slice(0, 3)) source.announceTransaction(each);
    await expect.poll(() => source.ledger.fetched.length).toBeGreaterThan(0);
    expect(eventsIn(await readRows(history))).toBe(0);
    source.ledger.add(...all.slice(0, 3));
    await expect.poll(() => readRows(history)).toEqual(expected);
    await follower.stop();
  });

  test('never fetches failed transactions', async () => {
    const history = await engine.shared();
    await clearHistory(history);
    const failed = all.map((each) => ({ ...each, failed: true }));
    const source = createSource(failed);
    const follower = createFollower(source, history, { pollMs: 1e9 });
    await startAnnounced(follower, source);
    for (const each of failed) source.announceTransaction(each);
    source.reportGap();
    await expect.poll(() => countRequests(source, 'getFinalizedSlot')).toBe(3);
    await follower.stop();
    expect(await readRows(history)).toEqual([]);
    expect(source.ledger.fetched).toEqual([]);
  });
});
