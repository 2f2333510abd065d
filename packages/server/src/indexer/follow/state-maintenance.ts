import { formatError, type Logger } from '@tidegate/core/base';
import type { ClusterState } from '@tidegate/core/state';
import type { ChainSource } from '../../chain/source/chain-source.ts';
import { CodedError } from '../../errors.ts';
import { SlotDurationMeter } from '../recording/slot-duration-meter.ts';
import type { AccountSubscription } from './account-subscription.ts';
import type { IndexerTiming } from './indexer-timing.ts';
import type { ShareSubscriptions } from './share-subscriptions.ts';
import type { SlotEstimator } from './slot-estimator.ts';
import type { ReadTime } from './timed-read.ts';

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

/** Longest time that a rescan waits for its slot. Without updates, slots are as rare as polls. */
const RESCAN_WAIT_MS = 60_000;
/** Time without a new slot after which the slot is requested. */
const SILENT_MS = 2_000;
/** Loans are rescanned this many times more rarely while nothing shows that one was closed. */
const IDLE_FACTOR = 30;
/** Share accounts are rescanned this many times more rarely than others. */
const SHARES_FACTOR = 6;

/** Periodic work: refreshes the slot and the slot duration, rescans for closed accounts, and polls where no updates arrive. */
export class StateMaintenance {
  readonly #options: StateMaintenanceOptions;
  readonly #running = new Set<string>();
  #slotDurationAt = Number.NEGATIVE_INFINITY;
  readonly #slotDurations = new SlotDurationMeter();
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
    this.#runOnce('poll', () => this.#pollNext());
  }

  async refreshSlot(): Promise<void> {
    const { source, slots } = this.#options;
    const { slot, unix } = await source.getSlotTime();
    slots.update(slot, unix);
  }

  async refreshSlotDuration(): Promise<void> {
    const { source, state, slots, clock } = this.#options;
    const time = state.at();
    const known = state.slotMs();
    const measured = time.slot > 0n ? this.#slotDurations.add(time, known) : known;
    const slotMs = (await source.getSlotDurationMs()) ?? measured;
    this.#slotDurationAt = clock();
    if (slotMs.numerator <= 0n) return;
    state.setSlotMs(slotMs);
    slots.setSlotMs(slotMs);
  }

  /** Nodes do not announce closed accounts of a program. */
  async #rescanNext(): Promise<void> {
    const { shares, subscriptions, timing } = this.#options;
    const movements = this.#countMovements();
    const inconsistent = shares
      .inconsistentSubscriptions()
      .find(({ lastListing }) => this.#isDue(lastListing, timing.rescanObligationsMs));
    const due = [...subscriptions(), ...shares.subscriptions].filter((subscription) =>
      this.#isDue(subscription.lastListing, this.#rescanMs(subscription, movements)),
    );
    // the first one would always be due again before the last had its turn
    const next = inconsistent ?? due.toSorted((a, b) => a.lastListing.at - b.lastListing.at)[0];
    if (next === undefined) return;
    await next.rescan(RESCAN_WAIT_MS);
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

  /** Reads what changed in a set whose updates the source does not send. Shares are rescanned when their sum differs. */
  async #pollNext(): Promise<void> {
    const { subscriptions, timing } = this.#options;
    const due = subscriptions().filter(
      ({ receivesUpdates, lastRead }) =>
        !receivesUpdates && lastRead.at > 0 && this.#isDue(lastRead, timing.pollUsersMs),
    );
    await due.toSorted((a, b) => a.lastRead.at - b.lastRead.at)[0]?.reload();
  }

  #isDue({ at, ms }: ReadTime, minMs: number): boolean {
    const { clock, timing } = this.#options;
    return clock() - at >= Math.max(minMs, timing.readCost * ms);
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
