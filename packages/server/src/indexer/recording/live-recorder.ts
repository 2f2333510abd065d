import {
  type Address,
  type ChainTime,
  formatError,
  type RawAccount,
  type Slot,
  toSlot,
  type UnixSeconds,
} from '@tidegate/core/base';
import type { StakePool } from '@tidegate/core/protocol/spl';
import { SAMPLER_CHECKPOINT, SAMPLES_SINCE_CHECKPOINT } from '../../history/checkpoint-names.ts';
import { readCheckpoint } from '../../history/queries/checkpoints.ts';
import { createHistoryReader } from '../../history/queries/history-reader.ts';
import type { Batch, Checkpoint, Gap } from '../../history/writing/batch.ts';
import { HistoryWriter } from '../../history/writing/history-writer.ts';
import { mergeBatches } from '../../history/writing/merge-batches.ts';
import type { RolledBackSlots } from '../follow/rolled-back-slots.ts';
import { FirstPass } from './first-pass.ts';
import { HistoryMaintenance } from './history-maintenance.ts';
import { HistoryRecorder } from './history-recorder.ts';
import type { LiveRecorderOptions } from './live-recorder-options.ts';
import { positionsIn } from './positions-in.ts';
import { RawStepBuffer } from './raw-step-buffer.ts';
import { readRecorderCheckpoint } from './recorder-checkpoint.ts';
import { isSampleDue, minutesBetween } from './sample-minutes.ts';
import { WriteQueue } from './write-queue.ts';

/** The mint of its token, and the account of the pool. */
export type StakePoolAccount = readonly [mint: Address, pool: RawAccount];

/** Most holdings per batch: the first load of a large cluster has many. */
const HOLDINGS_PER_BATCH = 5_000;
/** Batches that may wait before the first pass continues. */
const MAX_WAITING = 4;
/** A pause between slots that is longer than this is recorded as a gap. */
const MAX_SILENCE_MS = 90_000;

/** Records a followed cluster: position changes per slot, and a sample per minute of chain time. */
export class LiveRecorder {
  readonly #options: LiveRecorderOptions;
  readonly #writer: HistoryWriter;
  readonly #queue: WriteQueue;
  readonly #maintenance: HistoryMaintenance;
  readonly #steps = new RawStepBuffer();
  #recorder: HistoryRecorder | undefined;
  /** Time of the last sample, including those before a restart. */
  #sampledAt: UnixSeconds | undefined;
  /** Epoch milliseconds of the last write. */
  #writtenAt: number | undefined;
  /** Whether the next slot is the first one since the start or a rollback. */
  #isFirst = true;
  /** The accounts that state has at the first slot. Until it is done, nothing is sampled. */
  #firstPass: FirstPass | undefined;
  /** Whether an account is recorded because state has it, which changes no balance. */
  #isPassing = false;
  #lastSlotAt = 0;
  #lastSlot = toSlot(0n);
  /** Rollbacks so far, and the newest slot that was recorded before the last one. */
  #rollBacks = 0;
  #undoneUpTo = toSlot(0n);
  #isRollingBack = false;
  #stakePoolAccounts: readonly StakePoolAccount[] = [];

  constructor(options: LiveRecorderOptions) {
    this.#options = options;
    this.#writer = new HistoryWriter(options.history.db);
    const onWritten = () => {
      this.#writtenAt = options.clock();
    };
    this.#queue = new WriteQueue({ ...options, writer: this.#writer, onWritten });
    this.#maintenance = new HistoryMaintenance(options);
  }

  /** Resumes from the stored rows, with the accounts that state has. */
  async start(): Promise<void> {
    await this.#resume(this.#rollBacks);
    await this.#readStakePools();
  }

