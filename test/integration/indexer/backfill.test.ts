import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { CodedError } from '#core/base/errors.ts';
import { toSlot, toUnixSeconds } from '#core/base/time.ts';
import { EVENTS_CHECKPOINT } from '#server/history/checkpoint-names.ts';
import type { History } from '#server/history/open-history.ts';
import { readCheckpoint, readGaps } from '#server/history/queries/checkpoints.ts';
import { HistoryWriter } from '#server/history/writing/history-writer.ts';
import { EventFollower } from '#server/indexer/events/event-follower.ts';
import { loadOwnerIndex } from '#server/indexer/events/load-owner-index.ts';
import { programDeployments } from '#server/indexer/follow/account-sets.ts';
import {
  type BackfillOptions,
  type BackfillProgress,
  backfillEvents,
  parseBackfillStart,
} from '#server/indexer/jobs/backfill-events.ts';
import { catchError } from '../../support/errors/catch-error.ts';
import type { FakeTransaction } from '../../support/fakes/fake-ledger.ts';
import { FakeSource } from '../../support/fakes/fake-source.ts';
import { silentLog } from '../../support/fakes/silent-log.ts';
import { onEachEngine } from '../../support/history/history-engines.ts';
import { dumpRows } from '../../support/history/history-reads.ts';
import { FIRST_AT, FIRST_SLOT, simulatedLedger } from '../../support/history/simulated-ledger.ts';

const played = simulatedLedger('events');
const all = played.transactions;
const LAST_SLOT = all.at(-1)?.slot ?? 0n;

function sourceOf(transactions: readonly FakeTransaction[]): FakeSource {
  // long after what happened, so that who follows does not see it
  const at = { slot: toSlot(LAST_SLOT + 10_000n), unix: toUnixSeconds(FIRST_AT + 10_000n) };
  const source = new FakeSource(at, played.accounts);
  source.ledger.add(...transactions);
  return source;
}

type Changes = Partial<BackfillOptions>;

const run = async (source: FakeSource, history: Pick<History, 'db'>, changes: Changes = {}) =>
  await backfillEvents({
    ...{ source, history, addresses: played.programs, random: () => 0, log: silentLog },
    ...{ oldest: toUnixSeconds(0n), signal: new AbortController().signal, retryMs: 1 },
    ownerIndex: await loadOwnerIndex(source, programDeployments),
    ...changes,
  });

const emptied = async ({ db }: Pick<History, 'db'>): Promise<void> => {
  const tables = sql`lending_event, vault_event, farm_event, raw_transaction, checkpoint`;
  await sql`truncate ${tables}`.execute(db);
};

const kept = async (history: Pick<History, 'db'>): Promise<string[]> =>
  (await dumpRows(history)).filter((line) => !/^(checkpoint|migration) /.test(line));

const eventsIn = (lines: readonly string[]) => lines.filter((line) => /_event /.test(line)).length;

async function keptAtOnce(history: History): Promise<string[]> {
  await emptied(history);
  await run(sourceOf(all), history);
  const lines = await kept(history);
  await emptied(history);
  return lines;
}

