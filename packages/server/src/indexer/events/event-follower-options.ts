import type { Address, Logger } from '@tidegate/core/base';
import type { ChainSource } from '../../chain/source/chain-source.ts';
import type { History } from '../../history/open-history.ts';
import type { SlotPrices } from '../prices/slot-prices.ts';
import type { OwnerIndex } from './owner-index.ts';
import type { PollTiming } from './poll-schedule.ts';

export type EventFollowerOptions = {
  readonly source: ChainSource;
  readonly history: Pick<History, 'db'>;
  readonly ownerIndex: OwnerIndex;
  /** Prices of recent slots; without it, events have those of the last sample. */
  readonly slotPrices?: Pick<SlotPrices, 'at' | 'waitFor'>;
  /** Programs whose transactions are followed. */
  readonly programs: readonly Address[];
  /** Called after events were written or removed, and when the time up to which they are recorded moved. */
  readonly onRecorded?: () => void;
  /** Epoch milliseconds. */
  readonly clock: () => number;
  readonly random: () => number;
  readonly log: Logger;
  readonly timing?: Partial<EventFollowerTiming>;
};

export type EventFollowerTiming = PollTiming & {
  /** First pause after a failure; it doubles. */
  readonly retryMs: number;
  /** How often the checkpoint advances while there are no transactions. */
  readonly checkpointMs: number;
};

export const defaultTiming: EventFollowerTiming = {
  pollMs: 1_000,
  announcedPollMs: 5_000,
  retryMs: 500,
  checkpointMs: 30_000,
};
