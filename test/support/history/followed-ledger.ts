import { sql } from 'kysely';
import { toSlot, toUnixSeconds } from '#core/base/time.ts';
import type { History } from '#server/history/open-history.ts';
import { EventFollower } from '#server/indexer/events/event-follower.ts';
import type { EventFollowerOptions } from '#server/indexer/events/event-follower-options.ts';
import type { FakeTransaction } from '../fakes/fake-ledger.ts';
import { FakeSource } from '../fakes/fake-source.ts';
import { silentLog } from '../fakes/silent-log.ts';
import { dumpRows } from './history-reads.ts';
import { FIRST_AT, FIRST_SLOT, simulatedLedger } from './simulated-ledger.ts';

/** The transactions that the tests of the event follower use. */
export const followedLedger = simulatedLedger('events');
export const LAST_LEDGER_SLOT = followedLedger.transactions.at(-1)?.slot ?? 0n;

export const createLedgerSource = (
  transactions: readonly FakeTransaction[],
  slot = LAST_LEDGER_SLOT + 1n,
): FakeSource => {
  const at = { slot: toSlot(slot), unix: toUnixSeconds(FIRST_AT + slot - FIRST_SLOT) };
  const source = new FakeSource(at, followedLedger.accounts);
  source.ledger.add(...transactions);
  return source;
};

type FollowerSettings = { readonly pollMs?: number } & Pick<
  EventFollowerOptions,
  'onRecorded' | 'onRollBack'
>;

export const createLedgerFollower = (
  source: FakeSource,
  history: Pick<History, 'db'>,
  { pollMs = 2, ...rest }: FollowerSettings = {},
): EventFollower =>
  new EventFollower({
    source,
    history,
    ownerIndex: followedLedger.ownerLookup(),
    programs: followedLedger.programs,
    clock: () => 0,
    random: () => 0,
    log: silentLog,
    timing: { pollMs, announcedPollMs: pollMs, retryMs: 1 },
    ...rest,
  });

const TRUNCATE = sql`truncate lending_event, vault_event, farm_event, raw_transaction, checkpoint`;

export async function clearEvents(history: Pick<History, 'db'>): Promise<void> {
  await TRUNCATE.execute(history.db);
}

/** All rows except checkpoints. */
export const dumpEvents = async (history: Pick<History, 'db'>): Promise<string[]> =>
  (await dumpRows(history)).filter((line) => !/^(checkpoint|migration) /.test(line));

/** The rows if all transactions exist from the start. */
export async function recordAtOnce(
  history: History,
  transactions: readonly FakeTransaction[],
): Promise<string[]> {
  await clearEvents(history);
  await createLedgerFollower(createLedgerSource(transactions), history).poll();
  const lines = await dumpEvents(history);
  await clearEvents(history);
  return lines;
}

export const countEventRows = (lines: readonly string[]): number =>
  lines.filter((line) => /_event /.test(line)).length;
