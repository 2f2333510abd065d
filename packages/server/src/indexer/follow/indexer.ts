import { type Address, type Slot, type UnixSeconds, ZERO_ADDRESS } from '@tidegate/core/base';
import type { Subscription } from '../../chain/source/chain-source.ts';
import { hasCode } from '../../errors.ts';
import type { FollowedAccounts } from '../drift/drift-context.ts';
import { programDeployments } from './account-sets.ts';
import type { AccountSubscription } from './account-subscription.ts';
import { SourceChecks } from './checks/source-checks.ts';
import type { SourceDoubt } from './checks/source-doubt.ts';
import type { IndexerOptions } from './indexer-options.ts';
import type { IndexerStatus, LoadProgress } from './indexer-status.ts';
import { defaultIndexerTiming, type IndexerTiming } from './indexer-timing.ts';
import { LookupTableSubscriptions } from './lookup-table-subscriptions.ts';
import { MarketTableSearch } from './market-table-search.ts';
import { OnDemandWallets } from './on-demand-wallets.ts';
import { ProgramSubscriptions } from './program-subscriptions.ts';
import { Resync } from './resync.ts';
import { ScanRetry } from './scan-retry.ts';
import { ShareSubscriptions } from './share-subscriptions.ts';
import { SlotEstimator } from './slot-estimator.ts';
import { SlotQueue } from './slot-queue.ts';
import { SlotReader } from './slot-reader.ts';
import { StateMaintenance } from './state-maintenance.ts';

/** Share mints that are read concurrently. */
const SHARE_CONCURRENCY = 4;

export function createIndexer(options: IndexerOptions): Indexer {
  return new Indexer(options);
}

/** Maintains the state of a cluster: subscribes, loads, and then advances state slot by slot. */
export class Indexer {
  readonly #options: IndexerOptions;
  readonly #timing: IndexerTiming;
  readonly #queue: SlotQueue;
  readonly #slots: SlotEstimator;
  readonly #programs: ProgramSubscriptions;
  readonly #shares: ShareSubscriptions;
  readonly #lookupTables: LookupTableSubscriptions;
  /** Finds tables of markets that are configured without one. */
  readonly marketTables: MarketTableSearch;
  readonly #wallets: OnDemandWallets;
  readonly #scanRetry: ScanRetry;
  readonly #resync: Resync;
  readonly #checks: SourceChecks;
  readonly #maintenance: StateMaintenance;
  #slotSubscription: Subscription | undefined;
  #ticker: NodeJS.Timeout | undefined;
  #isLoading = true;
  #isStopped = false;
  #lastSlotAt: number;
  #progress: LoadProgress = { done: 0, total: 0, accounts: 0 };

