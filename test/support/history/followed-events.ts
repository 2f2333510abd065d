import { sql } from 'kysely';
import { expect } from 'vitest';
import { toSlot, toUnixSeconds } from '#core/base/time.ts';
import type { History } from '#server/history/open-history.ts';
import { EventFollower } from '#server/indexer/events/event-follower.ts';
import type { EventFollowerOptions } from '#server/indexer/events/event-follower-options.ts';
import type { FakeTransaction } from '../fakes/fake-ledger.ts';
import { FakeSource } from '../fakes/fake-source.ts';
import { silentLog } from '../fakes/silent-log.ts';
import { dumpRows } from './history-reads.ts';
import { FIRST_AT, FIRST_SLOT, simulatedLedger } from './simulated-ledger.ts';

export const simulated = simulatedLedger('events');
export const all = simulated.transactions;
export const LAST_SLOT = all.at(-1)?.slot ?? 0n;

export const createSource = (
  transactions: readonly FakeTransaction[],
  slot = LAST_SLOT + 1n,
): FakeSource => {
  const at = { slot: toSlot(slot), unix: toUnixSeconds(FIRST_AT + slot - FIRST_SLOT) };
  const source = new FakeSource(at, simulated.accounts);
  source.ledger.add(...transactions);
  return source;
};

type FollowerChanges = {
  readonly pollMs?: number;
  readonly doubtMs?: number;
} & Pick<EventFollowerOptions, 'onRecorded' | 'onRollBack'>;

const everyPoll = (ms: number) => ({
  pollMs: ms,
  unannouncedPollMs: ms,
  announcedPollMs: ms,
  streamedPollMs: ms,
});

export const createFollower = (
  source: FakeSource,
  history: Pick<History, 'db'>,
  { pollMs = 2, doubtMs = 1e9, ...rest }: FollowerChanges = {},
): EventFollower =>
  new EventFollower({
    source,
    history,
    ownerIndex: simulated.ownerLookup(),
    programs: simulated.programs,
    clock: () => 0,
    random: () => 0,
    log: silentLog,
    timing: { ...everyPoll(pollMs), doubtMs, gatherMs: 1, requestMs: 1, retryMs: 1 },
    ...rest,
  });

export const countRequests = ({ ledger }: FakeSource, request: string): number =>
  ledger.requests.filter((each) => each === request).length;

/** Starts to follow: a first poll, and one after transactions are announced. */
export async function startAnnounced(follower: EventFollower, source: FakeSource): Promise<void> {
  follower.start();
  await expect.poll(() => countRequests(source, 'getFinalizedSlot')).toBe(2);
  await expect.poll(() => follower.status().slot).toBe(source.at.slot);
}

const TRUNCATE = sql`truncate lending_event, vault_event, farm_event, raw_transaction, checkpoint`;

export async function clearHistory(history: Pick<History, 'db'>): Promise<void> {
  await TRUNCATE.execute(history.db);
}

/** All rows except checkpoints. */
export const readRows = async (history: Pick<History, 'db'>): Promise<string[]> =>
  (await dumpRows(history)).filter((line) => !/^(checkpoint|migration) /.test(line));

/** The rows of `all`, which are the same in each test of a database: they have its ids of addresses. */
const rowsOfAll = new WeakMap<History['db'], string[]>();

/** The rows if all transactions exist from the start. Leaves the database without rows. */
export async function recordAtOnce(
  history: History,
  transactions: readonly FakeTransaction[],
): Promise<string[]> {
  await clearHistory(history);
  const known = transactions === all ? rowsOfAll.get(history.db) : undefined;
  if (known !== undefined) return known;
  await createFollower(createSource(transactions), history).poll();
  const lines = await readRows(history);
  if (transactions === all) rowsOfAll.set(history.db, lines);
  await clearHistory(history);
  return lines;
}

export const eventRows = (lines: readonly string[]) => lines.filter((line) => /_event /.test(line));
export const eventsIn = (lines: readonly string[]) => eventRows(lines).length;
