import { promisify } from 'node:util';
import type { ChainTime, Logger } from '@tidegate/core/base';
import { ClusterState } from '@tidegate/core/state';
import type { Step } from '@tidegate/localnet';
import type { History } from '../../history/open-history.ts';
import { RawStepCodec } from '../../history/raw/raw-step-codec.ts';
import type { Batch } from '../../history/writing/batch.ts';
import { HistoryWriter } from '../../history/writing/history-writer.ts';
import { joinBatches } from '../../history/writing/merge-batches.ts';
import type { Registry } from '../../registry/registry.ts';
import { EVENTS_CHECKPOINT } from '../events/event-follower.ts';
import { Recorder } from './history-recorder.ts';

const nextTurn = promisify(setImmediate);

/** Whoever samples has come so far under this name. */
export const SAMPLER = 'sampler';

type PlayWriterOptions = {
  readonly history: Pick<History, 'db'>;
  readonly registry: Registry;
  readonly log: Logger;
};

/** Writes down the past of a cluster while it is played, from its first step on. */
export class PlayWriter {
  readonly #writer: HistoryWriter;
  readonly #recorder: Recorder;
  /** As the last step left it. */
  readonly state: ClusterState;
  readonly #codec = new RawStepCodec();
  #appending: Promise<void> = Promise.resolve();

  constructor({ history, registry, log }: PlayWriterOptions) {
    this.#writer = new HistoryWriter(history.db);
    this.state = new ClusterState({ log });
    this.#recorder = new Recorder({ state: this.state, registry });
  }

  /** Rows are made while those of before are written. */
  async write(steps: readonly Step[]): Promise<void> {
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

  async #batchOf(steps: readonly Step[], { slot, unix: at }: ChainTime): Promise<Batch> {
    const batches: Batch[] = [];
    const relevant: Step[] = [];
    for (const step of steps) {
      batches.push(this.#recorder.record(step));
      relevant.push(this.#recorder.relevant(step));
      // what is being written asks for its next statement meanwhile
      await nextTurn();
    }
    const deflated = this.#codec.encode(relevant);
    const checkpoint = { name: SAMPLER, towards: 'newer', slot, at } as const;
    return joinBatches([...batches, { steps: [{ slot, part: 0, at, deflated }], checkpoint }]);
  }
}
