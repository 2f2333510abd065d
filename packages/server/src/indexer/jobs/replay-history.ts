import { type ChainTime, type Logger, type Slot, toSlot } from '@tidegate/core/base';
import { ClusterState } from '@tidegate/core/state';
import type { ClusterStep } from '@tidegate/localnet';
import type { History } from '../../history/open-history.ts';
import { deleteDerivedRows } from '../../history/origin.ts';
import { readCheckpoint } from '../../history/queries/checkpoints.ts';
import { createHistoryReader } from '../../history/queries/history-reader.ts';
import { readRawSteps, readRawTransactionsInSlots } from '../../history/queries/raw-steps.ts';
import { RAW_BASE_CHECKPOINT } from '../../history/raw/prune-raw.ts';
import { readRawAccounts } from '../../history/raw/raw-accounts.ts';
import { type RawStep, RawStepCodec } from '../../history/raw/raw-step-codec.ts';
import { HistoryWriter } from '../../history/writing/history-writer.ts';
import { mergeBatches } from '../../history/writing/merge-batches.ts';
import type { Registry } from '../../registry/registry.ts';
import { HistoryRecorder } from '../recording/history-recorder.ts';
import { readLatestPrices, readRecorderCheckpoint } from '../recording/recorder-checkpoint.ts';

type ReplayOptions = {
  readonly history: Pick<History, 'db'>;
  readonly registry: Registry;
  readonly log: Logger;
  readonly onProgress?: (progress: ReplayProgress) => void;
};

/** Above every slot that a chain will reach, and what a column holds. */
const NEWEST = toSlot(2n ** 63n - 1n);

export type ReplayProgress = { readonly steps: number; readonly transactions: number };

/**
 * Makes all rows again from the accounts and transactions that were kept. Broken off, it is to be begun again: until
 * its end a part of the past is missing.
 */
export async function replayHistory(options: ReplayOptions): Promise<ReplayProgress> {
  const { history, registry, log, onProgress } = options;
  const { db } = history;
  const state = new ClusterState({ log });
  const writer = new HistoryWriter(db);
  const codec = new RawStepCodec();
  const base = await readCheckpoint(db, RAW_BASE_CHECKPOINT);
  await deleteDerivedRows(db, base?.slot ?? 0n);
  const recorder =
    base === undefined
      ? new HistoryRecorder({ state, registry })
      : await recorderFrom(base, { db, state, registry, codec });
  let done: ReplayProgress = { steps: 0, transactions: 0 };
  let told = base?.slot ?? toSlot(-1n);
  for await (const kept of readRawSteps(db, codec)) {
    const last = kept.at(-1);
    if (last === undefined) continue;
    const transactions = await readRawTransactionsInSlots(db, told, last.at.slot);
    const steps = withTransactions(kept, transactions);
    await writer.append(mergeBatches(steps.map((step) => recorder.record(step))));
    told = last.at.slot;
    done = {
      steps: done.steps + kept.length,
      transactions: done.transactions + transactions.length,
    };
    onProgress?.(done);
  }
  const rest = await readRawTransactionsInSlots(db, told, NEWEST);
  if (rest.length > 0) {
    const at = state.at();
    await writer.append(recorder.record({ at, slots: [], transactions: rest }));
  }
  return { ...done, transactions: done.transactions + rest.length };
}

type Begun = {
  readonly db: History['db'];
  readonly state: ClusterState;
  readonly registry: Registry;
  readonly codec: RawStepCodec;
};

/** As it stood when the steps that are kept began. Rows of before then are there, and are not made again. */
async function recorderFrom(base: ChainTime, { db, state, registry, codec }: Begun) {
  const reader = createHistoryReader(db);
  const recorder = new HistoryRecorder({
    state,
    registry,
    books: await readRecorderCheckpoint(reader, state, 'hour'),
  });
  for await (const accounts of readRawAccounts(db)) {
    for (const account of accounts) codec.begin(account);
    recorder.record({ at: base, slots: [{ at: base, accounts }], transactions: [] });
  }
  recorder.notePrices(await readLatestPrices(reader));
  return recorder;
}

type Placed = ClusterStep['transactions'][number];

/** Each to the first step that ends with its slot or after it. */
function withTransactions(
  steps: readonly RawStep[],
  transactions: readonly Placed[],
): ClusterStep[] {
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
