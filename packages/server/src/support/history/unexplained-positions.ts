import { type Address, formatInstant, type Slot, toSlot } from '@tidegate/core/base';
import type { Cluster } from '../../clusters/served-clusters.ts';
import { CodedError } from '../../errors.ts';
import type { HistoryReader } from '../../history/queries/history-reader.ts';
import {
  type PositionGap,
  readGapsOf,
  readGapsOfPosition,
} from '../../history/queries/position-gaps.ts';
import type { PositionKey, PositionKind } from '../../history/queries/position-kinds.ts';

/** Missing transactions are being looked for. */
const RETRY_SECONDS = 5;

/** Positions whose events a list has: one, those of a wallet, or those in a market, vault or farm (all if undefined). */
export type GapSubject =
  | { readonly position: PositionKey }
  | { readonly kind: PositionKind; readonly wallet: Address }
  | { readonly kind: PositionKind; readonly place: Address | undefined };

/** The gaps in the recorded events of positions. */
export const readPositionGapsOf = (
  history: HistoryReader,
  subject: GapSubject,
): Promise<readonly PositionGap[]> =>
  'position' in subject
    ? readGapsOfPosition(history, subject.position)
    : readGapsOf(history, subject.kind, subject);

const EVENTS_WAIT_MS = 1_000;
const EVENTS_RETRY_SECONDS = 1;

/**
 * Whether the events of the last change of the positions are recorded, and the positions are compared with them. Waits a
 * little. The slot of a change is known of loans; others may have changed in the current slot.
 */
export async function hasNewestEvents(cluster: Cluster, subject: GapSubject): Promise<boolean> {
  const { reader, recording, historyMode } = cluster;
  if (recording === undefined || historyMode === 'events-on-demand') return true;
  return await recording.waitForEvents(lastChange(reader, subject), EVENTS_WAIT_MS);
}

function lastChange(reader: Cluster['reader'], subject: GapSubject): Slot {
  const current = reader.at().slot;
  const kind = 'position' in subject ? subject.position.kind : subject.kind;
  if (kind !== 'loan' || 'place' in subject) return current;
  const loans =
    'wallet' in subject
      ? reader.obligationsOf(subject.wallet)
      : [loanOf(reader, subject.position) ?? []].flat();
  const changes = loans.map(({ fields }) => toSlot(fields.lastUpdate.slot));
  return changes.reduce((newest, slot) => (slot > newest ? slot : newest), toSlot(0n));
}

const loanOf = (reader: Cluster['reader'], position: PositionKey) =>
  position.kind === 'loan' ? reader.obligation(position.address) : undefined;

/**
 * Throws HISTORY_INCOMPLETE if the recorded events of a position do not explain its state, and STALE_READ if it is not
 * known yet whether they do.
 */
export async function requireExplained(cluster: Cluster, subject: GapSubject): Promise<void> {
  const { recording, reader } = cluster;
  if (recording === undefined) return;
  if (!(await hasNewestEvents(cluster, subject))) {
    const { slot } = reader.at();
    const minSlot = lastChange(reader, subject);
    const retryAfterSeconds = EVENTS_RETRY_SECONDS;
    throw new CodedError('STALE_READ', { slot, minSlot, retryAfterSeconds });
  }
  const [gap] = await readPositionGapsOf(recording.history, subject);
  if (gap === undefined) return;
  const { key, at, difference } = gap;
  const reason = `transactions since ${formatInstant(at)} are missing and are being looked for: ${difference}`;
  const what = describePosition(key);
  throw new CodedError('HISTORY_INCOMPLETE', {
    ...{ what, reason },
    retryAfterSeconds: RETRY_SECONDS,
  });
}

const describePosition = (key: PositionKey): string =>
  key.kind === 'shares'
    ? `the shares of ${key.wallet} in the vault ${key.vault}`
    : `the ${key.kind} ${key.address}`;
