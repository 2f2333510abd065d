import {
  type Address,
  type ChainTime,
  formatError,
  type Logger,
  type RawAccount,
  toUnixSeconds,
  type UnixSeconds,
} from '@tidegate/core/base';
import type { ClusterState } from '@tidegate/core/state';
import type { ChainSource } from '../../chain/source/chain-source.ts';
import type { History } from '../../history/open-history.ts';
import { readCheckpoint } from '../../history/queries/checkpoints.ts';
import { createHistoryReader } from '../../history/queries/history-reader.ts';
import { type RawStep, RawStepCodec } from '../../history/raw/raw-step-codec.ts';
import type { StepInput } from '../../history/schema/event-tables.ts';
import type { Batch, Gap } from '../../history/writing/batch.ts';
import { HistoryWriter } from '../../history/writing/history-writer.ts';
import { mergeBatches } from '../../history/writing/merge-batches.ts';
import type { Registry } from '../../registry/registry.ts';
import type { OwnerIndex } from '../events/owner-index.ts';
import { HistoryMaintenance } from './history-maintenance.ts';
import { HistoryRecorder } from './history-recorder.ts';
import { readRecorderCheckpoint } from './recorder-checkpoint.ts';
import { SAMPLER_CHECKPOINT } from './simulation-history-writer.ts';
import { WriteQueue } from './write-queue.ts';

export type LiveRecorderOptions = {
  readonly history: History;
  readonly state: ClusterState;
  readonly source: Pick<ChainSource, 'accounts'>;
  readonly registry: Registry;
  readonly facts: OwnerIndex;
  /** After the first load: a token account holds more or fewer shares than before. */
  readonly onShares: (account: Address) => void;
  /** Whether state holds every loan and stake, so that one that is missing was closed. */
  readonly seesAll: boolean;
  /** So much of it is kept. */
  readonly minutesDays: number;
  readonly rawDays: number;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
  readonly log: Logger;
};

const MINUTE = 60n;
/** So many accounts are kept in one row: the first look at a large cluster sees hundreds of thousands. */
const AT_ONCE = 2_000;
/** Who hears nothing for so long has missed something. */
const SILENCE_MS = 90_000;

/** Writes down a cluster that is followed: positions slot by slot, and a sample at each minute of its time. */
export class LiveRecorder {
  readonly #options: LiveRecorderOptions;
  readonly #queue: WriteQueue;
  readonly #codec = new RawStepCodec();
  readonly #upkeep: HistoryMaintenance;
  /** Since the last sample: slots, and what changed in the one that is open. */
  #steps: RawStep[] = [];
  #changes = new Map<Address, RawAccount | undefined>();
  #recorder: HistoryRecorder | undefined;
  /** Of the last sample, here or before the start. */
  #sampledAt: UnixSeconds | undefined;
  #isFirst = true;
  #heardAt = 0;

  constructor(options: LiveRecorderOptions) {
    this.#options = options;
    const writer = new HistoryWriter(options.history.db);
    this.#queue = new WriteQueue({ writer, log: options.log });
    this.#upkeep = new HistoryMaintenance(options);
  }

