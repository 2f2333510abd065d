import { promisify } from 'node:util';
import type { ChainTime, Logger } from '@tidegate/core/base';
import { ClusterState } from '@tidegate/core/state';
import type { ClusterStep } from '@tidegate/localnet';
import type { History } from '../../history/open-history.ts';
import { RawStepCodec } from '../../history/raw/raw-step-codec.ts';
import type { Batch } from '../../history/writing/batch.ts';
import { HistoryWriter } from '../../history/writing/history-writer.ts';
import { mergeBatches } from '../../history/writing/merge-batches.ts';
import type { Registry } from '../../registry/registry.ts';
import { EVENTS_CHECKPOINT } from '../events/event-follower.ts';
import { HistoryRecorder } from './history-recorder.ts';

const nextTurn = promisify(setImmediate);

/** Whoever samples has come so far under this name. */
export const SAMPLER_CHECKPOINT = 'sampler';

type PlayWriterOptions = {
  readonly history: Pick<History, 'db'>;
  readonly registry: Registry;
  readonly log: Logger;
};

/** Writes down the past of a cluster while it is played, from its first step on. */
export class SimulationHistoryWriter {
  readonly #writer: HistoryWriter;
  readonly #recorder: HistoryRecorder;
  /** As the last step left it. */
  readonly state: ClusterState;
  readonly #codec = new RawStepCodec();
  #appending: Promise<void> = Promise.resolve();

  constructor({ history, registry, log }: PlayWriterOptions) {
    this.#writer = new HistoryWriter(history.db);
    this.state = new ClusterState({ log });
    this.#recorder = new HistoryRecorder({ state: this.state, registry });
  }

  /** Rows are made while those of before are written. */
  async write(steps: readonly ClusterStep[]): Promise<void> {
    const last = steps.at(-1);
    if (last === undefined) return;
    const batch = await this.#batchOf(steps, last.at);
    await this.#appending;
    this.#appending = this.#writer.append(batch);
    // whoever writes next is told of a failure
    this.#appending.catch(() => undefined);
  }

  /** Whoever follows events goes on from here. */
  async end(): Promise<void> {
    await this.#appending;
    const { slot, unix: at } = this.state.at();
    const checkpoint = { name: EVENTS_CHECKPOINT, towards: 'newer', slot, at } as const;
    await this.#writer.append({ checkpoint });
  }

  async #batchOf(steps: readonly ClusterStep[], { slot, unix: at }: ChainTime): Promise<Batch> {
    const batches: Batch[] = [];
    const relevant: ClusterStep[] = [];
    for (const step of steps) {
      batches.push(this.#recorder.record(step));
      relevant.push(this.#recorder.relevant(step));
      // what is being written asks for its next statement meanwhile
      await nextTurn();
    }
    const deflated = this.#codec.encode(relevant);
    const checkpoint = { name: SAMPLER_CHECKPOINT, towards: 'newer', slot, at } as const;
    return mergeBatches([...batches, { steps: [{ slot, part: 0, at, deflated }], checkpoint }]);
  }
}
