import type { Address, ChainTime, Logger, RawAccount, Slot } from '@tidegate/core/base';
import type { ClusterState } from '@tidegate/core/state';
import type { ClusterSource } from '../../chain/cluster-source.ts';
import type { HistoryMode } from '../../clusters/served-clusters.ts';
import type { History } from '../../history/open-history.ts';
import { EventFollower } from '../../indexer/events/event-follower.ts';
import type { EventFollowerOptions } from '../../indexer/events/event-follower-options.ts';
import { OwnerIndex } from '../../indexer/events/owner-index.ts';
import type { RolledBackSlots } from '../../indexer/follow/rolled-back-slots.ts';
import { type Position, PositionHistory } from '../../indexer/positions/position-history.ts';
import { VaultPriceLoader } from '../../indexer/positions/vault-price-loader.ts';
import type { SlotPrices } from '../../indexer/prices/slot-prices.ts';
import type { GapRepairTiming } from '../../indexer/reconciliation/gap-repair.ts';
import { PositionReconciliation } from '../../indexer/reconciliation/position-reconciliation.ts';
import { LiveRecorder } from '../../indexer/recording/live-recorder.ts';
import type { ClusterPrograms } from '../../programs/cluster-programs.ts';
import type { Registry } from '../../registry/registry.ts';
import { HookRunner, type HookRunnerOptions } from '../../webhooks/hook-runner.ts';
import { ReleaseRecorder } from './release-recorder.ts';

export type RecordingWriterOptions = {
  readonly history: History;
  readonly registry: Registry;
  readonly state: ClusterState;
  readonly source: ClusterSource;
  readonly programs: readonly Address[];
  /** What runs of them. */
  readonly runningPrograms: () => ClusterPrograms;
  readonly slotPrices: SlotPrices;
  readonly minuteRetentionDays: number;
  readonly rawRetentionDays: number;
  readonly clock: () => number;
  readonly log: Logger;
  readonly hasAllPositions: () => boolean;
  /** Whether all events are recorded, or only those of requested positions. */
  readonly historyMode: Exclude<HistoryMode, 'off'>;
  /** What webhooks need beside the history. */
  readonly hooks: Pick<
    HookRunnerOptions,
    'cluster' | 'network' | 'allowsPrivate' | 'retentionDays' | 'timing'
  >;
  /** Called after events were written or removed. */
  readonly onRecorded: () => void;
  readonly onTransactions?: EventFollowerOptions['onTransactions'];
  readonly onFailed?: EventFollowerOptions['onFailed'];
  /** Overrides the default timing, for tests. */
  readonly gapRepair?: Partial<GapRepairTiming> | undefined;
  /** Called after earlier share prices were stored. */
  readonly onPricesLoaded: () => void;
};

/** What writes the history of a followed cluster, while this process is the writer. */
export class RecordingWriter {
  readonly recorder: LiveRecorder;
  readonly events: EventFollower;
  readonly positionHistory: PositionHistory;
  readonly reconciliation: PositionReconciliation;
  readonly hooks: HookRunner;
  readonly #options: RecordingWriterOptions;
  readonly #vaultPrices: VaultPriceLoader;
  readonly #releases: ReleaseRecorder;
  #isFollowing = false;

