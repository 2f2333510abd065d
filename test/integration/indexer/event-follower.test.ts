import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { CodedError } from '#core/base/errors.ts';
import { toSlot, toUnixSeconds } from '#core/base/time.ts';
import { EVENTS_CHECKPOINT } from '#server/history/checkpoint-names.ts';
import type { History } from '#server/history/open-history.ts';
import { readCheckpoint, readGaps } from '#server/history/queries/checkpoints.ts';
import { HistoryWriter } from '#server/history/writing/history-writer.ts';
import { EventFollower } from '#server/indexer/events/event-follower.ts';
import type { FakeTransaction } from '../../support/fakes/fake-ledger.ts';
import { FakeSource } from '../../support/fakes/fake-source.ts';
import { silentLog } from '../../support/fakes/silent-log.ts';
import { onEachEngine } from '../../support/history/history-engines.ts';
import { dumpRows } from '../../support/history/history-reads.ts';
import {
  FIRST_AT,
  FIRST_SLOT,
  moveToSlot,
  simulatedLedger,
} from '../../support/history/simulated-ledger.ts';
import { namedAddress } from '../../support/protocol/published-calls.ts';

const played = simulatedLedger('events');
const all = played.transactions;
const LAST_SLOT = all.at(-1)?.slot ?? 0n;

const sourceOf = (transactions: readonly FakeTransaction[], slot = LAST_SLOT + 1n): FakeSource => {
  const at = { slot: toSlot(slot), unix: toUnixSeconds(FIRST_AT + slot - FIRST_SLOT) };
  const source = new FakeSource(at, played.accounts);
  source.ledger.add(...transactions);
  return source;
};

const followerOf = (source: FakeSource, history: Pick<History, 'db'>, pollMs = 2): EventFollower =>
  new EventFollower({
    ...{ source, history, ownerIndex: played.ownerLookup(), programs: played.programs },
    ...{ clock: () => 0, random: () => 0, log: silentLog },
    timing: { pollMs, retryMs: 1 },
  });

const EMPTY = sql`truncate lending_event, vault_event, farm_event, raw_transaction, checkpoint`;

async function emptied(history: Pick<History, 'db'>): Promise<void> {
  await EMPTY.execute(history.db);
}

/** All but how far it has come. */
const kept = async (history: Pick<History, 'db'>): Promise<string[]> =>
  (await dumpRows(history)).filter((line) => !/^(checkpoint|migration) /.test(line));

/** What is kept when all of it is there from the start. */
async function keptAtOnce(history: History, transactions: readonly FakeTransaction[]) {
  await emptied(history);
  await followerOf(sourceOf(transactions), history).poll();
  const lines = await kept(history);
  await emptied(history);
  return lines;
}

const eventsIn = (lines: readonly string[]) => lines.filter((line) => /_event /.test(line)).length;

