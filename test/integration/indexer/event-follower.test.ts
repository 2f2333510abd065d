import { expect, test, vi } from 'vitest';
import { toSlot, toUnixSeconds } from '#core/base/time.ts';
import { CodedError } from '#server/errors.ts';
import { EVENTS_CHECKPOINT } from '#server/history/checkpoint-names.ts';
import { readCheckpoint, readGaps } from '#server/history/queries/checkpoints.ts';
import { HistoryWriter } from '#server/history/writing/history-writer.ts';
import {
  all,
  clearHistory,
  createFollower,
  createSource,
  eventsIn,
  LAST_SLOT,
  readRows,
  recordAtOnce,
  simulated,
} from '../../support/history/followed-events.ts';
import { onEachEngine } from '../../support/history/history-engines.ts';
import { FIRST_AT, FIRST_SLOT, moveToSlot } from '../../support/history/simulated-ledger.ts';
import { namedAddress } from '../../support/protocol/published-calls.ts';

onEachEngine('the event follower', (engine) => {
  test('records every event of the listed transactions in one poll', async () => {
    const history = await engine.shared();
    const lines = await recordAtOnce(history, all);
    expect(eventsIn(lines)).toBe(simulated.eventsOf(all));
    expect(simulated.eventsOf(all)).toBeGreaterThan(100);
  });

  test('writes the same rows if transactions are listed late, out of order and to several followers', async () => {
    const history = await engine.shared();
    const expected = await recordAtOnce(history, all);
    const source = createSource(all);
    const order = all.toSorted((a, b) => (a.signature < b.signature ? -1 : 1));
    let follower = createFollower(source, history);
    for (let start = 0; start < order.length; start += 25) {
      source.ledger.unlisted = new Set(order.slice(start + 25).map(({ signature }) => signature));
      await follower.poll();
      // a new follower lists the same transactions again
      if (start % 50 === 0) follower = createFollower(source, history);
    }
    await Promise.all([
      createFollower(source, history).poll(),
      createFollower(source, history).poll(),
    ]);
    expect(await readRows(history)).toEqual(expected);
  });

  test('deletes transactions that were rolled back and moves those that landed in another slot', async () => {
    const history = await engine.shared();
    const [rest, last] = [all.slice(0, -9), all.slice(-9)];
    const moved = last.slice(0, 4).map((each) => moveToSlot(each, each.slot + 5n));
    const expected = await recordAtOnce(history, [...rest, ...moved]);
    expect(eventsIn(expected)).toBeLessThan(simulated.eventsOf(all));

    const source = createSource(all, LAST_SLOT + 10n);
    source.ledger.finalized = LAST_SLOT - 20n;
    const follower = createFollower(source, history);
    await follower.poll();
    expect(eventsIn(await readRows(history))).toBe(simulated.eventsOf(all));
    source.ledger.transactions = [...rest, ...moved];
    await follower.poll();
    expect(await readRows(history)).toEqual(expected);
  });

  test('leaves the rest of a poll to the next start when it is stopped', async () => {
    const history = await engine.shared();
    const expected = await recordAtOnce(history, all);
    await clearHistory(history);
    const source = createSource(all);
    const follower = createFollower(source, history, { onRecorded: () => void follower.stop() });
    await follower.poll();
    const recorded = eventsIn(await readRows(history));
    expect(recorded).toBeGreaterThan(0);
    expect(recorded).toBeLessThan(eventsIn(expected));
    await createFollower(source, history).poll();
    expect(await readRows(history)).toEqual(expected);
  });

  test('announces what it writes and deletes, and nothing else', async () => {
    const history = await engine.shared();
    await clearHistory(history);
    const source = createSource(all, LAST_SLOT + 10n);
    source.ledger.finalized = LAST_SLOT - 20n;
    const announced = vi.fn();
    const follower = createFollower(source, history, { onRecorded: announced });
    const pollAnnounces = async (): Promise<boolean> => {
      announced.mockClear();
      await follower.poll();
      return announced.mock.calls.length > 0;
    };
    const polls = [await pollAnnounces(), await pollAnnounces(), await pollAnnounces()];
    expect(polls, 'events, the checkpoint, nothing').toEqual([true, true, false]);
    source.ledger.transactions = all.slice(0, -1);
    expect(await pollAnnounces()).toBe(true);
  });

  test('detects a rollback that happened while it was stopped', async () => {
    const history = await engine.shared();
    const expected = await recordAtOnce(history, all.slice(0, -6));
    await createFollower(createSource(all), history).poll();
    const source = createSource(all.slice(0, -6), LAST_SLOT + 100n);
    source.ledger.finalized = LAST_SLOT + 60n;
    await createFollower(source, history).poll();
    expect(await readRows(history)).toEqual(expected);
  });

  test('deletes nothing if the node’s ledger starts later, and records a gap instead', async () => {
    const history = await engine.shared();
    await clearHistory(history);
    // some transactions are older than the window
    const first = all.slice(0, 20);
    const early = [
      ...first,
      ...all.slice(20, 40).map((each) => moveToSlot(each, each.slot + 300n)),
    ];
    for (const transactions of [first, early]) {
      const slot = (transactions.at(-1)?.slot ?? 0n) + 1n;
      await createFollower(createSource(transactions, slot), history).poll();
    }
    const expected = await readRows(history);
    expect(eventsIn(expected)).toBe(simulated.eventsOf(early));
    const reachedAt = (early.at(-1)?.at ?? 0n) + 1n;
    const later = all.slice(-3).map((each) => moveToSlot(each, each.slot + 10_000n));
    const source = createSource(later, LAST_SLOT + 10_001n);
    await createFollower(source, history).poll();
    const lines = await readRows(history);
    for (const line of expected) expect(lines).toContain(line);
    expect(eventsIn(lines)).toBe(eventsIn(expected) + simulated.eventsOf(later));
    expect(await readGaps(history.db, EVENTS_CHECKPOINT)).toEqual([
      { name: EVENTS_CHECKPOINT, since: reachedAt, until: later[0]?.at },
    ]);
    // a list that goes back far enough has no gap
    await createFollower(createSource([...all, ...later], LAST_SLOT + 10_002n), history).poll();
    expect(await readGaps(history.db, EVENTS_CHECKPOINT)).toHaveLength(1);
    await new HistoryWriter(history.db).deleteGaps(EVENTS_CHECKPOINT, reachedAt + 1n);
    expect(await readGaps(history.db, EVENTS_CHECKPOINT)).toMatchObject([
      { since: reachedAt, until: reachedAt + 1n },
    ]);
    await new HistoryWriter(history.db).deleteGaps(EVENTS_CHECKPOINT, reachedAt);
    expect(await readGaps(history.db, EVENTS_CHECKPOINT)).toEqual([]);
  });

  test('loses nothing if the source fails often', async () => {
    const history = await engine.shared();
    const expected = await recordAtOnce(history, all);
    const source = createSource(all);
    let requests = 0;
    source.ledger.onRequest = () => {
      requests += 1;
      if (requests > 16 || requests % 7 > 3) return;
      throw new CodedError('SOURCE_UNAVAILABLE', { source: 'fake', reason: 'overloaded' });
    };
    const follower = createFollower(source, history);
    follower.start();
    await expect
      .poll(() => readCheckpoint(history.db, EVENTS_CHECKPOINT))
      .toMatchObject({ slot: LAST_SLOT + 1n });
    await follower.stop();
    expect(await readRows(history)).toEqual(expected);
    expect(follower.status()).toMatchObject({ undecoded: 0, failures: 0 });
  });

  test('records transactions that were fetched but not written before a crash', async () => {
    const database = await engine.fresh();
    const first = await database.open();
    const source = createSource(all);
    let closing: Promise<void> | undefined;
    source.ledger.onRequest = (request) => {
      if (request === 'getBlockSignatures') closing ??= first.close();
    };
    await expect(createFollower(source, first).poll()).rejects.toThrow();
    await closing;
    const second = await database.open();
    expect(await readCheckpoint(second.db, EVENTS_CHECKPOINT)).toBeUndefined();
    expect(eventsIn(await readRows(second))).toBe(0);
    await createFollower(source, second).poll();
    expect(eventsIn(await readRows(second))).toBe(simulated.eventsOf(all));
    await second.close();
  });

  test('does not move the checkpoint past a transaction that the node lists but does not return', async () => {
    const history = await engine.shared();
    const expected = await recordAtOnce(history, all);
    const source = createSource(all);
    const missing = all.findIndex((each) => simulated.eventsOf([each]) > 0);
    source.ledger.transactions = all.map((each, i) =>
      i === missing ? { ...each, response: undefined } : each,
    );
    const follower = createFollower(source, history);
    await follower.poll();
    expect(await readCheckpoint(history.db, EVENTS_CHECKPOINT)).toBeUndefined();
    source.ledger.transactions = [...all];
    await follower.poll();
    expect(await readCheckpoint(history.db, EVENTS_CHECKPOINT)).toMatchObject({
      slot: LAST_SLOT + 1n,
    });
    expect(await readRows(history)).toEqual(expected);
  });

  test('a transaction without block time is missing until the node has its time', async () => {
    const history = await engine.shared();
    const expected = await recordAtOnce(history, all);
    await clearHistory(history);
    const source = createSource(all.slice(0, -9));
    const follower = createFollower(source, history);
    await follower.poll();
    const before = await readCheckpoint(history.db, EVENTS_CHECKPOINT);
    source.ledger.add(...all.slice(-9));
    source.ledger.hasBlockTimes = false;
    await follower.poll();
    expect(await readCheckpoint(history.db, EVENTS_CHECKPOINT)).toEqual(before);
    expect(follower.status().undecoded).toBe(0);
    source.ledger.hasBlockTimes = true;
    await follower.poll();
    expect(await readRows(history)).toEqual(expected);
  });

  test('continues from its checkpoint after a long pause', async () => {
    const history = await engine.shared();
    const expected = await recordAtOnce(history, all);
    const at = toUnixSeconds(FIRST_AT);
    const checkpoint = { name: EVENTS_CHECKPOINT, direction: 'newer', at } as const;
    await new HistoryWriter(history.db).append({
      checkpoint: { ...checkpoint, slot: toSlot(FIRST_SLOT - 1n) },
    });
    await createFollower(createSource(all, LAST_SLOT + 100_000n), history).poll();
    expect(await readRows(history)).toEqual(expected);
    // without a checkpoint it starts at the current slot
    await clearHistory(history);
    await createFollower(createSource(all, LAST_SLOT + 100_000n), history).poll();
    expect(await readRows(history)).toEqual([]);
  });

  test('lists the transactions of share accounts that change', async () => {
    const history = await engine.shared();
    await clearHistory(history);
    const account = namedAddress('account of shares');
    const unmentioned = all.map((each) => ({ ...each, mentions: [account] }));
    const source = createSource(unmentioned);
    const follower = createFollower(source, history);
    await follower.poll();
    expect(await readRows(history)).toEqual([]);
    follower.onShareAccountChange(account);
    source.ledger.onRequest = (request) => {
      if (request !== 'getTransactions') return;
      throw new CodedError('SOURCE_UNAVAILABLE', { source: 'fake', reason: 'not now' });
    };
    await expect(follower.poll()).rejects.toThrow('not now');
    source.ledger.onRequest = () => undefined;
    await follower.poll();
    expect(eventsIn(await readRows(history))).toBe(simulated.eventsOf(all));
    // they are not in the lists of the programs, but are not deleted
    await follower.poll();
    expect(eventsIn(await readRows(history))).toBe(simulated.eventsOf(all));
  });
});
