import { promisify } from 'node:util';
import {
  type ChainTime,
  type Logger,
  toSlot,
  toUnixSeconds,
  type UnixSeconds,
} from '@tidegate/core/base';
import type { RulesAt } from '@tidegate/core/protocol/releases';
import { ClusterState } from '@tidegate/core/state';
import type { ClusterStep } from '@tidegate/localnet';
import {
  EVENTS_CHECKPOINT,
  EVENTS_SINCE_CHECKPOINT,
  SAMPLER_CHECKPOINT,
  SAMPLES_SINCE_CHECKPOINT,
} from '../../history/checkpoint-names.ts';
import type { History } from '../../history/open-history.ts';
import { RawStepCodec } from '../../history/raw/raw-step-codec.ts';
import type { Batch, Checkpoint } from '../../history/writing/batch.ts';
import { HistoryWriter } from '../../history/writing/history-writer.ts';
import { mergeBatches } from '../../history/writing/merge-batches.ts';
import type { Registry } from '../../registry/registry.ts';
import { HistoryRecorder } from './history-recorder.ts';
import { RawBase } from './raw-base.ts';
import { SlotDurationMeter } from './slot-duration-meter.ts';

const yieldToEventLoop = promisify(setImmediate);

type SimulationHistoryWriterOptions = {
  readonly history: Pick<History, 'db'>;
  readonly registry: Registry;
  /** The rules of the cluster's programs; by default those of the newest releases. */
  readonly rulesAt?: RulesAt | undefined;
  readonly log: Logger;
  /** Raw data before this time would be pruned at once, so it is not stored. Everything is stored if omitted. */
  readonly rawSince?: UnixSeconds | undefined;
};

/** A simulation records everything. */
const sinceGenesis = (name: string): Checkpoint => ({
  name,
  direction: 'older',
  slot: toSlot(0n),
  at: toUnixSeconds(0n),
});

/** Writes the history of a simulated cluster, starting with its first step. */
export class SimulationHistoryWriter {
  readonly #writer: HistoryWriter;
  readonly #recorder: HistoryRecorder;
  /** The cluster's state after the last step. */
  readonly state: ClusterState;
  readonly #codec = new RawStepCodec();
  readonly #slotDurations = new SlotDurationMeter();
  readonly #rawBase: RawBase;
  #appending: Promise<void> = Promise.resolve();

  constructor({ history, registry, rulesAt, log, rawSince }: SimulationHistoryWriterOptions) {
    this.#rawBase = new RawBase(history.db, rawSince);
    this.#writer = new HistoryWriter(history.db);
    this.state = new ClusterState({ log, rulesAt });
    this.#recorder = new HistoryRecorder({ state: this.state, registry });
  }

  /** Derives rows while the previous batch is being written. */
  async write(steps: readonly ClusterStep[]): Promise<void> {
    const last = steps.at(-1);
    if (last === undefined) return;
    const batch = await this.#batchOf(steps, last.at);
    await this.#appending;
    if (batch.steps?.length) await this.#rawBase.save();
    this.#appending = this.#writer.append(batch);
    // the next write or `end` throws the error
    this.#appending.catch(() => undefined);
  }

  /** Sets the checkpoint from which the event follower continues. */
  async end(): Promise<void> {
    await this.#appending;
    const { slot, unix: at } = this.state.at();
    const checkpoint = { name: EVENTS_CHECKPOINT, direction: 'newer', slot, at } as const;
    await this.#writer.append({ checkpoint });
    await this.#writer.append({ checkpoint: sinceGenesis(EVENTS_SINCE_CHECKPOINT) });
    await this.#writer.append({ checkpoint: sinceGenesis(SAMPLES_SINCE_CHECKPOINT) });
  }

  async #batchOf(steps: readonly ClusterStep[], { slot, unix: at }: ChainTime): Promise<Batch> {
    const batches: Batch[] = [];
    const relevant: ClusterStep[] = [];
    for (const step of steps) {
      const hasRaw = !this.#rawBase.contains(step.at);
      this.state.setSlotMs(this.#slotDurations.add(step.at, this.state.slotMs()));
      batches.push(this.#recorder.record(step, { hasRaw }));
      const relevantStep = this.#recorder.pickRelevant(step);
      if (hasRaw) relevant.push(relevantStep);
      else this.#rawBase.add(relevantStep);
      // lets the pending write send its next statement
      await yieldToEventLoop();
    }
    const checkpoint = { name: SAMPLER_CHECKPOINT, direction: 'newer', slot, at } as const;
    if (relevant.length === 0) return mergeBatches([...batches, { checkpoint }]);
    for (const change of this.#rawBase.takeBaseline()) this.#codec.setBaseline(change);
    const deflated = this.#codec.encode(relevant);
    return mergeBatches([...batches, { steps: [{ slot, part: 0, at, deflated }], checkpoint }]);
  }
}
