import { CodedError, formatError, type Logger } from '@tidegate/core/base';
import type { ClusterState } from '@tidegate/core/state';
import type { ChainSource } from '../../chain/source/chain-source.ts';
import type { AccountSubscription } from './account-subscription.ts';
import type { IndexerTiming } from './indexer-timing.ts';
import type { ShareSubscriptions } from './share-subscriptions.ts';
import type { SlotEstimator } from './slot-estimator.ts';

type UpkeepOptions = {
  readonly source: ChainSource;
  readonly state: ClusterState;
  readonly slots: SlotEstimator;
  readonly tracks: readonly AccountSubscription[];
  readonly shares: ShareSubscriptions;
  readonly timing: IndexerTiming;
  readonly clock: () => number;
  readonly log: Logger;
};

/** Reading again may take one part in so many of the time. */
const CHECK_COST = 50;
/** Silence after which the cluster is asked where it is. */
const SILENT_MS = 2_000;

/** What is done now and then beside following: where the cluster is, how long its slots take, what was closed. */
export class StateMaintenance {
  readonly #options: UpkeepOptions;
  readonly #running = new Set<string>();
  #slotMsAt = Number.NEGATIVE_INFINITY;

  constructor(options: UpkeepOptions) {
    this.#options = options;
  }

  tick(): void {
    const { clock, slots, timing } = this.#options;
    if (slots.silentMs() > SILENT_MS) this.#once('slot', () => this.sampleSlot());
    if (clock() - this.#slotMsAt > timing.slotMsEveryMs) {
      this.#once('slot duration', () => this.sampleSlotMs());
    }
    this.#once('check', () => this.#checkNext());
  }

  async sampleSlot(): Promise<void> {
    const { source, slots } = this.#options;
    const { slot, unix } = await source.slotTime();
    slots.note(slot, unix);
  }

  async sampleSlotMs(): Promise<void> {
    const { source, state, slots, clock } = this.#options;
    const slotMs = await source.slotMs();
    this.#slotMsAt = clock();
    if (slotMs === undefined || slotMs.numerator <= 0n) return;
    state.setSlotMs(slotMs);
    slots.setSlotMs(slotMs);
  }

  /** A node does not tell of closed accounts of a program. */
  async #checkNext(): Promise<void> {
    const { shares, tracks, timing } = this.#options;
    const suspicious = shares.suspicious().find((track) => this.#isDue(track, timing.checkLoansMs));
    const due = [...tracks, ...shares.tracks].find((track) =>
      this.#isDue(
        track,
        track.tracked.kind === 'obligation' ? timing.checkLoansMs : timing.checkOthersMs,
      ),
    );
    const track = suspicious ?? due;
    if (track === undefined) return;
    await track.check(timing.waitMs);
    if (track.tracked.kind === 'shares') shares.noteChecked(track);
  }

  #isDue({ readAt, readMs }: AccountSubscription, leastMs: number): boolean {
    return this.#options.clock() - readAt >= Math.max(leastMs, CHECK_COST * readMs);
  }

  #once(name: string, work: () => Promise<void>): void {
    if (this.#running.has(name)) return;
    this.#running.add(name);
    work()
      .catch((error: unknown) => {
        if (!(error instanceof CodedError)) throw error;
        this.#options.log.debug({ work: name, error: formatError(error) }, 'upkeep failed');
      })
      .finally(() => this.#running.delete(name));
  }
}
