import type { Address } from '../../base/address.ts';
import { type Slot, toUnixSeconds, type UnixSeconds } from '../../base/time.ts';
import type { Obligation } from '../../protocol/klend/layout/obligation.ts';
import { obligationOfState } from '../obligation-states.ts';
import { readStates } from './position-states.ts';
import type { HistoryReader } from './reader.ts';

/** An obligation after something happened to it; without fields once it was closed. */
export type PastObligation = {
  readonly slot: Slot;
  readonly at: UnixSeconds;
  readonly fields: Obligation | undefined;
};

/** All that it came into before `to`, oldest first. */
export async function readObligation(
  reader: HistoryReader,
  obligation: Address,
  to: UnixSeconds,
): Promise<readonly PastObligation[]> {
  const ask = { table: 'obligationState', of: { obligation } } as const;
  const rows = await readStates(reader, ask, { from: toUnixSeconds(0n), to });
  return rows.map((row) => ({ slot: row.slot, at: row.at, fields: obligationOfState(row) }));
}