onEachEngine('events of the past', (engine) => {
  test('all of them come, and a second time changes nothing', async () => {
    const history = await engine.shared();
    await emptied(history);
    const source = sourceOf(all);
    const told: BackfillProgress[] = [];
    const report = await run(source, history, { onProgress: (progress) => told.push(progress) });
    const lines = await kept(history);
    expect(eventsIn(lines)).toBe(played.eventsOf(all));
    expect(report).toMatchObject({ events: played.eventsOf(all), missing: 0, undecoded: 0 });
    expect(told.at(-1)).toMatchObject({ number: 3, addresses: 3, permille: 1_000 });

    const fetched = source.ledger.fetched.length;
    expect(await run(source, history)).toMatchObject({ transactions: 0, events: 0 });
    expect(await kept(history)).toEqual(lines);
    // what has no events is not kept, and need not be looked at again
    expect(source.ledger.fetched.length - fetched).toBeLessThan(10);
  });

  test('the bound is kept, and an older one goes on where it ended', async () => {
    const history = await engine.shared();
    const expected = await keptAtOnce(history);
    const source = sourceOf(all);
    const half = FIRST_AT + (LAST_SLOT - FIRST_SLOT) / 2n;
    await run(source, history, { oldest: toUnixSeconds(half) });
    const late = all.filter(({ at }) => at >= half);
    expect(eventsIn(await kept(history))).toBe(played.eventsOf(late));
    const fetched = source.ledger.fetched.length;
    await run(source, history);
    expect(await kept(history)).toEqual(expected);
    const again = new Set(source.ledger.fetched.slice(fetched));
    const twice = late.filter(({ signature }) => again.has(signature));
    // those of the slot in which it had ended
    expect(twice.length).toBeLessThan(10);
  });

  test('what came meanwhile is brought before it goes on to the past', async () => {
    const history = await engine.shared();
    const expected = await keptAtOnce(history);
    const middle = all.slice(60, 100);
    const source = sourceOf(all.slice(0, 100));
    await run(source, history, { oldest: toUnixSeconds(middle[0]?.at ?? 0n) });
    source.ledger.add(...all.slice(100));
    await run(source, history, { oldest: toUnixSeconds(middle[0]?.at ?? 0n) });
    const since = all.filter(({ at }) => at >= (middle[0]?.at ?? 0n));
    expect(eventsIn(await kept(history))).toBe(played.eventsOf(since));
    await run(source, history);
    expect(await kept(history)).toEqual(expected);
  });

  test('ended at any point it goes on from there, whatever the source does', async () => {
    const history = await engine.shared();
    const expected = await keptAtOnce(history);
    const source = sourceOf(all);
    let requests = 0;
    source.ledger.failing = () => {
      requests += 1;
      if (requests % 5 !== 0 || requests > 60) return;
      const context = { source: 'fake', reason: 'status 429', retryAfterMs: 1 };
      throw new CodedError('SOURCE_UNAVAILABLE', context);
    };
    for (const stopAfter of [1, 2]) {
      const abort = new AbortController();
      let told = 0;
      const onProgress = () => {
        told += 1;
        if (told >= stopAfter) abort.abort();
      };
      await run(source, history, { signal: abort.signal, onProgress });
    }
    await run(source, history);
    expect(await kept(history)).toEqual(expected);
  });

  test('a gap of events is closed by all programs, up to the bound, and by nothing less', async () => {
    const history = await engine.shared();
    await emptied(history);
    const gap = { name: EVENTS_CHECKPOINT, since: toUnixSeconds(10n), until: toUnixSeconds(90n) };
    await new HistoryWriter(history.db).append({ gaps: [gap] });
    const gaps = () => readGaps(history.db, EVENTS_CHECKPOINT);
    await run(sourceOf(all), history);
    expect(await gaps()).toEqual([gap]);
    const oldest = toUnixSeconds(50n);
    await run(sourceOf(all), history, { isAllPrograms: true, oldest });
    expect(await gaps()).toEqual([{ ...gap, until: oldest }]);
    await run(sourceOf(all), history, { isAllPrograms: true });
    expect(await gaps()).toEqual([]);
  });

  test('a source that was cut off: backfill closes what the follower did not see', async () => {
    const history = await engine.shared();
    const expected = await keptAtOnce(history);
    const source = sourceOf(all);
    const follower = new EventFollower({
      ...{ source, history, ownerIndex: played.ownerLookup(), programs: played.programs },
      ...{ clock: () => 0, random: () => 0, log: silentLog },
    });
    await follower.poll();
    expect(await kept(history)).toEqual([]);
    await run(source, history);
    expect(await kept(history)).toEqual(expected);
  });

  test('a block that the node does not have any more costs another walk, and nothing else', async () => {
    const history = await engine.shared();
    await emptied(history);
    const source = sourceOf(all);
    source.ledger.hasBlocks = false;
    const half = FIRST_AT + (LAST_SLOT - FIRST_SLOT) / 2n;
    await run(source, history, { oldest: toUnixSeconds(half) });
    await run(source, history);
    expect(eventsIn(await kept(history))).toBe(played.eventsOf(all));
  });

  test('what a node refuses ends it', async () => {
    const history = await engine.shared();
    await emptied(history);
    const source = sourceOf(all);
    source.ledger.failing = () => {
      throw new CodedError('SOURCE_REFUSES', { source: 'fake', reason: 'no such method' });
    };
    await expect(run(source, history)).rejects.toThrow('no such method');
    const [program] = played.programs;
    expect(await readCheckpoint(history.db, `backfill:${program}`)).toBeUndefined();
  });
});

const NOW_MS = Date.parse('2026-03-02T00:00:00Z');

test('a bound is a time, or days before now, or thirty of them', () => {
  const at = (text: string) => BigInt(Date.parse(text) / 1000);
  expect(parseBackfillStart({ days: '1' }, NOW_MS)).toBe(at('2026-03-01T00:00:00Z'));
  expect(parseBackfillStart({}, NOW_MS)).toBe(at('2026-01-31T00:00:00Z'));
  expect(parseBackfillStart({ until: '2025-01-31' }, NOW_MS)).toBe(at('2025-01-31T00:00:00Z'));
  expect(parseBackfillStart({ until: '2025-01-31T12:00:00Z' }, NOW_MS)).toBe(
    at('2025-01-31T12:00:00Z'),
  );
});

test.each([
  [{ days: '0' }, 'INVALID_SETTING'],
  [{ days: '1.5' }, 'INVALID_SETTING'],
  [{ until: 'yesterday' }, 'INVALID_SETTING'],
  [{ until: '2025-99-99' }, 'INVALID_SETTING'],
  [{ until: '2025-01-31', days: '3' }, 'INVALID_USAGE'],
])('a bound such as %o is refused', (given, code) => {
  expect(catchError(() => parseBackfillStart(given, NOW_MS))?.code).toBe(code);
});
