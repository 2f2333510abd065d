import type { ClusterName } from '../clusters/served-clusters.ts';
import type { FeedSnapshot, FeedSource } from '../feed/feed-transport.ts';
import type { LimitCounters } from '../http/limits/limit-counters.ts';
import type { ProcessChannel } from './process-channel.ts';
import type { PrimaryRequests, WorkerRequests } from './worker-requests.ts';

/** A worker's connection to the primary process. */
export type PrimaryChannel = ProcessChannel<PrimaryRequests, WorkerRequests>;

/** The feed of a cluster that the primary process follows. */
export const openPrimaryFeed = (channel: PrimaryChannel, env: ClusterName): FeedSource => ({
  name: 'local',
  async openSnapshot() {
    const opened = await channel.request('openSnapshot', { env });
    return opened && new PrimarySnapshot(channel, opened);
  },
  read: (after) => channel.request('readFeed', { env, after }),
  request: async (id, request) => void (await channel.request('feedRequest', { env, id, request })),
  close: () => undefined,
});

class PrimarySnapshot implements FeedSnapshot {
  readonly position: number;
  readonly #channel: PrimaryChannel;
  readonly #id: number;
  #completeAt: number;

  constructor(channel: PrimaryChannel, { id, position }: { id: number; position: number }) {
    this.#channel = channel;
    this.#id = id;
    this.position = position;
    this.#completeAt = position;
  }

  get completeAt(): number {
    return this.#completeAt;
  }

  /** The primary process has sent the message that completes the snapshot just now. */
  newestPosition = async (): Promise<number> => this.#completeAt - 1;

  async *chunks(): AsyncIterable<Uint8Array> {
    for (;;) {
      const chunk = await this.#channel.request('nextChunk', { id: this.#id });
      if ('completeAt' in chunk) {
        this.#completeAt = chunk.completeAt;
        return;
      }
      yield chunk.bytes;
    }
  }
}

/** The units that the primary process counts for all workers. */
export const primaryCounters = (channel: PrimaryChannel): LimitCounters => ({
  charge: (charge) => channel.request('charge', charge),
});
