import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { toSlot, toUnixSeconds } from '#core/base/time.ts';
import { CodedError } from '#server/errors.ts';
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

const simulated = simulatedLedger('events');
const all = simulated.transactions;
const LAST_SLOT = all.at(-1)?.slot ?? 0n;

function sourceOf(transactions: readonly FakeTransaction[]): FakeSource {
  // long after the transactions, so that the follower does not list them
  const at = { slot: toSlot(LAST_SLOT + 10_000n), unix: toUnixSeconds(FIRST_AT + 10_000n) };
  const source = new FakeSource(at, simulated.accounts);
  source.ledger.add(...transactions);
  return source;
}

type Changes = Partial<BackfillOptions>;

const run = async (source: FakeSource, history: Pick<History, 'db'>, changes: Changes = {}) =>
  await backfillEvents({
    source,
    history,
    addresses: simulated.programs,
    random: () => 0,
    log: silentLog,
    oldest: toUnixSeconds(0n),
    signal: new AbortController().signal,
    retryMs: 1,
    ownerIndex: await loadOwnerIndex(source, programDeployments),
    ...changes,
  });

const clearHistory = async ({ db }: Pick<History, 'db'>): Promise<void> => {
  const tables = sql`lending_event, vault_event, farm_event, raw_transaction, checkpoint`;
  await sql`truncate ${tables}`.execute(db);
};

const readRows = async (history: Pick<History, 'db'>): Promise<string[]> =>
  (await dumpRows(history)).filter((line) => !/^(checkpoint|migration) /.test(line));

const eventsIn = (lines: readonly string[]) => lines.filter((line) => /_event /.test(line)).length;

async function backfillAtOnce(history: History): Promise<string[]> {
  await clearHistory(history);
  await run(sourceOf(all), history);
  const lines = await readRows(history);
  await clearHistory(history);
  return lines;
}

onEachEngine('backfill', (engine) => {
  test('loads all events, and a second run changes nothing', async () => {
    const history = await engine.shared();
    await clearHistory(history);
    const source = sourceOf(all);
    const reports: BackfillProgress[] = [];
    const report = await run(source, history, { onProgress: (progress) => reports.push(progress) });
    const lines = await readRows(history);
    expect(eventsIn(lines)).toBe(simulated.eventsOf(all));
    expect(report).toMatchObject({ events: simulated.eventsOf(all), missing: 0, undecodable: 0 });
    expect(reports.at(-1)).toMatchObject({ addressNumber: 3, addressCount: 3, permille: 1_000 });

    const fetched = source.ledger.fetched.length;
    expect(await run(source, history)).toMatchObject({ transactions: 0, events: 0 });
    expect(await readRows(history)).toEqual(lines);
    // transactions without events are not stored, and few of them are fetched again
    expect(source.ledger.fetched.length - fetched).toBeLessThan(10);
  });

  test('stops at the oldest time, and continues from there with an older one', async () => {
    const history = await engine.shared();
    const expected = await backfillAtOnce(history);
    const source = sourceOf(all);
    const half = FIRST_AT + (LAST_SLOT - FIRST_SLOT) / 2n;
    await run(source, history, { oldest: toUnixSeconds(half) });
    const late = all.filter(({ at }) => at >= half);
    expect(eventsIn(await readRows(history))).toBe(simulated.eventsOf(late));
    const fetched = source.ledger.fetched.length;
    await run(source, history);
    expect(await readRows(history)).toEqual(expected);
    const again = new Set(source.ledger.fetched.slice(fetched));
    const twice = late.filter(({ signature }) => again.has(signature));
    // those of the slot where the first run stopped
    expect(twice.length).toBeLessThan(10);
  });

  test('loads newer transactions before it continues with older ones', async () => {
    const history = await engine.shared();
    const expected = await backfillAtOnce(history);
    const middle = all.slice(60, 100);
    const source = sourceOf(all.slice(0, 100));
    await run(source, history, { oldest: toUnixSeconds(middle[0]?.at ?? 0n) });
    source.ledger.add(...all.slice(100));
    await run(source, history, { oldest: toUnixSeconds(middle[0]?.at ?? 0n) });
    const since = all.filter(({ at }) => at >= (middle[0]?.at ?? 0n));
    expect(eventsIn(await readRows(history))).toBe(simulated.eventsOf(since));
    await run(source, history);
    expect(await readRows(history)).toEqual(expected);
  });

  test('continues after an abort at any point, with a source that fails', async () => {
    const history = await engine.shared();
    const expected = await backfillAtOnce(history);
    const source = sourceOf(all);
    let requests = 0;
    source.ledger.onRequest = () => {
      requests += 1;
      if (requests % 5 !== 0 || requests > 60) return;
      const context = { source: 'fake', reason: 'status 429', retryAfterMs: 1 };
      throw new CodedError('SOURCE_UNAVAILABLE', context);
    };
    for (const stopAfter of [1, 2]) {
      const abort = new AbortController();
      let reports = 0;
      const onProgress = () => {
        reports += 1;
        if (reports >= stopAfter) abort.abort();
      };
      await run(source, history, { signal: abort.signal, onProgress });
    }
    await run(source, history);
    expect(await readRows(history)).toEqual(expected);
  });

  test('deletes gaps after the oldest time, but only if it covers all programs', async () => {
    const history = await engine.shared();
    await clearHistory(history);
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

  test('loads what the follower missed', async () => {
    const history = await engine.shared();
    const expected = await backfillAtOnce(history);
    const source = sourceOf(all);
    const follower = new EventFollower({
      source,
      history,
      ownerIndex: simulated.ownerLookup(),
      programs: simulated.programs,
      clock: () => 0,
      random: () => 0,
      log: silentLog,
    });
    await follower.poll();
    expect(await readRows(history)).toEqual([]);
    await run(source, history);
    expect(await readRows(history)).toEqual(expected);
  });

  test('lists from the newest again if the node no longer has the block', async () => {
    const history = await engine.shared();
    await clearHistory(history);
    const source = sourceOf(all);
    source.ledger.hasBlocks = false;
    const half = FIRST_AT + (LAST_SLOT - FIRST_SLOT) / 2n;
    await run(source, history, { oldest: toUnixSeconds(half) });
    await run(source, history);
    expect(eventsIn(await readRows(history))).toBe(simulated.eventsOf(all));
  });

  test('fails if the node rejects a request', async () => {
    const history = await engine.shared();
    await clearHistory(history);
    const source = sourceOf(all);
    source.ledger.onRequest = () => {
      throw new CodedError('SOURCE_REFUSES', { source: 'fake', reason: 'no such method' });
    };
    await expect(run(source, history)).rejects.toThrow('no such method');
    const [program] = simulated.programs;
    expect(await readCheckpoint(history.db, `backfill:${program}`)).toBeUndefined();
  });
});

const NOW_MS = Date.parse('2026-03-02T00:00:00Z');

test('the start is a time, a number of days ago, or 30 days ago', () => {
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
])('the start %o is rejected', (options, code) => {
  expect(catchError(() => parseBackfillStart(options, NOW_MS))?.code).toBe(code);
});
