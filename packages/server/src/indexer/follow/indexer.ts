import type { Address, ChainTime, Logger, Slot, UnixSeconds } from '@tidegate/core/base';
import type { ClusterState } from '@tidegate/core/state';
import type { ChainSource, Subscription } from '../../chain/source/chain-source.ts';
import { type ProgramDeployments, programAccountSets, programDeployments } from './account-sets.ts';
import { AccountSubscription } from './account-subscription.ts';
import { defaultIndexerTiming, type IndexerTiming } from './indexer-timing.ts';
import { LookupTableSubscriptions } from './lookup-table-subscriptions.ts';
import { Resync } from './resync.ts';
import { ShareSubscriptions } from './share-subscriptions.ts';
import { SlotEstimator } from './slot-estimator.ts';
import { SlotQueue } from './slot-queue.ts';
import { StateMaintenance } from './state-maintenance.ts';
import { WalletSubscriptions } from './wallet-subscriptions.ts';

export type LoadProgress = {
  /** Sets of accounts that were read, and how many there are. */
  readonly done: number;
  readonly total: number;
  readonly accounts: number;
};

export type IndexerOptions = {
  readonly source: ChainSource;
  readonly state: ClusterState;
  readonly programs?: ProgramDeployments;
  /** Loans and stakes: every one of the programs, or those of wallets that are asked for. */
  readonly mode: 'all' | 'on-demand';
  /** Lookup tables that are followed beside those of the vaults. */
  readonly lookupTables?: readonly Address[];
  /** Milliseconds since 1970. */
  readonly clock: () => number;
  readonly log: Logger;
  readonly onProgress?: (progress: LoadProgress) => void;
  /** State is complete for a slot. */
  readonly onSlot?: (at: ChainTime) => void;
  readonly timing?: Partial<IndexerTiming>;
};

const MOST_WALLETS = 1_000;
/** Share mints that are read at the same time. */
const SHARES_AT_ONCE = 4;

export type IndexerStatus = {
  readonly loading: boolean;
  /** State is complete for a slot. */
  readonly ready: boolean;
  /** No slot was announced for a while. */
  readonly stalled: boolean;
  /** Something was missed and is being read again; until then the slot stands still. */
  readonly resyncing: boolean;
  readonly slot: Slot;
  /** Slots that the cluster is ahead, by what it says and by the clock. */
  readonly lagSlots: bigint;
  readonly progress: LoadProgress;
  /** Whether the number of holders of every vault is known. */
  readonly sharesComplete: boolean;
  /** Followed on demand. */
  readonly wallets: number;
  readonly gaps: number;
  readonly lastGap: string | undefined;
};

export function createIndexer(options: IndexerOptions): Indexer {
  return new Indexer(options);
}

/** Keeps the state of a cluster: follows, loads, and from then on moves it from slot to slot. */
export class Indexer {
  readonly #options: IndexerOptions;
  readonly #timing: IndexerTiming;
  readonly #queue: SlotQueue;
  readonly #slots: SlotEstimator;
  readonly #tracks: readonly AccountSubscription[];
  readonly #shares: ShareSubscriptions;
  readonly #lookupTables: LookupTableSubscriptions;
  readonly #wallets: WalletSubscriptions;
  readonly #resync: Resync;
  readonly #upkeep: StateMaintenance;
  #subscription: Subscription | undefined;
  #ticker: NodeJS.Timeout | undefined;
  #isLoading = true;
  #isStopped = false;
  #heardAt: number;
  /** The last slot that was announced, until state has reached it. */
  #heard: ChainTime | undefined;
  #progress: LoadProgress = { done: 0, total: 0, accounts: 0 };

