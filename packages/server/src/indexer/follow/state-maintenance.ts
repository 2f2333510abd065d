import { CodedError, formatError, type Logger } from '@tidegate/core/base';
import type { ClusterState } from '@tidegate/core/state';
import type { ChainSource } from '../../chain/source/chain-source.ts';
import type { AccountSubscription } from './account-subscription.ts';
import type { IndexerTiming } from './indexer-timing.ts';
import type { ShareSubscriptions } from './share-subscriptions.ts';
import type { SlotEstimator } from './slot-estimator.ts';

type StateMaintenanceOptions = {
  readonly source: ChainSource;
  readonly state: ClusterState;
  readonly slots: SlotEstimator;
  readonly subscriptions: () => readonly AccountSubscription[];
  readonly shares: ShareSubscriptions;
  readonly timing: IndexerTiming;
  readonly clock: () => number;
  readonly log: Logger;
};

/** A set is rescanned at most once per this many times the duration of a scan. */
const RESCAN_COST = 50;
/** Time without a new slot after which the slot is requested. */
const SILENT_MS = 2_000;
/** Loans are rescanned this many times more rarely while nothing shows that one was closed. */
const IDLE_FACTOR = 30;
/** Share accounts are rescanned this many times more rarely than others. */
const SHARES_FACTOR = 6;

/** Periodic work: refreshes the slot and the slot duration, and rescans for closed accounts. */
export class StateMaintenance {
  readonly #options: StateMaintenanceOptions;
  readonly #running = new Set<string>();
  #slotDurationAt = Number.NEGATIVE_INFINITY;
  /** What lending had moved when a set of loans was last rescanned. */
  readonly #scannedMovements = new WeakMap<AccountSubscription, bigint>();

  constructor(options: StateMaintenanceOptions) {
    this.#options = options;
  }

  tick(): void {
    const { clock, slots, timing } = this.#options;
    if (slots.msSinceUpdate() > SILENT_MS) this.#runOnce('slot', () => this.refreshSlot());
    if (clock() - this.#slotDurationAt > timing.slotDurationEveryMs) {
      this.#runOnce('slot duration', () => this.refreshSlotDuration());
    }
    this.#runOnce('rescan', () => this.#rescanNext());
  }

  async refreshSlot(): Promise<void> {
    const { source, slots } = this.#options;
    const { slot, unix } = await source.getSlotTime();
    slots.update(slot, unix);
  }

  async refreshSlotDuration(): Promise<void> {
    const { source, state, slots, clock } = this.#options;
    const slotMs = await source.getSlotDurationMs();
    this.#slotDurationAt = clock();
    if (slotMs === undefined || slotMs.numerator <= 0n) return;
    state.setSlotMs(slotMs);
    slots.setSlotMs(slotMs);
  }

  /** Nodes do not announce closed accounts of a program. */
  async #rescanNext(): Promise<void> {
    const { shares, subscriptions, timing } = this.#options;
    const movements = this.#countMovements();
    const inconsistent = shares
      .inconsistentSubscriptions()
      .find((subscription) => this.#isDue(subscription, timing.rescanObligationsMs));
    const due = [...subscriptions(), ...shares.subscriptions].find((subscription) =>
      this.#isDue(subscription, this.#rescanMs(subscription, movements)),
    );
    const next = inconsistent ?? due;
    if (next === undefined) return;
    await next.rescan(timing.waitMs);
    if (next.accountSet.kind === 'obligation') this.#scannedMovements.set(next, movements);
    if (next.accountSet.kind === 'shares') shares.confirmBalances(next);
  }

  #rescanMs(subscription: AccountSubscription, movements: bigint): number {
    const { rescanObligationsMs, rescanOthersMs } = this.#options.timing;
    switch (subscription.accountSet.kind) {
      case 'obligation': {
        const isIdle = this.#scannedMovements.get(subscription) === movements;
        return rescanObligationsMs * (isIdle ? IDLE_FACTOR : 1);
      }
      case 'shares':
        // the vault shows that one was closed
        return rescanOthersMs * SHARES_FACTOR;
      default:
        return rescanOthersMs;
    }
  }

  /**
   * Changes when a loan may have been closed: its collateral is withdrawn, which changes other loans or the liquidity of
   * a reserve. Collateral that is withdrawn as such changes neither, and is found by the rarer rescan.
   */
  #countMovements(): bigint {
    const { state } = this.#options;
    return state
      .markets()
      .flatMap(({ address }) => state.reservesOf(address))
      .reduce(
        (sum, { fields: { liquidity, collateral } }) =>
          sum + liquidity.totalAvailableAmount + collateral.mintTotalSupply,
        BigInt(state.versionOf('obligation')),
      );
  }

  #isDue({ readAt, readMs }: AccountSubscription, minMs: number): boolean {
    return this.#options.clock() - readAt >= Math.max(minMs, RESCAN_COST * readMs);
  }

  #runOnce(name: string, work: () => Promise<void>): void {
    if (this.#running.has(name)) return;
    this.#running.add(name);
    work()
      .catch((error: unknown) => {
        if (!(error instanceof CodedError)) throw error;
        this.#options.log.debug({ work: name, error: formatError(error) }, 'maintenance failed');
      })
      .finally(() => this.#running.delete(name));
  }
}
