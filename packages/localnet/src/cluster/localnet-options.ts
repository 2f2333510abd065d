import type { ChainTime, Slot } from '@tidegate/core/base';
import type { OriginAccountReader } from '../fork/origin-accounts.ts';
import type { GenesisPlan } from '../genesis/genesis.ts';
import type { ClusterRun } from '../rpc/cluster-controls.ts';
import type { SavedAirdrops } from '../rpc/faucet.ts';
import type { FaultSettings } from '../rpc/faults.ts';
import type { AllowedCallers } from '../rpc/server/access-check.ts';
import type { SavedBank } from '../runtime/bank.ts';
import type { SavedPipeline } from '../runtime/transactions/transaction-pipeline.ts';
import type { SavedKeepers } from './keepers.ts';
import type { SlotProducerOptions } from './slot-producer.ts';

export type LocalnetOptions = SlotProducerOptions & {
  /** Unix time in milliseconds. */
  readonly now: () => number;
  /** The slot of now. By default the chain continues from its newest slot. */
  readonly startSlot?: Slot;
  /** Clock speed as a multiple of the wall clock. */
  readonly speed?: number;
  /** Slots close when there is something to put into them, and every commitment sees the newest one. */
  readonly isOnDemand?: boolean;
  /** What the cluster was simulated from. */
  readonly plan?: GenesisPlan;
  /** Its runs, the newest last. */
  readonly runs?: readonly ClusterRun[];
  /** Who may call its nodes besides clients on loopback. */
  readonly allowedCallers?: AllowedCallers;
  /** Keeps the state of the start for `reset`. */
  readonly isResettable?: boolean;
  /** Accounts that are missing are read from another cluster. */
  readonly origin?: { readonly reader: OriginAccountReader; readonly time: ChainTime };
  readonly onRollBack?: () => void;
};

/** Everything that a cluster returns to when it is restored. */
export type SavedCluster = {
  readonly bank: SavedBank;
  readonly transactions: SavedPipeline;
  readonly keepers: SavedKeepers;
  readonly airdrops: SavedAirdrops;
  /** By node. */
  readonly faults: readonly FaultSettings[];
  readonly isFrozen: boolean;
  readonly isLiquidationBotOn: boolean;
};
