import { type ChainTime, type Logger, type Slot, toSlot } from '@tidegate/core/base';
import { ClusterState } from '@tidegate/core/state';
import type { ClusterStep } from '@tidegate/localnet';
import {
  QUEUE_EVENTS_SINCE_CHECKPOINT,
  RAW_BASE_CHECKPOINT,
} from '../../history/checkpoint-names.ts';
import type { History } from '../../history/open-history.ts';
import { deleteDerivedRows } from '../../history/origin.ts';
import { readCheckpoint } from '../../history/queries/checkpoints.ts';
import { createHistoryReader } from '../../history/queries/history-reader.ts';
import { readRawSteps, readRawTransactionsInSlots } from '../../history/queries/raw-steps.ts';
import { readRawAccounts } from '../../history/raw/raw-accounts.ts';
import { type RawStep, RawStepCodec } from '../../history/raw/raw-step-codec.ts';
import { HistoryWriter } from '../../history/writing/history-writer.ts';
import { mergeBatches } from '../../history/writing/merge-batches.ts';
import {
  restoreRecordingNumbers,
  saveRecordingNumbers,
} from '../../history/writing/recording-order.ts';
import type { Registry } from '../../registry/registry.ts';
import { HistoryRecorder } from '../recording/history-recorder.ts';
import { readLatestPrices, readRecorderCheckpoint } from '../recording/recorder-checkpoint.ts';

type ReplayOptions = {
  readonly history: Pick<History, 'db'>;
  readonly registry: Registry;
  readonly log: Logger;
  readonly onProgress?: (progress: ReplayProgress) => void;
};

/** The largest slot that a column can hold. */
const MAX_SLOT = toSlot(2n ** 63n - 1n);

export type ReplayProgress = { readonly steps: number; readonly transactions: number };

/**
 * Derives all rows again from the stored raw accounts and transactions. After an interruption, run it again: until it
 * completes, part of the history is missing.
 */
export async function replayHistory(options: ReplayOptions): Promise<ReplayProgress> {
  const { history, registry, log, onProgress } = options;
  const { db } = history;
  const state = new ClusterState({ log });
  const writer = new HistoryWriter(db);
  const codec = new RawStepCodec();
  const base = await readCheckpoint(db, RAW_BASE_CHECKPOINT);
  await saveRecordingNumbers(db);
  await deleteDerivedRows(db, base?.slot ?? 0n);
  const recorder =
    base === undefined
      ? new HistoryRecorder({ state, registry })
      : await resumeRecorder(base, { db, state, registry, codec });
  let done: ReplayProgress = { steps: 0, transactions: 0 };
  let replayedUpTo = base?.slot ?? toSlot(-1n);
  for await (const rawSteps of readRawSteps(db, codec)) {
    const last = rawSteps.at(-1);
    if (last === undefined) continue;
    const transactions = await readRawTransactionsInSlots(db, replayedUpTo, last.at.slot);
    const steps = withTransactions(rawSteps, transactions);
    await writer.append(mergeBatches(steps.map((step) => recorder.record(step))));
    replayedUpTo = last.at.slot;
    done = {
      steps: done.steps + rawSteps.length,
      transactions: done.transactions + transactions.length,
    };
    onProgress?.(done);
  }
  const rest = await readRawTransactionsInSlots(db, replayedUpTo, MAX_SLOT);
  if (rest.length > 0) {
    const at = state.at();
    await writer.append(recorder.record({ at, slots: [], transactions: rest }));
  }
  await restoreRecordingNumbers(db);
  await claimQueueEvents(db, base);
  return { ...done, transactions: done.transactions + rest.length };
}

/** The events that an earlier release did not record are now derived from all transactions after `base`. */
async function claimQueueEvents(db: History['db'], base: ChainTime | undefined): Promise<void> {
  if (base === undefined) {
    await db.deleteFrom('checkpoint').where('name', '=', QUEUE_EVENTS_SINCE_CHECKPOINT).execute();
    return;
  }
  await db
    .updateTable('checkpoint')
    .set({ slot: base.slot, at: base.unix })
    .where('name', '=', QUEUE_EVENTS_SINCE_CHECKPOINT)
    .where('slot', '>', base.slot)
    .execute();
}

type ReplayContext = {
  readonly db: History['db'];
  readonly state: ClusterState;
  readonly registry: Registry;
  readonly codec: RawStepCodec;
};

/** A recorder as of the first stored step. Earlier rows exist already and are not derived again. */
async function resumeRecorder(base: ChainTime, { db, state, registry, codec }: ReplayContext) {
  const reader = createHistoryReader(db);
  const recorder = new HistoryRecorder({
    state,
    registry,
    resumeFrom: await readRecorderCheckpoint(reader, state, 'hour'),
  });
  for await (const accounts of readRawAccounts(db)) {
    for (const account of accounts) codec.setBaseline(account);
    recorder.record({ at: base, slots: [{ at: base, accounts }], transactions: [] });
  }
  recorder.addPrices(await readLatestPrices(reader));
  return recorder;
}

type StepTransaction = ClusterStep['transactions'][number];

/** Adds each transaction to the first step that ends at or after its slot. */
function withTransactions(
  steps: readonly RawStep[],
  transactions: readonly StepTransaction[],
): (ClusterStep & Pick<RawStep, 'isPartial'>)[] {
  let next = 0;
  const takeUpTo = (slot: Slot): StepTransaction[] => {
    const first = next;
    while (next < transactions.length && (transactions[next]?.slot ?? 0n) <= slot) next++;
    return transactions.slice(first, next);
  };
  return steps.map(({ at, slots, sample, isPartial }) => ({
    at,
    slots,
    isPartial,
    transactions: takeUpTo(at.slot),
    ...(sample === undefined ? {} : { sample }),
  }));
}
