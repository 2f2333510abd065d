import { type Address, type Slot, toUnixSeconds, type UnixSeconds } from '@tidegate/core/base';
import type { Obligation } from '@tidegate/core/protocol/klend/layout';
import { sql } from 'kysely';
import { decodeObligationState } from '../rows/obligation-states.ts';
import { stateColumns } from '../schema/event-tables.ts';
import { addressConditions, type HistoryReader, readRows } from './history-reader.ts';
import { readStates } from './position-states.ts';

/** An obligation after a change; `fields` is undefined after it was closed. */
export type ObligationSnapshotRow = {
  readonly slot: Slot;
  readonly at: UnixSeconds;
  readonly fields: Obligation | undefined;
};

/** All snapshots before `to`, oldest first. */
export async function readObligationSnapshots(
  reader: HistoryReader,
  obligation: Address,
  to: UnixSeconds,
): Promise<readonly ObligationSnapshotRow[]> {
  const query = { table: 'obligationState', subject: { obligation } } as const;
  const rows = await readStates(reader, query, { from: toUnixSeconds(0n), to });
  return rows.map((row) => ({ slot: row.slot, at: row.at, fields: decodeObligationState(row) }));
}

/** The oldest snapshot of an obligation that is not a close. */
export async function readFirstObligationSnapshot(
  reader: HistoryReader,
  obligation: Address,
): Promise<ObligationSnapshotRow | undefined> {
  const where = await addressConditions(reader, { obligation });
  if (where === undefined) return undefined;
  const rest = sql`from obligation_state where ${where} and deflated is not null
    order by slot limit 1`;
  const [row] = await readRows(reader, stateColumns.obligationState, rest);
  return row && { slot: row.slot, at: row.at, fields: decodeObligationState(row) };
}
