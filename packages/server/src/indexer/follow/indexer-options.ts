import type { Address, ChainTime, Logger } from '@tidegate/core/base';
import type { ClusterState } from '@tidegate/core/state';
import type { AccountUpdate, ChainSource } from '../../chain/source/chain-source.ts';
import type { ProgramDeployments } from './account-sets.ts';
import type { LoadProgress } from './indexer-status.ts';
import type { IndexerTiming } from './indexer-timing.ts';
import type { KnownAddresses } from './known-accounts.ts';
import type { RolledBackSlots } from './rolled-back-slots.ts';

export type IndexerOptions = {
  readonly source: ChainSource;
  readonly state: ClusterState;
  readonly programs?: ProgramDeployments;
  /** Whether to follow all loans and stakes, or only those of requested wallets. */
  readonly mode: 'all' | 'on-demand';
  /** Lookup tables to follow in addition to those of the vaults. */
  readonly lookupTables?: readonly Address[];
  /** Markets and vaults that are followed even if the source refuses to scan their programs. */
  readonly known?: KnownAddresses;
  /** Epoch milliseconds. */
  readonly clock: () => number;
  /** Milliseconds that never go back; by default those of the process. */
  readonly now?: () => number;
  readonly random: () => number;
  readonly log: Logger;
  readonly onProgress?: (progress: LoadProgress) => void;
  /** Called when state is complete for a slot. */
  readonly onSlot?: (at: ChainTime) => void;
  /** Called when slots for which state was complete were rolled back. State follows later. */
  readonly onRollBack?: (slots: RolledBackSlots) => void;
  /** Called with each update of a subscription, immediately before state has it. */
  readonly onUpdate?: ((update: AccountUpdate) => void) | undefined;
  /** Called when updates may have been missed. State does not advance until it has been read again. */
  readonly onGap?: (() => void) | undefined;
  readonly timing?: Partial<IndexerTiming>;
};
