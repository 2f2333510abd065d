import type { Address, ChainTime, Logger, Slot } from '@tidegate/core/base';
import type { ClusterState } from '@tidegate/core/state';
import type { ChainSource } from '../../chain/source/chain-source.ts';
import type { LedgerReader } from '../../chain/source/ledger-reader.ts';
import type { History } from '../../history/open-history.ts';
import type { PositionKey } from '../../history/queries/position-kinds.ts';
import type { Registry } from '../../registry/registry.ts';
import type { OwnerIndex } from '../events/owner-index.ts';

export type LiveRecorderOptions = {
  readonly history: History;
  readonly state: ClusterState;
  readonly source: Pick<ChainSource, 'getAccounts'> & {
    readonly ledger: Pick<LedgerReader, 'getFinalizedSlot'>;
  };
  readonly registry: Registry;
  readonly ownerIndex: OwnerIndex;
  /** Called when the share balance of a token account changes, except during the first load. */
  readonly onShareBalance: (account: Address) => void;
  /** Called when the balances of all wallets as of the first slot are stored. */
  readonly onBalancesStored?: (at: ChainTime) => void;
  /** Called with the positions that changed in a slot, before their states are stored. */
  readonly onPositions?: ((keys: readonly PositionKey[], slot: Slot) => void) | undefined;
  /** Called when all states up to a slot are stored. */
  readonly onStatesStored?: ((at: ChainTime) => void) | undefined;
  /** Called when the states after a slot were deleted, because it was rolled back. */
  readonly onStatesRemoved?: ((last: Slot) => void) | undefined;
  /** Whether state contains every loan and stake, so that a missing one was closed. */
  readonly hasAllPositions: () => boolean;
  readonly minuteRetentionDays: number;
  readonly rawRetentionDays: number;
  /** Epoch milliseconds. */
  readonly clock: () => number;
  readonly random: () => number;
  readonly log: Logger;
};
