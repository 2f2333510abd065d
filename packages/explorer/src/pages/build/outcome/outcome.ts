import type { TransactionOutcome } from '@tidegate/client';
import { estimateRemaining, type ProgressSample } from '../../../format/remaining-time.ts';

/** A signed transaction, as far as it takes to find out what became of it. */
export type SentTransaction = {
  readonly signature: string;
  /** Up to which it can land, of its preview. Undefined if it is not known: then it is never said to have expired. */
  readonly lastValidBlockHeight: string | undefined;
};

/** What became of a transaction. */
export type Outcome =
  /** `isSeen`: a block has it that is not confirmed. `remainingMs`: until it expires; undefined while it cannot be told. */
  | {
      readonly kind: 'pending';
      readonly isSeen: boolean;
      readonly remainingMs: number | undefined;
      /** Why the newest attempt to find out failed. */
      readonly problem: string | undefined;
    }
  /** While `isFinal` is false its block can be rolled back, and it is pending again. */
  | { readonly kind: 'landed'; readonly isFinal: boolean; readonly details: TransactionOutcome }
  | { readonly kind: 'failed'; readonly isFinal: boolean; readonly details: TransactionOutcome }
  /** Nothing was taken, and nothing will be. */
  | { readonly kind: 'expired' }
  /** It did not land as far as is known, and may have. */
  | { readonly kind: 'unknown'; readonly meaning: string };

type OutcomeInput = {
  readonly data: TransactionOutcome | undefined;
  readonly problem: string | undefined;
  readonly remainingMs: number | undefined;
};

export function toOutcome({ data, problem, remainingMs }: OutcomeInput): Outcome {
  switch (data?.status) {
    case 'landed':
    case 'failed':
      return { kind: data.status, isFinal: data.isFinal, details: data };
    case 'expired':
      return { kind: 'expired' };
    case 'unknown':
      return { kind: 'unknown', meaning: data.meaning };
    default:
      return { kind: 'pending', isSeen: data?.confirmation != null, remainingMs, problem };
  }
}

/** A block height and when it was read. */
export type HeightSample = { readonly at: number; readonly blockHeight: bigint };

/** Time until the cluster is beyond the last valid height, at the speed between two samples. */
export function remainingUntil(
  lastValidBlockHeight: bigint,
  first: HeightSample,
  current: HeightSample,
): number | undefined {
  const blocks = lastValidBlockHeight + 1n - first.blockHeight;
  if (blocks <= 0n || current.blockHeight > lastValidBlockHeight) return undefined;
  const toProgress = ({ at, blockHeight }: HeightSample): ProgressSample => ({
    at,
    fraction: Number(blockHeight - first.blockHeight) / Number(blocks),
  });
  return estimateRemaining(toProgress(first), toProgress(current));
}