  /** Does nothing if there was another rollback in the meantime: that one resumes. */
  async #resume(rollBacks: number): Promise<void> {
    const { history, state, registry, ownerIndex } = this.#options;
    const sampler = await readCheckpoint(history.db, SAMPLER_CHECKPOINT);
    const resumeFrom = await readRecorderCheckpoint(createHistoryReader(history.db), state);
    if (rollBacks !== this.#rollBacks) return;
    const onShareBalance = (account: Address) => {
      if (!this.#isPassing) this.#options.onShareBalance(account);
    };
    const options = { state, registry, resumeFrom, ownerIndex, onShareBalance };
    this.#recorder = new HistoryRecorder(options);
    this.#sampledAt = sampler?.unix;
    this.#isFirst = true;
    this.#firstPass?.stop();
    this.#firstPass = undefined;
    for (const [mint, pool] of this.#stakePoolAccounts) this.#recorder.setStakePool(mint, pool);
    this.#isRollingBack = false;
  }

  /** Deletes what was recorded of slots that the cluster has rolled back, and resumes with the next slot. */
  onRollBack({ oldest, newest }: RolledBackSlots): void {
    // it was announced before
    if (newest <= this.#undoneUpTo) return;
    this.#undoneUpTo = newest > this.#lastSlot ? newest : this.#lastSlot;
    this.#isRollingBack = true;
    this.#rollBacks += 1;
    const rollBacks = this.#rollBacks;
    this.#queue.enqueue(() => this.#undo(oldest, rollBacks));
  }

  async #undo(oldest: Slot, rollBacks: number): Promise<void> {
    const { source, log } = this.#options;
    const finalized = await source.ledger.getFinalizedSlot();
    const last = finalized < oldest ? finalized : toSlot(oldest - 1n);
    await this.#writer.removeAfter(last);
    this.#steps.removeAfter(last);
    this.#options.onStatesRemoved?.(last);
    await this.#resume(rollBacks);
    log.warn({ last }, 'slots after this one were rolled back, and are recorded again');
  }

  /** `waiting`: batches that are not written yet. */
  status(): {
    readonly sampledAt: UnixSeconds | undefined;
    readonly writtenAt: number | undefined;
    readonly waiting: number;
  } {
    const [sampledAt, writtenAt] = [this.#sampledAt, this.#writtenAt];
    return { sampledAt, writtenAt, waiting: this.#queue.waiting };
  }

  /** By token mint. */
  stakePools(): ReadonlyMap<Address, StakePool> {
    return this.#recorder?.stakePools ?? new Map();
  }

  /** As last read; the same list until they are read again. */
  stakePoolAccounts(): readonly StakePoolAccount[] {
    return this.#stakePoolAccounts;
  }

  /** Call it when an account has changed in state. */
  onAccount(address: Address, account: RawAccount | undefined): void {
    // what state has at the first slot is passed on then
    if (this.#firstPass !== undefined || !this.#isFirst) this.#record(address, account);
  }

  /** Call it when state is complete for a slot. */
  onSlot(at: ChainTime): void {
    const recorder = this.#recorder;
    this.#lastSlot = at.slot;
    // while writes fail, changes accumulate in the recorder instead of the queue
    if (recorder === undefined || this.#isRollingBack || this.#queue.isFull) return;
    if (this.#isFirst && !this.#passAccounts(recorder, at)) return;
    if (this.#isFirst && this.#options.hasAllPositions()) recorder.removeUnseen();
    if (this.#sampledAt === undefined) this.#queue.push({ checkpoint: oldestSample(at) });
    const gaps = this.#gapBefore(at);
    const isFirst = this.#isFirst;
    this.#isFirst = false;
    this.#lastSlotAt = this.#options.clock();
    const batches: Batch[] = [recorder.drainPositions(at), this.#drainHoldings(recorder, at)];
    const isDue = this.#isDue(at);
    this.#steps.endSlot(at, isDue ? 'sampled' : undefined);
    if (isDue) {
      batches.push(recorder.sample(at, 'minute'), { gaps }, { steps: this.#steps.drainRows(at) });
      batches.push({
        checkpoint: { name: SAMPLER_CHECKPOINT, direction: 'newer', slot: at.slot, at: at.unix },
      });
      this.#sampledAt = at.unix;
      void this.#readStakePools();
      this.#maintenance.tick(at.unix);
    }
    const batch = mergeBatches(batches);
    this.#options.onPositions?.(positionsIn(batch), at.slot);
    if (hasRows(batch)) this.#queue.push(batch);
    if (isFirst) this.#queue.enqueue(async () => this.#options.onBalancesStored?.(at));
    this.#noteStored(at);
  }

  #noteStored(at: ChainTime): void {
    const { onStatesStored } = this.#options;
    if (onStatesStored === undefined) return;
    if (this.#queue.waiting === 0) onStatesStored(at);
    else {
      const rollBacks = this.#rollBacks;
      this.#queue.enqueue(async () => {
        if (rollBacks === this.#rollBacks) onStatesStored(at);
      });
    }
  }

  shareAccountsOf = (wallet: Address, mint: Address): readonly Address[] =>
    this.#recorder?.shareAccountsOf(wallet, mint) ?? [];

  #record(address: Address, account: RawAccount | undefined): void {
    this.#recorder?.onAccount(address, account);
    this.#steps.set(address, account);
  }

  /** Records some of the accounts that state has. Returns whether all are recorded. */
  #passAccounts(recorder: HistoryRecorder, at: ChainTime): boolean {
    this.#firstPass ??= new FirstPass({
      state: this.#options.state,
      hasRoom: () => this.#queue.waiting < MAX_WAITING,
      onAccount: (address, account) => {
        this.#isPassing = true;
        this.#record(address, account);
        this.#isPassing = false;
      },
    });
    if (this.#firstPass.isDone) {
      this.#firstPass = undefined;
      return true;
    }
    this.#firstPass.onSlot();
    this.#steps.endSlot(at, 'partial');
    const batch = mergeBatches([recorder.drainPositions(at), { steps: this.#steps.drainRows(at) }]);
    this.#options.onPositions?.(positionsIn(batch), at.slot);
    if (hasRows(batch)) this.#queue.push(batch);
    return false;
  }

  /** Returns the last part of the holdings that changed; the others are queued. */
  #drainHoldings(recorder: HistoryRecorder, at: ChainTime): Batch {
    const vaultHoldings = recorder.drainHoldings(at);
    const last = Math.max(0, vaultHoldings.length - HOLDINGS_PER_BATCH);
    for (let start = 0; start < last; start += HOLDINGS_PER_BATCH) {
      const end = Math.min(start + HOLDINGS_PER_BATCH, last);
      const part = { vaultHoldings: vaultHoldings.slice(start, end) };
      this.#options.onPositions?.(positionsIn(part), at.slot);
      this.#queue.push(part);
    }
    return { vaultHoldings: vaultHoldings.slice(last) };
  }

  async stop(): Promise<void> {
    this.#firstPass?.stop();
    await this.#queue.stop();
    await this.#maintenance.stop();
  }

  #isDue({ unix }: ChainTime): boolean {
    return this.#isFirst || isSampleDue(unix, this.#sampledAt);
  }

  /** The gap since the last sample, if the recorder was not running or received no slots. */
  #gapBefore({ unix }: ChainTime): readonly Gap[] {
    const since = this.#sampledAt;
    if (since === undefined || minutesBetween(since, unix) <= 1n) return [];
    const isSilent = this.#isFirst || this.#options.clock() - this.#lastSlotAt > MAX_SILENCE_MS;
    return isSilent ? [{ name: SAMPLER_CHECKPOINT, since, until: unix }] : [];
  }

  async #readStakePools(): Promise<void> {
    const { source, registry, log } = this.#options;
    const pools = [...registry.stakePools];
    if (pools.length === 0) return;
    try {
      const { accounts } = await source.getAccounts(pools.map(([, pool]) => pool));
      for (const [index, [mint, pool]] of pools.entries()) {
        const account = accounts[index];
        if (account === undefined) continue;
        this.#recorder?.setStakePool(mint, account);
        this.#steps.set(pool, account);
      }
      this.#stakePoolAccounts = pools.flatMap(([mint], index): StakePoolAccount[] => {
        const account = accounts[index];
        return account === undefined ? [] : [[mint, account]];
      });
    } catch (error) {
      log.warn({ reason: formatError(error) }, 'stake pools were not read');
    }
  }
}

const oldestSample = ({ slot, unix: at }: ChainTime): Checkpoint => ({
  name: SAMPLES_SINCE_CHECKPOINT,
  direction: 'older',
  slot,
  at,
});

const hasRows = ({ checkpoint, ...lists }: Batch): boolean =>
  checkpoint !== undefined || Object.values(lists).some((rows) => rows.length > 0);
