import type { Address } from '@tidegate/core/base';
import { farmEventKinds } from '../../../history/event-kinds.ts';
import { type EventCursor, readEventPage } from '../../../history/queries/event-pages.ts';
import type { HistoryReader } from '../../../history/queries/history-reader.ts';
import type { EventRow } from '../../../history/schema/event-tables.ts';

type FarmRow = EventRow<'farmEvent'>;

const SET_STAKE = farmEventKinds.indexOf('setStake');

/**
 * Replaces the amount of each `setStake` event, which is the new stake, by the change since the previous one of the same
 * user state. The first one is a change by the whole stake. `rows` are in the order of a page.
 */
export async function withStakeChanges(
  rows: readonly FarmRow[],
  order: 'oldest first' | 'newest first',
  history: HistoryReader,
): Promise<readonly FarmRow[]> {
  const oldestFirst = order === 'oldest first' ? rows : rows.toReversed();
  const stakes = new Map<Address, bigint>();
  const changed: FarmRow[] = [];
  for (const row of oldestFirst) {
    const { kind, userState, amount } = row;
    if (kind !== SET_STAKE || userState === null || amount === null) {
      changed.push(row);
      continue;
    }
    const before = stakes.get(userState) ?? (await readStakeBefore(row, userState, history));
    stakes.set(userState, amount);
    changed.push({ ...row, amount: amount - before });
  }
  return order === 'oldest first' ? changed : changed.toReversed();
}

/** The stake that the last event before `after` set; 0 if there is none. */
async function readStakeBefore(
  after: EventCursor,
  userState: Address,
  history: HistoryReader,
): Promise<bigint> {
  const [previous] = await readEventPage(history, {
    table: 'farmEvent',
    subject: 'userState',
    address: userState,
    kinds: [SET_STAKE],
    order: 'newest first',
    after,
    limit: 1,
  });
  return previous?.amount ?? 0n;
}