  constructor(options: IndexerOptions) {
    const { source, state, clock, log, mode, programs = programDeployments } = options;
    const timing = { ...defaultIndexerTiming, ...options.timing };
    const { retryMs, waitMs, freshMs } = timing;
    this.#options = options;
    this.#timing = timing;
    this.#queue = new SlotQueue((at) => {
      state.setAt(at);
      options.onSlot?.(at);
    });
    this.#slots = new SlotEstimator(clock, state.slotMs());
    this.#resync = new Resync({
      ...{ queue: this.#queue, log },
      tracks: () => [...this.#tracks, ...this.#shares.tracks],
    });
    const context = {
      ...{ source, state, queue: this.#queue, clock, log, retryMs },
      attempts: Number.POSITIVE_INFINITY,
    };
    const onGap = (track: AccountSubscription, reason: string) => this.#miss(track, reason);
    this.#tracks = programAccountSets(programs, mode).map(
      (one) => new AccountSubscription(one, context, onGap),
    );
    this.#shares = new ShareSubscriptions({ context, onGap, waitMs });
    const { lookupTables: tables = [] } = options;
    this.#lookupTables = new LookupTableSubscriptions({ context, onGap, tables });
    this.#wallets = new WalletSubscriptions({
      ...{ programs, waitMs, freshMs, mostWallets: MOST_WALLETS },
      context: { ...context, attempts: 1 },
    });
    this.#upkeep = new StateMaintenance({
      ...{ source, state, slots: this.#slots, shares: this.#shares, timing, clock, log },
      tracks: this.#tracks,
    });
    this.#heardAt = clock();
  }

  /** Resolves when state is complete for a first slot. Rejects when the source refuses to be followed. */
  async start(): Promise<void> {
    const { source } = this.#options;
    this.#subscription = source.follow(
      { kind: 'slots' },
      {
        onAccount: () => undefined,
        onSlot: (slot, unix) => this.#hear(slot, unix),
        onGap: () => undefined,
      },
    );
    await Promise.all(this.#tracks.map((track) => track.follow()));
    await this.#load();
    this.#isLoading = false;
    this.#queue.hold();
    this.#ticker = setInterval(() => this.#tick(), this.#timing.tickMs).unref();
    this.#tick();
    await this.#queue.reached(this.#queue.floor);
  }

  stop(): void {
    this.#isStopped = true;
    clearInterval(this.#ticker);
    this.#subscription?.stop();
    for (const track of this.#tracks) track.stop();
    this.#shares.stop();
    this.#lookupTables.stop();
    this.#wallets.stop();
    this.#queue.close();
  }

  status(): IndexerStatus {
    const { at } = this.#queue;
    const lag = this.#slots.head() - at;
    return {
      loading: this.#isLoading,
      ready: at > 0n,
      stalled: this.#options.clock() - this.#heardAt > this.#timing.stallMs,
      resyncing: this.#resync.isNeeded,
      slot: at,
      lagSlots: at > 0n && lag > 0n ? lag : 0n,
      progress: this.#progress,
      sharesComplete: !this.#isLoading && this.#shares.isComplete,
      wallets: this.#wallets.count,
      gaps: this.#resync.gaps,
      lastGap: this.#resync.lastGap,
    };
  }

  /** Resolves when state has the loans and stakes of a wallet. */
  async ensureWallet(owner: Address): Promise<void> {
    if (this.#options.mode === 'on-demand') await this.#wallets.ensure(owner);
  }

  async ensureObligation(address: Address): Promise<void> {
    if (this.#options.mode === 'on-demand') await this.#wallets.ensureObligation(address);
  }

  /** Resolves when state has the wallet's shares in its associated accounts. */
  ensureShares(owner: Address): Promise<void> {
    return this.#shares.ensure(owner);
  }

  async #load(): Promise<void> {
    this.#report({ total: this.#tracks.length });
    for (const track of this.#tracks) {
      this.#report({ accounts: this.#progress.accounts + (await track.load()) });
      this.#report({ done: this.#progress.done + 1 });
    }
    const mints = this.#shares.newMints();
    this.#report({ total: this.#progress.total + mints.length + 1 });
    const queue = mints.values();
    const worker = async () => {
      for (const mint of queue) {
        await this.#shares.add(mint, 'first');
        this.#report({ done: this.#progress.done + 1 });
      }
    };
    await Promise.all(Array.from({ length: SHARES_AT_ONCE }, worker));
    await this.#lookupTables.load();
    this.#report({ done: this.#progress.done + 1 });
  }

  #report(change: Partial<LoadProgress>): void {
    this.#progress = { ...this.#progress, ...change };
    this.#options.onProgress?.(this.#progress);
  }

  #hear(slot: Slot, unix: UnixSeconds | undefined): void {
    this.#heardAt = this.#options.clock();
    this.#slots.note(slot, unix);
    this.#heard = this.#slots.timeOf(slot, unix);
    this.#advance();
  }

  /** A source says a slot once, which may have been too early. */
  #advance(): void {
    if (this.#heard === undefined || this.#isStopped || this.#resync.isNeeded) return;
    if (!this.#queue.advance(this.#heard)) return;
    this.#heard = undefined;
    for (const mint of this.#shares.newMints()) void this.#shares.add(mint, 'later');
    this.#lookupTables.update();
  }

  #miss(track: AccountSubscription, reason: string): void {
    this.#resync.note(track, reason);
    if (!this.#isLoading) this.#tick();
  }

  #tick(): void {
    if (this.#resync.isNeeded) void this.#resync.run().then(() => this.#advance());
    else this.#advance();
    this.#upkeep.tick();
  }
}
