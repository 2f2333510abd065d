import { formatError, type Logger } from '@tidegate/core/base';
import type { AccountKind } from '@tidegate/core/state';
import { backoffMs } from '../../chain/retry.ts';
import { CodedError } from '../../errors.ts';
import type { IndexerTiming } from './indexer-timing.ts';
import type { OnDemandWallets } from './on-demand-wallets.ts';
import type { ProgramSubscriptions } from './program-subscriptions.ts';
import type { ShareSubscriptions } from './share-subscriptions.ts';

export type ScanStatus = {
  /** Kinds of accounts that the source refuses to scan. */
  readonly refused: readonly AccountKind[];
  /** Time until they are tried again; undefined if nothing is refused. */
  readonly retryInMs: number | undefined;
};

type ScanRetryOptions = {
  readonly programs: ProgramSubscriptions;
  readonly shares: ShareSubscriptions;
  readonly wallets: OnDemandWallets;
  readonly timing: Pick<IndexerTiming, 'scanRetryMs' | 'maxScanRetryMs'>;
  readonly clock: () => number;
  readonly random: () => number;
  readonly log: Logger;
};

/** Tries scans again that the source refused, so that the server need not be restarted. */
export class ScanRetry {
  readonly #options: ScanRetryOptions;
  #attempts = 0;
  #nextAt: number | undefined;
  #isRunning = false;

  constructor(options: ScanRetryOptions) {
    this.#options = options;
  }

  status(): ScanStatus {
    const refused = this.#refused();
    const waiting = refused.length > 0 && this.#nextAt !== undefined;
    const retryInMs = waiting
      ? Math.max(0, (this.#nextAt ?? 0) - this.#options.clock())
      : undefined;
    return { refused, retryInMs };
  }

  /** Call it regularly after the first load. */
  tick(): void {
    if (this.#isRunning || this.#refused().length === 0) return;
    this.#nextAt ??= this.#nextTime();
    if (this.#options.clock() >= this.#nextAt) void this.#run();
  }

  #refused(): readonly AccountKind[] {
    const { programs, shares } = this.#options;
    return [...programs.refusedKinds, ...(shares.areScansRefused ? (['shares'] as const) : [])];
  }

  async #run(): Promise<void> {
    const { programs, shares, log } = this.#options;
    this.#isRunning = true;
    const before = this.#refused();
    await this.#attempt(() => programs.retryScans());
    if (!programs.areScansRefused) await this.#attempt(() => programs.retryUserScans());
    await this.#attempt(() => shares.retryScans());
    const refused = this.#refused();
    this.#isRunning = false;
    this.#attempts = refused.length < before.length ? 0 : this.#attempts + 1;
    this.#nextAt = this.#nextTime();
    if (refused.length < before.length) {
      log.info(
        { served: before.filter((kind) => !refused.includes(kind)), refused },
        'scans are served again',
      );
    }
  }

  async #attempt(retry: () => Promise<void>): Promise<void> {
    const { wallets, log } = this.#options;
    try {
      await retry();
    } catch (error) {
      if (!(error instanceof CodedError)) throw error;
      log.debug({ error: formatError(error) }, 'scans are still refused');
    }
    wallets.onScansServed();
  }

  #nextTime(): number {
    const { timing, clock, random } = this.#options;
    const { scanRetryMs: firstMs, maxScanRetryMs: maxMs } = timing;
    return clock() + backoffMs({ firstMs, maxMs, random }, this.#attempts);
  }
}
