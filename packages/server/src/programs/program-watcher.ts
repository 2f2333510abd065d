import { formatError, type Logger, type Slot } from '@tidegate/core/base';
import type { DeployedProgram, RunningRelease } from '@tidegate/core/protocol/releases';
import { sleepUnlessAborted } from '../chain/retry.ts';
import type { AccountUpdate, ChainSource, Subscription } from '../chain/source/chain-source.ts';
import {
  type ClusterPrograms,
  isOtherExecutable,
  NO_PROGRAMS,
  unknownSince,
  withEarlierReleases,
  withProgram,
} from './cluster-programs.ts';
import {
  parseProgram,
  programsOfCluster,
  readDeploySlots,
  readProgramData,
  type WatchedProgram,
} from './read-programs.ts';

export type ProgramWatcherOptions = {
  readonly source: Pick<ChainSource, 'getAccounts' | 'subscribe'>;
  readonly cluster: string;
  /** Releases that were seen before this process started. */
  readonly readEarlier?: (() => Promise<readonly RunningRelease[]>) | undefined;
  /** Called after each change. */
  readonly onChange: (programs: ClusterPrograms) => void;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
  readonly log: Logger;
  readonly timing?: Partial<ProgramTiming> | undefined;
};

export type ProgramTiming = {
  /** Between two reads of the headers if no endpoint sends updates. */
  readonly pollMs: number;
  /** Between two reads of the whole programs. */
  readonly readMs: number;
  readonly retryMs: number;
};

const DEFAULT_TIMING: ProgramTiming = { pollMs: 60_000, readMs: 86_400_000, retryMs: 10_000 };

/** Follows the program data accounts of a cluster: reads them at the start, after each upgrade, and once a day. */
export class ProgramWatcher {
  readonly #options: ProgramWatcherOptions;
  readonly #timing: ProgramTiming;
  readonly #watched: readonly WatchedProgram[];
  /** Of the last read or update, by program. */
  readonly #slots = new Map<WatchedProgram, Slot>();
  readonly #stopping = new AbortController();
  #subscription: Subscription | undefined;
  #programs = NO_PROGRAMS;
  #wake = new AbortController();
  #running: Promise<void> | undefined;
  #isSubscribed = false;
  #hasEarlier = false;
  /** Updates may have been missed. */
  #isGap = false;
  #readAt = Number.NEGATIVE_INFINITY;

  constructor(options: ProgramWatcherOptions) {
    this.#options = options;
    this.#timing = { ...DEFAULT_TIMING, ...options.timing };
    this.#watched = programsOfCluster(options.cluster);
  }

  programs(): ClusterPrograms {
    return this.#programs;
  }

  start(): void {
    if (this.#stopping.signal.aborted) return;
    this.#running ??= this.#run();
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#wake.abort();
    this.#subscription?.stop();
    await this.#running;
  }

  async #run(): Promise<void> {
    await this.#subscribe();
    const { retryMs, pollMs } = this.#timing;
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      // a gap that is found during the read ends the pause after it
      this.#wake = new AbortController();
      await this.#tryReadEarlier();
      const isRead = await this.#tryRead();
      if (!signal.aborted) await sleepUnlessAborted(isRead ? pollMs : retryMs, this.#wake.signal);
    }
  }

  async #subscribe(): Promise<void> {
    const { source, log } = this.#options;
    const addresses = this.#watched.map(({ programData }) => programData);
    this.#subscription = source.subscribe(
      { kind: 'accounts', addresses, isLarge: true },
      {
        onAccount: (update) => this.#onAccount(update),
        onSlot: () => undefined,
        onGap: () => this.#onGap(),
      },
    );
    try {
      await this.#subscription.ready;
      this.#isSubscribed = true;
    } catch (error) {
      if (this.#stopping.signal.aborted) return;
      log.warn({ error: formatError(error) }, 'upgrades of programs are found by polling');
    }
  }

  #onAccount(update: AccountUpdate): void {
    const watched = this.#watched.find(({ programData }) => programData === update.address);
    if (watched !== undefined) this.#apply(watched, update);
  }

  #onGap(): void {
    this.#isGap = true;
    this.#wake.abort();
  }

  /** A history that cannot be read does not delay the rest. */
  async #tryReadEarlier(): Promise<void> {
    const { readEarlier, onChange, log } = this.#options;
    if (this.#hasEarlier || readEarlier === undefined) return;
    try {
      const programs = withEarlierReleases(this.#programs, await readEarlier());
      this.#hasEarlier = true;
      if (programs === this.#programs) return;
      this.#programs = programs;
      onChange(programs);
    } catch (error) {
      log.debug({ error: formatError(error) }, 'earlier releases were not read');
    }
  }

  /** Whether nothing is left to read. */
  async #tryRead(): Promise<boolean> {
    const { clock, log } = this.#options;
    const startedAt = clock();
    const isDue = startedAt - this.#readAt >= this.#timing.readMs;
    const sendsUpdates = this.#isSubscribed && (this.#subscription?.sendsUpdates?.() ?? true);
    if (!isDue && !this.#isGap && sendsUpdates) return true;
    try {
      if (this.#isGap) this.#slots.clear();
      this.#isGap = false;
      await this.#read(isDue);
      if (isDue) this.#readAt = startedAt;
      return true;
    } catch (error) {
      if (this.#stopping.signal.aborted) return true;
      this.#isGap = true;
      log.debug({ error: formatError(error) }, 'programs were not read');
      return false;
    }
  }

  async #read(isComplete: boolean): Promise<void> {
    const { source } = this.#options;
    const deploySlots = await readDeploySlots(source, this.#watched);
    for (const [watched, deploySlot] of deploySlots) {
      const known = this.#deployed(watched);
      if (!isComplete && known?.deploySlot === deploySlot) continue;
      this.#apply(watched, await readProgramData(source, watched));
      this.#stopping.signal.throwIfAborted();
    }
  }

  #deployed({ program }: WatchedProgram): DeployedProgram | undefined {
    return this.#programs.deployed.find((each) => each.program === program);
  }

  /** The newest slot wins. */
  #apply(watched: WatchedProgram, update: AccountUpdate): void {
    const known = this.#slots.get(watched);
    if (known !== undefined && update.slot < known) return;
    this.#slots.set(watched, update.slot);
    const found = parseProgram(watched, update, this.#options);
    if (found === undefined) return;
    const before = this.#deployed(watched);
    if (before !== undefined && isSame(before, found)) return;
    this.#programs = withProgram(this.#programs, found);
    this.#report(before, found);
    this.#options.onChange(this.#programs);
  }

  #report(before: DeployedProgram | undefined, found: DeployedProgram): void {
    const { log } = this.#options;
    const { program, deploySlot, hash, release } = found;
    const details = {
      program,
      deploySlot,
      hash,
      release: release?.version,
      unknownSince: unknownSince(found),
    };
    if (before === undefined) log.info(details, 'a program was read');
    else if (isOtherExecutable(before, found)) {
      const previous = { release: before.release?.version, deploySlot: before.deploySlot };
      log.warn({ ...details, before: previous }, 'a program was upgraded');
    }
  }
}

const isSame = (a: DeployedProgram, b: DeployedProgram): boolean =>
  !isOtherExecutable(a, b) && a.authority === b.authority && a.size === b.size;