  constructor(options: RecordingWriterOptions) {
    const { source, history, state, clock, log } = options;
    this.#options = options;
    this.#releases = new ReleaseRecorder({ history, programs: options.runningPrograms, log });
    this.hooks = new HookRunner({ ...options.hooks, history, clock, log, random: Math.random });
    const shared = { source, history, ownerIndex: new OwnerIndex(state), log, random: Math.random };
    const isFollowed = options.historyMode === 'full';
    const onRollBack = (slots: RolledBackSlots) => {
      options.slotPrices.rollBack(slots.oldest);
      this.reconciliation.checker.onRollBack(slots.oldest);
      this.recorder.onRollBack(slots);
    };
    const onStored = () => {
      options.onRecorded();
      this.hooks.onRecorded();
    };
    const onRecorded = () => {
      onStored();
      this.reconciliation.checker.onRecorded();
    };
    const shares = {
      mints: () => new Map(state.vaults().map((vault) => [vault.address, vault.fields.sharesMint])),
      accountsOf: (wallet: Address, mint: Address) => this.recorder.shareAccountsOf(wallet, mint),
    };
    const onReached = (slot: Slot) => this.reconciliation.checker.onEvents(slot);
    const followed = { ...options, ...shared, shares, onRecorded, onReached, onRollBack };
    this.events = new EventFollower(followed);
    this.reconciliation = new PositionReconciliation({
      ...{ ...options, ...shared, shares },
      onRecorded: onStored,
      isCaughtUp: () => this.events.isCaughtUp,
      timing: options.gapRepair,
    });
    const { checker } = this.reconciliation;
    this.positionHistory = new PositionHistory({ ...shared, isFollowed });
    this.recorder = new LiveRecorder({
      ...options,
      ...shared,
      onShareBalance: (account) => {
        if (isFollowed) this.events.onShareAccountChange(account);
      },
      onBalancesStored: (at) => {
        if (!isFollowed) return;
        this.events.onBalancesStored();
        checker.begin(at);
      },
      ...(isFollowed && {
        onPositions: (keys, slot) => checker.onChanged(keys, slot),
        onStatesStored: (at) => checker.onStates(at),
        onStatesRemoved: (last) => checker.onStatesRemoved(last),
      }),
    });
    this.#vaultPrices = new VaultPriceLoader({
      ...shared,
      state,
      onLoaded: options.onPricesLoaded,
    });
  }

  /** Whether positions are compared with their events, which needs all events. */
  get isReconciled(): boolean {
    return this.#options.historyMode === 'full';
  }

  async start(): Promise<void> {
    await this.recorder.start();
    this.hooks.start();
  }

  /** A rescan applies accounts that have not changed: they say nothing of transactions. */
  onAccount(address: Address, account: RawAccount | undefined, isVisible: boolean): void {
    this.recorder.onAccount(address, account);
    if (isVisible) this.events.onAccountChange(account);
  }

  /** Its calls leave room for others: a position may have thousands of transactions. */
  requirePositions(positions: readonly Position[]): Promise<void> {
    return this.#options.source.withPriority('backfill', () =>
      this.positionHistory.require(positions),
    );
  }

  /**
   * Whether all events up to the slot are recorded, and positions are compared with them; if events are loaded on demand,
   * those of the position.
   */
  async waitForEvents(slot: Slot, timeoutMs: number, position?: Address): Promise<boolean> {
    if (!this.isReconciled) {
      return position === undefined || this.positionHistory.hasLoaded(position, slot);
    }
    const deadline = performance.now() + timeoutMs;
    if (!(await this.events.waitForSlot(slot, timeoutMs))) return false;
    return await this.reconciliation.checker.waitForSlot(slot, deadline - performance.now());
  }

  /** Call it when slots for which state was complete were rolled back. */
  onRollBack(slots: RolledBackSlots): void {
    this.reconciliation.checker.onRollBack(slots.oldest);
    this.recorder.onRollBack(slots);
    this.events.onRollBack(slots.oldest);
  }

  /** Call it when state is complete for a slot. */
  onSlot(at: ChainTime): void {
    this.recorder.onSlot(at);
    this.hooks.onSlot();
    this.#releases.onSlot();
    if (this.#options.historyMode !== 'full') return;
    // the owner index needs loaded state
    if (!this.#isFollowing) {
      this.events.start();
      this.reconciliation.start();
      this.#options.source.withPriority('backfill', () => this.#vaultPrices.start());
    }
    this.#isFollowing = true;
    this.events.onSlot(at);
  }

  async stop(): Promise<void> {
    await Promise.all([
      this.hooks.stop(),
      this.positionHistory.stop(),
      this.#releases.stop(),
      this.#vaultPrices.stop(),
      this.#isFollowing && this.events.stop(),
    ]);
    await this.recorder.stop();
    await this.reconciliation.stop();
  }
}
