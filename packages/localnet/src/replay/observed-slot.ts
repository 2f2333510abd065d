import type { Address, ChainTime, ClusterAccount } from '@tidegate/core/base';

/** Accounts as they were at one time: undefined if an account does not exist, absent if nobody saw it. */
export type SeenAccounts = ReadonlyMap<Address, ClusterAccount | undefined>;

export type ObservedTransaction = {
  readonly signature: string;
  /** In the block. */
  readonly index: number;
  /** The result of `getTransaction` in an encoding that is not parsed. */
  readonly response: unknown;
};

/** What was seen of a slot: its transactions, and the accounts before and after them. */
export type ObservedSlot = {
  /** The slot, and the time that the clock of the cluster has in it. */
  readonly time: ChainTime;
  /** Those that mention the lending, vault and farms programs, failed ones too, in the order of the block. */
  readonly transactions: readonly ObservedTransaction[];
  /** At the end of the slot before. */
  readonly before: SeenAccounts;
  /** At the end of the slot. */
  readonly after: SeenAccounts;
  /** False if transactions may be missing. */
  readonly isComplete: boolean;
  /** Of an embedded cluster, whose keepers refresh reserves before the transactions of a slot and without one. */
  readonly hasKeepers?: boolean;
};
