import type { Address, ChainTime, ClusterAccount, Ratio, Slot } from '@tidegate/core/base';
import type { TokenAirdrop } from './airdrop-token.ts';

/** What can be done to an embedded cluster from outside. A change resolves with the slot it landed in. */
export type ClusterControls = {
  warp(slots: bigint): Promise<Slot>;
  /** Undefined lets the price move again. */
  setPrice(reserve: Address, price: Ratio | undefined): Promise<Slot>;
  setAccount(address: Address, account: ClusterAccount | undefined): Promise<Slot>;
  airdropToken(gift: TokenAirdrop): Promise<Slot>;
  /** Undoes the last slots; resolves with the one that is the newest then. */
  rollBack(slots: bigint): Promise<Slot>;
  freezeReserve(reserve: Address, isFrozen: boolean): void;
  timeOf(slot: Slot): ChainTime;
};