  /** Goes on from what is kept. To be awaited before state is loaded. */
  async start(): Promise<void> {
    const { history, state, registry, facts } = this.#options;
    const books = await readRecorderCheckpoint(createHistoryReader(history.db), state);
    const onShares = (account: Address) => {
      if (!this.#isFirst) this.#options.onShares(account);
    };
    this.#recorder = new HistoryRecorder({ state, registry, books, facts, onShares });
    this.#sampledAt = (await readCheckpoint(history.db, SAMPLER_CHECKPOINT))?.unix;
    await this.#readStakePools();
  }

  /** An account has changed in state. */
  note(address: Address, account: RawAccount | undefined): void {
    if (this.#recorder === undefined) return;
    this.#recorder.note(address, account);
    this.#changes.set(address, account);
  }

  /** State is complete for a slot. */
  onSlot(at: ChainTime): void {
    const recorder = this.#recorder;
    // what waits is not made more while it cannot be written; books keep what changes
    if (recorder === undefined || this.#queue.isFull) return;
    if (this.#isFirst && this.#options.seesAll) recorder.closeUnseen();
    const gaps = this.#gapBefore(at);
    this.#isFirst = false;
    this.#heardAt = this.#options.clock();
    const batches: Batch[] = [recorder.takeStates(at)];
    const isDue = this.#isDue(at);
    this.#endStep(at, isDue);
    if (isDue) {
      batches.push(recorder.sample(at, 'minute'), { gaps }, { steps: this.#stepRows(at) });
      batches.push({
        checkpoint: { name: SAMPLER_CHECKPOINT, towards: 'newer', slot: at.slot, at: at.unix },
      });
      this.#sampledAt = at.unix;
      void this.#readStakePools();
      this.#upkeep.look(at.unix);
    }
    const batch = mergeBatches(batches);
    if (hasRows(batch)) this.#queue.push(batch);
  }

  /** What changed is kept as it is, so that rows can be made from it again. */
  #endStep(at: ChainTime, isSampled: boolean): void {
    const accounts = [...this.#changes].map(([address, account]) => ({ address, account }));
    this.#changes.clear();
    for (let from = 0; from < accounts.length; from += AT_ONCE) {
      const slots = [{ at, accounts: accounts.slice(from, from + AT_ONCE) }];
      this.#steps.push({ at, slots });
    }
    if (isSampled) this.#steps.push({ at, slots: [], sample: 'minute' });
  }

  #stepRows({ slot, unix: at }: ChainTime): StepInput[] {
    const rows: StepInput[] = [];
    let group: RawStep[] = [];
    let count = 0;
    const end = () => {
      if (group.length === 0) return;
      const deflated = this.#codec.encode(group);
      rows.push({ slot, part: rows.length, at, deflated });
      group = [];
      count = 0;
    };
    for (const step of this.#steps) {
      group.push(step);
      count += step.slots.reduce((sum, { accounts }) => sum + accounts.length, 0);
      if (count >= AT_ONCE) end();
    }
    end();
    this.#steps = [];
    return rows;
  }

  async stop(): Promise<void> {
    await this.#queue.stop();
    await this.#upkeep.stop();
  }

  #isDue({ unix }: ChainTime): boolean {
    return this.#isFirst || minuteOf(unix) > minuteOf(this.#sampledAt ?? toUnixSeconds(0n));
  }

  /** What passed unseen: while nobody ran here, or while nothing was heard. */
  #gapBefore({ unix }: ChainTime): readonly Gap[] {
    const since = this.#sampledAt;
    if (since === undefined || minuteOf(unix) - minuteOf(since) <= 1n) return [];
    const isSilent = this.#isFirst || this.#options.clock() - this.#heardAt > SILENCE_MS;
    return isSilent ? [{ name: SAMPLER_CHECKPOINT, since, until: unix }] : [];
  }

  async #readStakePools(): Promise<void> {
    const { source, registry, log } = this.#options;
    const pools = [...registry.stakePools];
    if (pools.length === 0) return;
    try {
      const { accounts } = await source.accounts(pools.map(([, pool]) => pool));
      for (const [index, [mint, pool]] of pools.entries()) {
        const account = accounts[index];
        if (account === undefined) continue;
        this.#recorder?.noteStakePool(mint, account);
        this.#changes.set(pool, account);
      }
    } catch (error) {
      log.warn({ reason: formatError(error) }, 'stake pools could not be read');
    }
  }
}

const minuteOf = (unix: UnixSeconds): bigint => unix / MINUTE;

const hasRows = ({ checkpoint, ...lists }: Batch): boolean =>
  checkpoint !== undefined || Object.values(lists).some((rows) => rows.length > 0);
