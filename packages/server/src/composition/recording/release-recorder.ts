import { formatError, type Logger } from '@tidegate/core/base';
import type { History } from '../../history/open-history.ts';
import { storeRunningReleases } from '../../history/releases/running-releases.ts';
import type { ClusterPrograms } from '../../programs/cluster-programs.ts';

type ReleaseRecorderOptions = {
  readonly history: Pick<History, 'db'>;
  readonly programs: () => ClusterPrograms;
  readonly log: Logger;
};

/** Stores which releases run, so that a later process computes the past by the rules of its time. */
export class ReleaseRecorder {
  readonly #options: ReleaseRecorderOptions;
  #stored: ClusterPrograms['releases'] = [];
  #storing: Promise<void> | undefined;

  constructor(options: ReleaseRecorderOptions) {
    this.#options = options;
  }

  /** Call it after each slot. After a failure the next slot tries again. */
  onSlot(): void {
    this.#storing ??= this.#store().finally(() => {
      this.#storing = undefined;
    });
  }

  async stop(): Promise<void> {
    await this.#storing;
  }

  async #store(): Promise<void> {
    const { history, programs, log } = this.#options;
    const { releases } = programs();
    if (releases === this.#stored) return;
    try {
      await storeRunningReleases(history.db, releases);
      this.#stored = releases;
    } catch (error) {
      log.debug({ reason: formatError(error) }, 'running releases were not stored');
    }
  }
}