  constructor(options: IndexerOptions) {
    const { source, state, clock, random, log, mode, programs = programDeployments } = options;
    const timing = { ...defaultIndexerTiming, ...options.timing };
    const { retryMs, waitMs } = timing;
    this.#options = options;
    this.#timing = timing;
    this.#queue = new SlotQueue((at) => {
      state.setAt(at);
      options.onSlot?.(at);
    });
    this.#slots = new SlotEstimator(clock, state.slotMs());
    this.#resync = new Resync({
      queue: this.#queue,
      log,
      subscriptions: () => [...this.#programs.all, ...this.#shares.subscriptions],
    });
    const slotReader = new SlotReader(source, this.#queue);
    const [queue, attempts] = [this.#queue, Number.POSITIVE_INFINITY];
    const { onUpdate, now = () => performance.now() } = options;
    const parts = { source, state, queue, clock, random, log };
    this.#checks = new SourceChecks({ ...parts, now, onLate: () => options.onGap?.() });
    const { absences, claims, agreement } = this.#checks;
    const checks = { absences, claims, agreement };
    const context = { ...parts, ...checks, slotReader, retryMs, attempts, onUpdate };
    const onGap = (subscription: AccountSubscription, reason: string) =>
      this.#onGap(subscription, reason);
    const { lookupTables = [], known = { markets: [], vaults: [] } } = options;
    this.#programs = new ProgramSubscriptions({ context, onGap, programs, mode, known, waitMs });
    this.#shares = new ShareSubscriptions({ context, onGap, waitMs });
    this.marketTables = new MarketTableSearch({
      ...context,
      onChange: () => this.#lookupTables.refresh(),
    });
    const tables = () => [...lookupTables, ...this.marketTables.tables()];
    this.#lookupTables = new LookupTableSubscriptions({ context, onGap, tables });
    const subscriptions = this.#programs;
    this.#wallets = new OnDemandWallets({ context, programs, subscriptions, timing });
    this.#scanRetry = new ScanRetry({
      ...context,
      programs: this.#programs,
      shares: this.#shares,
      wallets: this.#wallets,
      timing,
    });
    this.#maintenance = new StateMaintenance({
      source,
      state,
      slots: this.#slots,
      shares: this.#shares,
      timing,
      clock,
      log,
      subscriptions: () => this.#programs.all,
    });
    this.#lastSlotAt = clock();
  }

  /** Resolves when state is complete for a first slot. Rejects if the source rejects a subscription. */
  async start(): Promise<void> {
    const { source } = this.#options;
    this.#slotSubscription = source.subscribe(
      { kind: 'slots' },
      {
        onAccount: () => undefined,
        onSlot: (slot, unix) => this.#onSlot(slot, unix),
        onGap: () => undefined,
        onSlotDead: (slot) => this.#onSlotDead(slot),
      },
    );
    await this.#programs.subscribe();
    await this.#load();
    this.#isLoading = false;
    this.#queue.startQueueing();
    this.#ticker = setInterval(() => this.#tick(), this.#timing.tickMs).unref();
    this.#tick();
    await this.#queue.waitForSlot(this.#queue.minCompleteSlot);
    for (const { address, lookupTable } of this.#options.known?.markets ?? []) {
      if (lookupTable === ZERO_ADDRESS) this.marketTables.request(address);
    }
  }

  stop(): void {
    this.#isStopped = true;
    clearInterval(this.#ticker);
    this.#slotSubscription?.stop();
    this.#programs.stop();
    this.#shares.stop();
    this.marketTables.stop();
    this.#lookupTables.stop();
    this.#wallets.stop();
    this.#queue.close();
  }

  status(): IndexerStatus {
    const { completeSlot } = this.#queue;
    const lag = this.#slots.estimateHead() - completeSlot;
    return {
      loading: this.#isLoading,
      ready: completeSlot > 0n,
      stalled: this.#options.clock() - this.#lastSlotAt > this.#stallMs(),
      resyncing: this.#resync.isPending,
      slot: completeSlot,
      lagSlots: completeSlot > 0n && lag > 0n ? lag : 0n,
      progress: this.#progress,
      sharesComplete: !this.#isLoading && this.#shares.isComplete,
      allPositions: !this.#programs.areUsersOnDemand && this.#shares.isComplete,
      wallets: this.#wallets.count,
      gaps: this.#resync.gaps,
      lastGap: this.#resync.lastGap,
      missing: [...this.#programs.missing(), ...this.#shares.missing()],
      scans: this.#scanRetry.status(),
      ...this.#checks.status(),
    };
  }

  /** For comparisons of state with the chain. */
  get followed(): FollowedAccounts {
    return {
      queue: this.#queue,
      sets: () => [...this.#programs.all, ...this.#shares.subscriptions],
      gaps: () => this.#resync.gaps,
      isResyncing: () => this.#resync.isPending,
      agreement: this.#checks.agreement,
    };
  }

  /** Why state may differ from the cluster; the same array until that changes. */
  doubts(): readonly SourceDoubt[] {
    return this.#checks.doubts();
  }

  /** Resolves when state contains the loans and stakes of a wallet. */
  loadWallet(owner: Address): Promise<void> {
    return this.#wallets.load(owner);
  }

  loadObligation(address: Address): Promise<void> {
    return this.#wallets.loadObligation(address);
  }

  /** Resolves when state contains the shares in a wallet's associated token accounts. */
  loadShares(owner: Address): Promise<void> {
    return this.#shares.loadWallet(owner);
  }

  /** Resolves as soon as state has reached the slot, or to false after the timeout. */
  async waitForSlot(slot: Slot, timeoutMs: number): Promise<boolean> {
    try {
      await this.#queue.waitForSlot(slot, timeoutMs);
    } catch (error) {
      if (!hasCode(error, 'STALE_READ')) throw error;
    }
    return this.#queue.knownSlot >= slot;
  }

  async #load(): Promise<void> {
    this.#report({ total: this.#programs.all.length });
    await this.#programs.load((accounts) => {
      this.#report({ accounts: this.#progress.accounts + accounts });
      this.#report({ done: this.#progress.done + 1 });
    });
    const mints = this.#shares.newMints();
    this.#report({ total: this.#progress.total + mints.length + 1 });
    const queue = mints.values();
    const worker = async () => {
      for (const mint of queue) {
        await this.#shares.add(mint, 'initial');
        this.#report({ done: this.#progress.done + 1 });
      }
    };
    await Promise.all(Array.from({ length: SHARE_CONCURRENCY }, worker));
    await this.#lookupTables.load();
    this.#report({ done: this.#progress.done + 1 });
  }

  #report(change: Partial<LoadProgress>): void {
    this.#progress = { ...this.#progress, ...change };
    this.#options.onProgress?.(this.#progress);
  }

  #onSlot(slot: Slot, unix: UnixSeconds | undefined): void {
    this.#lastSlotAt = this.#options.clock();
    this.#queue.noteSlot(slot);
    this.#slots.update(slot, unix);
    this.#checks.claims.announce(this.#slots.estimateTime(slot, unix));
    this.#advance();
  }

  #onSlotDead(slot: Slot): void {
    if (slot <= this.#queue.completeSlot)
      this.#options.onRollBack?.({ oldest: slot, newest: slot });
  }

  /** A source announces a slot once, perhaps before state can reach it, so this is also called later. */
  #advance(): void {
    const due = this.#checks.claims.due();
    if (due === undefined || this.#isStopped || this.#resync.isPending) return;
    if (!this.#queue.advance(due)) return;
    this.#checks.claims.noteAdvance();
    for (const mint of this.#shares.newMints()) void this.#shares.add(mint, 'later');
    this.#lookupTables.update();
  }

  #stallMs(): number {
    const { stallMs, pollMs } = this.#timing;
    return this.#programs.receiveUpdates ? stallMs : stallMs + pollMs;
  }

  #onGap(subscription: AccountSubscription, reason: string): void {
    this.#resync.reportGap(subscription, reason);
    this.#checks.claims.interrupt();
    this.#options.onGap?.();
    if (!this.#isLoading) this.#tick();
  }

  #tick(): void {
    if (this.#resync.isPending) void this.#resync.run().then(() => this.#advance());
    else this.#advance();
    this.#checks.absences.tick();
    this.#maintenance.tick();
    this.#scanRetry.tick();
  }
}
