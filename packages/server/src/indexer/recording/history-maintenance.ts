import { formatError, type Logger, toUnixSeconds, type UnixSeconds } from '@tidegate/core/base';
import { hasCode } from '../../errors.ts';
import type { History } from '../../history/open-history.ts';
import { pruneRaw, vacuumRaw } from '../../history/raw/prune-raw.ts';
import { maintainPartitions } from '../../history/writing/partitions.ts';

export type HistoryMaintenanceOptions = {
  readonly history: History;
  /** Minute samples are deleted after this long. */
  readonly minuteRetentionDays: number;
  /** Raw accounts and transactions are pruned after this long; never if 0. */
  readonly rawRetentionDays: number;
  readonly log: Logger;
};

const INTERVAL_SECONDS = 3_600n;
const DAY_SECONDS = 86_400n;
/** Most prune steps per run. An hour adds about three steps' worth of rows, so a backlog shrinks gradually. */
const MAX_PRUNE_STEPS = 24;

/** Periodic maintenance of the history database, timed by the chain's clock. */
export class HistoryMaintenance {
  readonly #options: HistoryMaintenanceOptions;
  #lastRunAt = 0n;
  #running: Promise<void> | undefined;
  #isStopped = false;

  constructor(options: HistoryMaintenanceOptions) {
    this.#options = options;
  }

  /** Call it often; it runs once per interval. */
  tick(now: UnixSeconds): void {
    if (now - this.#lastRunAt < INTERVAL_SECONDS || this.#running !== undefined) return;
    this.#lastRunAt = now;
    const { log } = this.#options;
    this.#running = this.run(now)
      .catch((error: unknown) => {
        if (hasCode(error, 'HISTORY_UNAVAILABLE')) this.#lastRunAt = 0n;
        else log.warn({ reason: formatError(error) }, 'history maintenance failed');
      })
      .finally(() => {
        this.#running = undefined;
      });
  }

  /** Creates partitions for the coming minutes and deletes what is too old. */
  async run(now: UnixSeconds): Promise<void> {
    const { history, minuteRetentionDays } = this.#options;
    const retentionSeconds = BigInt(minuteRetentionDays) * DAY_SECONDS;
    await maintainPartitions(history.db, { now, retentionSeconds });
    await this.#pruneRaw(now);
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#running;
  }

  async #pruneRaw(now: UnixSeconds): Promise<void> {
    const { history, rawRetentionDays } = this.#options;
    if (rawRetentionDays === 0) return;
    const oldest = toUnixSeconds(now - BigInt(rawRetentionDays) * DAY_SECONDS);
    let steps = 0;
    while (steps < MAX_PRUNE_STEPS && !this.#isStopped && (await pruneRaw(history.db, oldest))) {
      steps += 1;
    }
    if (steps > 0) await vacuumRaw(history);
  }
}
