import { formatError, type Logger, toUnixSeconds, type UnixSeconds } from '@tidegate/core/base';
import type { History } from '../../history/open-history.ts';
import { pruneRaw, vacuumRaw } from '../../history/raw/prune-raw.ts';
import { maintainPartitions } from '../../history/writing/partitions.ts';

export type HistoryMaintenanceOptions = {
  readonly history: History;
  /** Minutes are dropped after so long. */
  readonly minutesDays: number;
  /** And so is what was kept as it came; never, if it is 0. */
  readonly rawDays: number;
  readonly log: Logger;
};

const EVERY_SECONDS = 3_600n;
const DAY_SECONDS = 86_400n;
/** An hour brings three turns of what a minute adds; who has much to drop does it little by little. */
const TURNS = 24;

/** What is done now and then beside recording, by the clock of the chain. */
export class HistoryMaintenance {
  readonly #options: HistoryMaintenanceOptions;
  #doneAt = 0n;
  #running: Promise<void> | undefined;
  #isStopped = false;

  constructor(options: HistoryMaintenanceOptions) {
    this.#options = options;
  }

  /** To be called often. */
  look(now: UnixSeconds): void {
    if (now - this.#doneAt < EVERY_SECONDS || this.#running !== undefined) return;
    this.#doneAt = now;
    const { log } = this.#options;
    this.#running = this.run(now)
      .catch((error: unknown) =>
        log.warn({ reason: formatError(error) }, 'history was not kept up'),
      )
      .finally(() => {
        this.#running = undefined;
      });
  }

  /** Parts of the minutes to come are made, and what is too old is dropped. */
  async run(now: UnixSeconds): Promise<void> {
    const { history, minutesDays } = this.#options;
    await maintainPartitions(history.db, { now, keptSeconds: BigInt(minutesDays) * DAY_SECONDS });
    await this.#dropRaw(now);
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#running;
  }

  async #dropRaw(now: UnixSeconds): Promise<void> {
    const { history, rawDays } = this.#options;
    if (rawDays === 0) return;
    const oldest = toUnixSeconds(now - BigInt(rawDays) * DAY_SECONDS);
    let turns = 0;
    while (turns < TURNS && !this.#isStopped && (await pruneRaw(history.db, oldest))) turns += 1;
    if (turns > 0) await vacuumRaw(history);
  }
}
