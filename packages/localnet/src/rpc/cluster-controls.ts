import type { Address, ChainTime, ClusterAccount, Ratio, Slot } from '@tidegate/core/base';
import type { GenesisPlan } from '../genesis/genesis.ts';
import type { TokenAirdrop } from './airdrop-token.ts';

/** From the start of a stored cluster to its next start. */
export type ClusterRun = {
  readonly id: string;
  /** The newest slot when the run began: everything up to it is the past of the run. */
  readonly slot: Slot;
};

/** Controls of a local cluster. Changes resolve with the slot they landed in. */
export type ClusterControls = {
  warp(slots: bigint): Promise<Slot>;
  /** Undefined lets the price move again. */
  setPrice(reserve: Address, price: Ratio | undefined): Promise<Slot>;
  setAccount(address: Address, account: ClusterAccount | undefined): Promise<Slot>;
  airdropToken(airdrop: TokenAirdrop): Promise<Slot>;
  /** Undoes the last slots; resolves with the new newest slot. */
  rollBack(slots: bigint): Promise<Slot>;
  freezeReserve(reserve: Address, isFrozen: boolean): void;
  timeOf(slot: Slot): ChainTime;
  /** Undefined for a cluster that no plan describes. */
  readonly plan: GenesisPlan | undefined;
  /** Runs of a stored cluster, the newest last; empty for a cluster that is not stored. */
  readonly runs: readonly ClusterRun[];
};
