import type { Logger } from '../base/log.ts';
import { type Slot, toSlot } from '../base/time.ts';
import type { Step } from '../chain/step.ts';
import { HistoryWriter } from '../history/append.ts';
import type { History } from '../history/open.ts';
import { clearDerived } from '../history/origin.ts';
import { readRawSteps, readRawTransactions } from '../history/queries/raw.ts';
import type { RawStep } from '../history/raw-steps.ts';
import type { Registry } from '../registry/registry.ts';
import { ClusterState } from '../state/cluster-state.ts';
import { joinBatches } from './join-batches.ts';
import { Recorder } from './recorder.ts';

type ReplayOptions = {
  readonly history: Pick<History, 'db'>;
  readonly registry: Registry;
  readonly log: Logger;
  readonly onProgress?: (progress: Replayed) => void;
};

/** Above every slot that a chain will reach, and what a column holds. */
const NEWEST = toSlot(2n ** 63n - 1n);

export type Replayed = { readonly steps: number; readonly transactions: number };

/**
 * Makes all rows again from the accounts and transactions that were kept. Broken off, it is to be begun again: until
 * its end a part of the past is missing.
 */
export async function replay(options: ReplayOptions): Promise<Replayed> {
  const { history, registry, log, onProgress } = options;
  const { db } = history;
  const state = new ClusterState({ log });
  const recorder = new Recorder({ state, registry });
  const writer = new HistoryWriter(db);
  await clearDerived(db);
  let done: Replayed = { steps: 0, transactions: 0 };
  let told = toSlot(-1n);
  for await (const kept of readRawSteps(db)) {
    const last = kept.at(-1);
    if (last === undefined) continue;
    const transactions = await readRawTransactions(db, told, last.at.slot);
    const steps = withTransactions(kept, transactions);
    await writer.append(joinBatches(steps.map((step) => recorder.record(step))));
    told = last.at.slot;
    done = {
      steps: done.steps + kept.length,
      transactions: done.transactions + transactions.length,
    };
    onProgress?.(done);
  }
  const rest = await readRawTransactions(db, told, NEWEST);
  if (rest.length > 0) {
    const at = state.at();
    await writer.append(recorder.record({ at, slots: [], transactions: rest }));
  }
  return { ...done, transactions: done.transactions + rest.length };
}

type Placed = Step['transactions'][number];

/** Each to the first step that ends with its slot or after it. */
function withTransactions(steps: readonly RawStep[], transactions: readonly Placed[]): Step[] {
  let next = 0;
  const upTo = (slot: Slot): Placed[] => {
    const first = next;
    while (next < transactions.length && (transactions[next]?.slot ?? 0n) <= slot) next++;
    return transactions.slice(first, next);
  };
  return steps.map(({ at, slots, sample }) => ({
    ...{ at, slots, transactions: upTo(at.slot) },
    ...(sample === undefined ? {} : { sample }),
  }));
}
