import type { Batch } from './batch.ts';

/** Concatenates the rows. The last checkpoint wins. */
export function mergeBatches(batches: readonly Batch[]): Batch {
  const checkpoint = batches.findLast((batch) => batch.checkpoint !== undefined)?.checkpoint;
  return {
    points: batches.flatMap(({ points }) => points ?? []),
    lendingEvents: batches.flatMap(({ lendingEvents }) => lendingEvents ?? []),
    vaultEvents: batches.flatMap(({ vaultEvents }) => vaultEvents ?? []),
    farmEvents: batches.flatMap(({ farmEvents }) => farmEvents ?? []),
    transactions: batches.flatMap(({ transactions }) => transactions ?? []),
    steps: batches.flatMap(({ steps }) => steps ?? []),
    obligationStates: batches.flatMap(({ obligationStates }) => obligationStates ?? []),
    vaultHoldings: batches.flatMap(({ vaultHoldings }) => vaultHoldings ?? []),
    farmStakes: batches.flatMap(({ farmStakes }) => farmStakes ?? []),
    loansToOwn: batches.flatMap(({ loansToOwn }) => loansToOwn ?? []),
    gaps: batches.flatMap(({ gaps }) => gaps ?? []),
    ...(checkpoint === undefined ? {} : { checkpoint }),
  };
}
