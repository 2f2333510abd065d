import { type Address, CodedError, formatInstant } from '@tidegate/core/base';
import type { Cluster } from '../../clusters/served-clusters.ts';
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

/** Throws HISTORY_INCOMPLETE if the recorded events of a position do not explain its state. */
export async function requireExplained(
  { history }: Pick<Cluster, 'history'>,
  subject: GapSubject,
): Promise<void> {
  if (history === undefined) return;
  const [gap] = await readPositionGapsOf(history, subject);
  if (gap === undefined) return;
  const { key, at, difference } = gap;
  const reason = `transactions since ${formatInstant(at)} are missing and are being looked for: ${difference}`;
  const what = describePosition(key);
  throw new CodedError('HISTORY_INCOMPLETE', {
    ...{ what, reason },
    retryAfterSeconds: RETRY_SECONDS,
  });
}

export const describePosition = (key: PositionKey): string =>
  key.kind === 'shares'
    ? `the shares of ${key.wallet} in the vault ${key.vault}`
    : `the ${key.kind} ${key.address}`;
