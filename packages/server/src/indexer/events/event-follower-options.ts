import type { Address, ChainTime, Logger, Slot } from '@tidegate/core/base';
import type { ChainSource } from '../../chain/source/chain-source.ts';
import type { ListedTransaction } from '../../chain/source/ledger-reader.ts';
import type { History } from '../../history/open-history.ts';
import type { RolledBackSlots } from '../follow/rolled-back-slots.ts';
import type { SlotPrices } from '../prices/slot-prices.ts';
import type { OwnerIndex } from './owner-index.ts';
import type { PollTiming } from './poll-schedule.ts';
import type { ShareAccounts } from './share-catch-up.ts';
import type { AnnouncedTransaction } from './transaction-announcements.ts';

export type EventFollowerOptions = {
  readonly source: ChainSource;
  readonly history: Pick<History, 'db'>;
  readonly ownerIndex: OwnerIndex;
  /** Prices of recent slots; without it, events have those of the last sample. */
  readonly slotPrices?: Pick<SlotPrices, 'at' | 'waitFor'>;
  /** Programs whose transactions are followed. */
  readonly programs: readonly Address[];
  /** Needed to find transfers of shares from before the start. */
  readonly shares?: ShareAccounts;
  /** Called when stored transactions turn out to be rolled back. */
  readonly onRollBack?: (slots: RolledBackSlots) => void;
  /** Called after events were written or removed, and when the time up to which they are recorded moved. */
  readonly onRecorded?: () => void;
  /** Called when all events up to a slot are recorded. */
  readonly onReached?: ((slot: Slot) => void) | undefined;
  /** Called with the transactions of the programs as they are received or fetched, some more than once. */
  readonly onTransactions?: ((transactions: readonly SeenTransaction[]) => void) | undefined;
  /** Called with announced transactions that failed. */
  readonly onFailed?: ((announced: AnnouncedTransaction) => void) | undefined;
  /** Epoch milliseconds. */
  readonly clock: () => number;
  readonly random: () => number;
  readonly log: Logger;
  readonly timing?: Partial<EventFollowerTiming>;
};

/** A transaction of the programs. */
export type SeenTransaction = {
  readonly signature: string;
  readonly slot: Slot;
  /** In its block; undefined if the node does not tell. */
  readonly index: number | undefined;
  /** The result of `getTransaction`. */
  readonly response: unknown;
};

/** What one poll knows. */
export type PollState = {
  readonly head: ChainTime;
  /** Transactions at or before this slot are ignored. */
  readonly floor: Slot;
  readonly finalized: Slot;
  readonly listed: Map<string, ListedTransaction>;
  /** All lists were read up to it; undefined before the first poll of a database. */
  readonly checkpoint: ChainTime | undefined;
  /** Whether a list of the node goes back to the floor. */
  coversFloor: boolean;
};

export type EventFollowerTiming = PollTiming & {
  /** First pause after a failure; it doubles. */
  readonly retryMs: number;
  /** How often the checkpoint advances while there are no transactions. */
  readonly checkpointMs: number;
};

export const defaultTiming: EventFollowerTiming = {
  pollMs: 1_000,
  unannouncedPollMs: 15_000,
  announcedPollMs: 60_000,
  streamedPollMs: 600_000,
  gatherMs: 100,
  doubtMs: 5_000,
  requestMs: 200,
  retryMs: 500,
  checkpointMs: 30_000,
};

/** All events up to `upTo` are stored. `checkpoint`: the stored checkpoint since the last of them was written. */
export type EventProgress = { readonly upTo: Slot; readonly checkpoint: Slot };

export type EventFollowerStatus = {
  /** All events up to it are recorded; undefined before the first poll. */
  readonly slot: Slot | undefined;
  /** Transactions that failed to decode. */
  readonly undecoded: number;
  /** Failed polls since the last successful one. */
  readonly failures: number;
};
