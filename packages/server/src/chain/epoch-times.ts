import {
  type EpochSchedule,
  epochOfSlot,
  epochSlots,
  formatError,
  type Slot,
  toSlot,
  type UnixSeconds,
} from '@tidegate/core/base';
import type { LedgerReader } from './source/ledger-reader.ts';

type EpochLedger = Pick<
  LedgerReader,
  'getEpochSchedule' | 'listBlocks' | 'getBlockTime' | 'getFirstAvailableSlot' | 'getFinalizedSlot'
>;

type EpochTimesOptions = {
  readonly ledger: EpochLedger;
  /** How long a request waits for times that are not loaded yet. */
  readonly waitMs?: number;
  /** How long a failed load is not repeated. */
  readonly retryMs?: number;
};

/** A finished epoch, with the times of its first and its last block. */
type FinishedEpoch = {
  readonly epoch: bigint;
  readonly first: Slot;
  readonly last: Slot;
  readonly startedAt: UnixSeconds;
  readonly endedAt: UnixSeconds;
};

/** Epochs without times, from `first` to `last`, with the reason. */
type MissingEpochs = {
  readonly first: bigint;
  readonly last: bigint;
  readonly reason: string;
};

type EpochList = {
  /** Ascending. */
  readonly epochs: readonly FinishedEpoch[];
  readonly missing: readonly MissingEpochs[];
};

/** The first or last block of an epoch is searched in this many slots. */
const SEARCHED_SLOTS = 1_000n;

const LOADING = 'its times are being loaded';

/**
 * Block times of finished epochs, which never change. A request starts to load those that are not known, the newest
 * first, and gets those that are known by then. Loading ends when the source is closed.
 */
export class EpochTimes {
  readonly #options: Required<EpochTimesOptions>;
  readonly #known = new Map<bigint, FinishedEpoch>();
  /** Why the times of an epoch are unknown. */
  readonly #reasons = new Map<bigint, string>();
  #schedule: EpochSchedule | undefined;
  #loading: Promise<void> | undefined;
  #retryAt = 0;

  constructor(options: EpochTimesOptions) {
    this.#options = { waitMs: 2_000, retryMs: 60_000, ...options };
  }

  /** All epochs that finished before the slot. Throws the error of the source if it does not return the schedule. */
  async list(slot: Slot): Promise<EpochList> {
    this.#schedule ??= await this.#options.ledger.getEpochSchedule();
    const schedule = this.#schedule;
    const finished = epochOfSlot(schedule, slot);
    if (BigInt(this.#known.size) < finished) await this.#waitForLoad(schedule);
    const epochs: FinishedEpoch[] = [];
    const missing: MissingEpochs[] = [];
    for (let epoch = 0n; epoch < finished; epoch += 1n) {
      const known = this.#known.get(epoch);
      if (known !== undefined) epochs.push(known);
      else addMissing(missing, epoch, this.#reasons.get(epoch) ?? LOADING);
    }
    return { epochs, missing };
  }

  async #waitForLoad(schedule: EpochSchedule): Promise<void> {
    const { waitMs, retryMs } = this.#options;
    if (this.#loading === undefined && performance.now() < this.#retryAt) return;
    this.#loading ??= this.#load(schedule).finally(() => {
      this.#loading = undefined;
      this.#retryAt = performance.now() + retryMs;
    });
    let timer: NodeJS.Timeout | undefined;
    const waited = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, waitMs);
    });
    await Promise.race([this.#loading, waited]).finally(() => clearTimeout(timer));
  }

  async #load(schedule: EpochSchedule): Promise<void> {
    const { ledger } = this.#options;
    let epoch = 0n;
    try {
      const firstAvailable = await ledger.getFirstAvailableSlot();
      epoch = epochOfSlot(schedule, await ledger.getFinalizedSlot()) - 1n;
      for (; epoch >= 0n; epoch -= 1n) {
        if (this.#known.has(epoch)) continue;
        if (epochSlots(schedule, epoch).first < firstAvailable) {
          this.#setReasons(epoch, `the node has no blocks before slot ${firstAvailable}`);
          return;
        }
        await this.#loadEpoch(schedule, epoch);
      }
    } catch (error) {
      this.#setReasons(epoch, `the node did not return it: ${formatError(error)}`);
    }
  }

  /** For the epoch and all before it that are unknown. */
  #setReasons(newest: bigint, reason: string): void {
    for (let epoch = newest; epoch >= 0n; epoch -= 1n) this.#reasons.set(epoch, reason);
  }

  async #loadEpoch(schedule: EpochSchedule, epoch: bigint): Promise<void> {
    const { ledger } = this.#options;
    const { first, last } = epochSlots(schedule, epoch);
    const afterFirst = toSlot(min(first + SEARCHED_SLOTS - 1n, last));
    const beforeLast = toSlot(max(last - SEARCHED_SLOTS + 1n, first));
    const [firstBlock] = await ledger.listBlocks(first, afterFirst);
    const lastBlock = (await ledger.listBlocks(beforeLast, last)).at(-1);
    const startedAt = firstBlock === undefined ? undefined : await ledger.getBlockTime(firstBlock);
    const endedAt = lastBlock === undefined ? undefined : await ledger.getBlockTime(lastBlock);
    if (startedAt === undefined || endedAt === undefined) {
      this.#reasons.set(epoch, 'the node has no time of its first or last block');
    } else this.#known.set(epoch, { epoch, first, last, startedAt, endedAt });
  }
}

const min = (a: bigint, b: bigint): bigint => (a < b ? a : b);
const max = (a: bigint, b: bigint): bigint => (a > b ? a : b);

/** Extends the last range if it has the same reason. */
function addMissing(missing: MissingEpochs[], epoch: bigint, reason: string): void {
  const before = missing.at(-1);
  const isNext = before?.last === epoch - 1n && before.reason === reason;
  if (before !== undefined && isNext) missing[missing.length - 1] = { ...before, last: epoch };
  else missing.push({ first: epoch, last: epoch, reason });
}
