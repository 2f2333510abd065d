import { type ChainTime, type Logger, toSlot, toUnixSeconds } from '@tidegate/core/base';
import type { RulesAt } from '@tidegate/core/protocol/releases';
import { WRAPPED_SOL_MINT } from '@tidegate/core/protocol/spl';
import { ClusterState } from '@tidegate/core/state';
import {
  QUEUE_EVENTS_SINCE_CHECKPOINT,
  RAW_BASE_CHECKPOINT,
} from '../../history/checkpoint-names.ts';
import type { History } from '../../history/open-history.ts';
import { deleteDerivedRows } from '../../history/origin.ts';
import { readCheckpoint } from '../../history/queries/checkpoints.ts';
import { createHistoryReader } from '../../history/queries/history-reader.ts';
import { readRawSteps } from '../../history/queries/raw-steps.ts';
import { readSeries } from '../../history/queries/time-series.ts';
import { readRawAccounts } from '../../history/raw/raw-accounts.ts';
import { type RawStep, RawStepCodec } from '../../history/raw/raw-step-codec.ts';
import {
  RawTransactionCursor,
  TRANSACTIONS_PER_PAGE,
} from '../../history/raw/raw-transaction-cursor.ts';
import type { Batch } from '../../history/writing/batch.ts';
import { HistoryWriter } from '../../history/writing/history-writer.ts';
import { mergeBatches } from '../../history/writing/merge-batches.ts';
import {
  restoreRecordingNumbers,
  saveRecordingNumbers,
} from '../../history/writing/recording-order.ts';
import type { Registry } from '../../registry/registry.ts';
import { HistoryRecorder } from '../recording/history-recorder.ts';
import { readLatestPrices, readRecorderCheckpoint } from '../recording/recorder-checkpoint.ts';
import { SlotDurationMeter } from '../recording/slot-duration-meter.ts';

type ReplayOptions = {
  readonly history: Pick<History, 'db'>;
  readonly registry: Registry;
  /** The rules of the cluster's programs; by default those of the newest releases. */
  readonly rulesAt?: RulesAt | undefined;
  readonly log: Logger;
  readonly onProgress?: (progress: ReplayProgress) => void;
};

const EARLIER_SECONDS = 3n * 3_600n;

/** The largest slot that a column can hold. */
const MAX_SLOT = toSlot(2n ** 63n - 1n);

export type ReplayProgress = { readonly steps: number; readonly transactions: number };

/**
 * Derives all rows again from the stored raw accounts and transactions. After an interruption, run it again: until it
 * completes, part of the history is missing.
 */
export async function replayHistory(options: ReplayOptions): Promise<ReplayProgress> {
  const { history, registry, rulesAt, log, onProgress } = options;
  const { db } = history;
  const state = new ClusterState({ log, rulesAt });
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
  const transactions = new RawTransactionCursor(db, base?.slot ?? toSlot(-1n));
  const slotDurations = new SlotDurationMeter();
  if (base !== undefined) await addEarlierTimes(slotDurations, base, { db, state });
  for await (const steps of readRawSteps(db, codec)) {
    const replayed = await replaySteps(steps, {
      recorder,
      transactions,
      writer,
      state,
      slotDurations,
    });
    done = { steps: done.steps + steps.length, transactions: done.transactions + replayed };
    onProgress?.(done);
  }
  for await (const page of transactions.readUpTo(MAX_SLOT)) {
    await writer.append(recorder.record({ at: state.at(), slots: [], transactions: page }));
    done = { ...done, transactions: done.transactions + page.length };
  }
  await restoreRecordingNumbers(db);
  await claimQueueEvents(db, base);
  return done;
}

type Replay = {
  readonly recorder: HistoryRecorder;
  readonly writer: HistoryWriter;
  readonly transactions: RawTransactionCursor;
  readonly state: ClusterState;
  readonly slotDurations: SlotDurationMeter;
};

/** Records each step with the transactions up to its slot. Returns how many these were. */
async function replaySteps(
  steps: readonly RawStep[],
  { recorder, writer, transactions, state, slotDurations }: Replay,
): Promise<number> {
  let replayed = 0;
  let written = 0;
  let batches: Batch[] = [];
  for (const { at, slots, sample, isPartial } of steps) {
    state.setSlotMs(slotDurations.add(at, state.slotMs()));
    batches.push(recorder.record({ at, slots, isPartial, transactions: [] }));
    for await (const page of transactions.readUpTo(at.slot)) {
      batches.push(recorder.record({ at, slots: [], transactions: page }));
      replayed += page.length;
      // any number of backfilled ones may come before a step
      if (replayed - written < TRANSACTIONS_PER_PAGE) continue;
      await writer.append(mergeBatches(batches));
      written = replayed;
      batches = [];
    }
    batches.push(recorder.sample(at, sample));
  }
  await writer.append(mergeBatches(batches));
  return replayed;
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

/** The times of samples before `base`, so that slots are measured as they were when they were recorded. */
async function addEarlierTimes(
  slotDurations: SlotDurationMeter,
  base: ChainTime,
  { db, state }: Pick<ReplayContext, 'db' | 'state'>,
): Promise<void> {
  const series = { kind: 'price', resolution: 'hour', subject: WRAPPED_SOL_MINT } as const;
  const range = { from: toUnixSeconds(base.unix - EARLIER_SECONDS), to: base.unix };
  for await (const rows of readSeries(createHistoryReader(db), series, range)) {
    for (const { at: unix, slot } of rows) {
      state.setSlotMs(slotDurations.add({ unix, slot }, state.slotMs()));
    }
  }
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