onEachEngine('events as they happen', (engine) => {
  test('one look keeps every event of all that is listed', async () => {
    const history = await engine.shared();
    const lines = await keptAtOnce(history, all);
    expect(eventsIn(lines)).toBe(played.eventsOf(all));
    expect(played.eventsOf(all)).toBeGreaterThan(100);
  });

  test('listed late, out of order and by several at once: the tables are the same', async () => {
    const history = await engine.shared();
    const expected = await keptAtOnce(history, all);
    const source = sourceOf(all);
    const order = all.toSorted((a, b) => (a.signature < b.signature ? -1 : 1));
    let follower = followerOf(source, history);
    for (let start = 0; start < order.length; start += 25) {
      source.ledger.unlisted = new Set(order.slice(start + 25).map(({ signature }) => signature));
      await follower.poll();
      // one that starts anew looks at the same again
      if (start % 50 === 0) follower = followerOf(source, history);
    }
    await Promise.all([followerOf(source, history).poll(), followerOf(source, history).poll()]);
    expect(await kept(history)).toEqual(expected);
  });

  test('what is taken back is gone, and what landed elsewhere is there alone', async () => {
    const history = await engine.shared();
    const [rest, last] = [all.slice(0, -9), all.slice(-9)];
    const moved = last.slice(0, 4).map((each) => moveToSlot(each, each.slot + 5n));
    const expected = await keptAtOnce(history, [...rest, ...moved]);
    expect(eventsIn(expected)).toBeLessThan(played.eventsOf(all));

    const source = sourceOf(all, LAST_SLOT + 10n);
    source.ledger.finalized = LAST_SLOT - 20n;
    const follower = followerOf(source, history);
    await follower.poll();
    expect(eventsIn(await kept(history))).toBe(played.eventsOf(all));
    source.ledger.all = [...rest, ...moved];
    await follower.poll();
    expect(await kept(history)).toEqual(expected);
  });

  test('taken back while nobody looked: the next start finds out', async () => {
    const history = await engine.shared();
    const expected = await keptAtOnce(history, all.slice(0, -6));
    await followerOf(sourceOf(all), history).poll();
    const source = sourceOf(all.slice(0, -6), LAST_SLOT + 100n);
    source.ledger.finalized = LAST_SLOT + 60n;
    await followerOf(source, history).poll();
    expect(await kept(history)).toEqual(expected);
  });

  test('a node that begins later takes nothing back, and what it does not have is a gap', async () => {
    const history = await engine.shared();
    await emptied(history);
    // some of it is older than what is looked at again
    const first = all.slice(0, 20);
    const early = [
      ...first,
      ...all.slice(20, 40).map((each) => moveToSlot(each, each.slot + 300n)),
    ];
    for (const some of [first, early]) {
      await followerOf(sourceOf(some, (some.at(-1)?.slot ?? 0n) + 1n), history).poll();
    }
    const expected = await kept(history);
    expect(eventsIn(expected)).toBe(played.eventsOf(early));
    const reachedAt = (early.at(-1)?.at ?? 0n) + 1n;
    const later = all.slice(-3).map((each) => moveToSlot(each, each.slot + 10_000n));
    const source = sourceOf(later, LAST_SLOT + 10_001n);
    await followerOf(source, history).poll();
    const lines = await kept(history);
    for (const line of expected) expect(lines).toContain(line);
    expect(eventsIn(lines)).toBe(eventsIn(expected) + played.eventsOf(later));
    expect(await readGaps(history.db, EVENTS_CHECKPOINT)).toEqual([
      { name: EVENTS_CHECKPOINT, since: reachedAt, until: later[0]?.at },
    ]);
    // a list that goes back has no such hole
    await followerOf(sourceOf([...all, ...later], LAST_SLOT + 10_002n), history).poll();
    expect(await readGaps(history.db, EVENTS_CHECKPOINT)).toHaveLength(1);
    await new HistoryWriter(history.db).deleteGaps(EVENTS_CHECKPOINT, reachedAt + 1n);
    expect(await readGaps(history.db, EVENTS_CHECKPOINT)).toMatchObject([
      { since: reachedAt, until: reachedAt + 1n },
    ]);
    await new HistoryWriter(history.db).deleteGaps(EVENTS_CHECKPOINT, reachedAt);
    expect(await readGaps(history.db, EVENTS_CHECKPOINT)).toEqual([]);
  });

  test('a source that fails at every other request loses nothing', async () => {
    const history = await engine.shared();
    const expected = await keptAtOnce(history, all);
    const source = sourceOf(all);
    let requests = 0;
    source.ledger.failing = () => {
      requests += 1;
      if (requests > 16 || requests % 7 > 3) return;
      throw new CodedError('SOURCE_UNAVAILABLE', { source: 'fake', reason: 'it is tired' });
    };
    const follower = followerOf(source, history);
    follower.start();
    await expect
      .poll(() => readCheckpoint(history.db, EVENTS_CHECKPOINT), { timeout: 30_000 })
      .toMatchObject({ slot: LAST_SLOT + 1n });
    await follower.stop();
    expect(await kept(history)).toEqual(expected);
    expect(follower.status()).toEqual({ undecoded: 0, failures: 0 });
  });

  test('ended between fetching and keeping: the next one keeps it', async () => {
    const database = await engine.fresh();
    const first = await database.open();
    const source = sourceOf(all);
    let closing: Promise<void> | undefined;
    source.ledger.failing = (request) => {
      if (request === 'getBlockSignatures') closing ??= first.close();
    };
    await expect(followerOf(source, first).poll()).rejects.toThrow();
    await closing;
    const second = await database.open();
    expect(await readCheckpoint(second.db, EVENTS_CHECKPOINT)).toBeUndefined();
    expect(eventsIn(await kept(second))).toBe(0);
    await followerOf(source, second).poll();
    expect(eventsIn(await kept(second))).toBe(played.eventsOf(all));
    await second.close();
  });

  test('one that a node lists and does not tell holds the checkpoint back', async () => {
    const history = await engine.shared();
    const expected = await keptAtOnce(history, all);
    const source = sourceOf(all);
    const untold = all.findIndex((each) => played.eventsOf([each]) > 0);
    source.ledger.all = all.map((each, i) =>
      i === untold ? { ...each, response: undefined } : each,
    );
    const follower = followerOf(source, history);
    await follower.poll();
    expect(await readCheckpoint(history.db, EVENTS_CHECKPOINT)).toBeUndefined();
    source.ledger.all = [...all];
    await follower.poll();
    expect(await readCheckpoint(history.db, EVENTS_CHECKPOINT)).toMatchObject({
      slot: LAST_SLOT + 1n,
    });
    expect(await kept(history)).toEqual(expected);
  });

  test('after a long absence it goes back to where it had been', async () => {
    const history = await engine.shared();
    const expected = await keptAtOnce(history, all);
    const at = toUnixSeconds(FIRST_AT);
    const checkpoint = { name: EVENTS_CHECKPOINT, direction: 'newer', at } as const;
    await new HistoryWriter(history.db).append({
      checkpoint: { ...checkpoint, slot: toSlot(FIRST_SLOT - 1n) },
    });
    await followerOf(sourceOf(all, LAST_SLOT + 100_000n), history).poll();
    expect(await kept(history)).toEqual(expected);
    // and one that comes for the first time does not begin with the past
    await emptied(history);
    await followerOf(sourceOf(all, LAST_SLOT + 100_000n), history).poll();
    expect(await kept(history)).toEqual([]);
  });

  test('accounts of shares are looked at when they change', async () => {
    const history = await engine.shared();
    await emptied(history);
    const account = namedAddress('account of shares');
    const hidden = all.map((each) => ({ ...each, mentions: [account] }));
    const source = sourceOf(hidden);
    const follower = followerOf(source, history);
    await follower.poll();
    expect(await kept(history)).toEqual([]);
    follower.onShareAccountChange(account);
    source.ledger.failing = (request) => {
      if (request !== 'getTransactions') return;
      throw new CodedError('SOURCE_UNAVAILABLE', { source: 'fake', reason: 'not now' });
    };
    await expect(follower.poll()).rejects.toThrow('not now');
    source.ledger.failing = () => undefined;
    await follower.poll();
    expect(eventsIn(await kept(history))).toBe(played.eventsOf(all));
    // they are in no list of a program, and are there all the same
    await follower.poll();
    expect(eventsIn(await kept(history))).toBe(played.eventsOf(all));
  });

  test('word of a transaction starts a look at once, and failed ones are never fetched', async () => {
    const history = await engine.shared();
    await emptied(history);
    const source = sourceOf(all.map((each) => ({ ...each, failed: true })));
    const follower = followerOf(source, history, 1e9);
    follower.start();
    const looks = () => source.ledger.requests.filter((request) => request === 'getFinalizedSlot').length;
    await expect.poll(looks, { timeout: 20_000 }).toBe(1);
    const [program] = played.programs;
    if (program === undefined) throw new Error('no programs');
    await expect
      .poll(() => {
        source.announceLogs(program);
        return looks();
      })
      .toBeGreaterThan(1);
    await follower.stop();
    expect(await kept(history)).toEqual([]);
    expect(source.ledger.fetched).toEqual([]);
  });
});
