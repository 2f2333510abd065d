import { sql } from 'kysely';
import { openHistory } from '#server/history/open-history.ts';
import type { ExpectedEvents, LedgerIndex } from '../chaos/ledger-index.ts';
import {
  compareEvents,
  readEventsCheckpoint,
  readRecordedEvents,
} from '../chaos/recorded-events.ts';
import { silentLog } from '../fakes/silent-log.ts';

export type EventComparison = {
  /** Events that the ledger or the database lacks. */
  readonly differences: readonly string[];
  /** Transactions with events that the ledger has. */
  readonly transactions: number;
};

/** Compares what a server recorded in its embedded database, which it must have closed, with the ledger of the cluster. */
export async function compareEmbeddedEvents(
  folder: string,
  ledger: LedgerIndex,
): Promise<EventComparison> {
  const history = await openHistory({ url: undefined, folder, log: silentLog });
  const database = {
    schema: 'public',
    query: async (text: string) => {
      const { rows } = await sql.raw<Record<string, unknown>>(text).execute(history.db);
      return rows.map(withBuffers);
    },
  };
  try {
    const after = await readEventsCheckpoint(database, 'events-since');
    const upTo = await readEventsCheckpoint(database, 'events');
    const recorded = await readRecordedEvents(database);
    const expected = ledger.between(after, upTo);
    const inRange = recorded.filter(({ slot }) => slot > after && slot <= upTo);
    const differences = compareEvents(expected.map(withoutAmounts), inRange.map(withoutAmounts));
    return { differences, transactions: expected.length };
  } finally {
    await history.close();
  }
}

type ListedEvents = Pick<ExpectedEvents, 'signature' | 'slot' | 'events'>;

/** The index of the ledger does not see amounts of token accounts that a transaction both opens and closes. */
const withoutAmounts = ({ signature, slot, events }: ListedEvents): ListedEvents => ({
  signature,
  slot,
  events: events.map((event) => ACTION.exec(event)?.[1] ?? event).toSorted(),
});

/** An action, before its amounts. */
const ACTION = /^(.*?) (?:\d|null| for|$)/;

/** The embedded engine returns plain byte arrays. */
const withBuffers = (row: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(row).map(([name, value]) => [
      name,
      value instanceof Uint8Array ? Buffer.from(value) : value,
    ]),
  );
