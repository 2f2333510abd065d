import type { Address, ChainTime, ClusterAccount, Ratio, Slot } from '@tidegate/core/base';
import type { ProgramName } from '@tidegate/core/protocol/releases';
import type { ForkedAccounts } from '../fork/forked-accounts.ts';
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
  /** By reserve or mint. Undefined lets the price move again. */
  setPrice(token: Address, price: Ratio | undefined): Promise<Slot>;
  setAccount(address: Address, account: ClusterAccount | undefined): Promise<Slot>;
  /** Replaces the executable of a program by that of a release of the built-in model, or by other bytes. */
  upgradeProgram(program: ProgramName, content: string | Uint8Array): Promise<Slot>;
  airdropToken(airdrop: TokenAirdrop): Promise<Slot>;
  /** Undoes the last slots; resolves with the new newest slot. */
  rollBack(slots: bigint): Promise<Slot>;
  /** Saves accounts, transactions, time and settings; returns an id. */
  snapshot(): string;
  /** Returns to a snapshot, as often as needed. Later snapshots are dropped. */
  revert(id: string): Slot;
  dropSnapshot(id: string): void;
  /** Returns to the state after the start. Snapshots are dropped. */
  reset(): Slot;
  /** Waits for the slot that a transaction has requested, if slots close on demand. */
  settled(): Promise<void>;
  /** Stops the clock: no slot closes by itself. */
  freeze(): void;
  resume(): void;
  /** Accepts transactions of a signer without its signature, or no longer. */
  impersonate(signer: Address, isImpersonated: boolean): void;
  setLiquidationBot(isOn: boolean): void;
  freezeReserve(reserve: Address, isFrozen: boolean): void;
  timeOf(slot: Slot): ChainTime;
  /** Undefined for a cluster that no plan describes. */
  readonly plan: GenesisPlan | undefined;
  /** Runs of a stored cluster, the newest last; empty for a cluster that is not stored. */
  readonly runs: readonly ClusterRun[];
  /** Undefined for a cluster that is not a fork. */
  readonly fork: ForkedAccounts | undefined;
};
