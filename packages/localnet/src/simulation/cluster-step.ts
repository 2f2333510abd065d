import type { Address, ChainTime, RawAccount, Slot } from '@tidegate/core/base';

/** Account changes per slot and transactions of the cluster up to a point in time. */
export type ClusterStep = {
  readonly at: ChainTime;
  /** Ascending; slots in which nothing changed are left out. */
  readonly slots: readonly SlotChanges[];
  readonly transactions: readonly StepTransaction[];
  /** Set when the cluster is sampled after this step: the interval that one sample covers. */
  readonly sample?: 'minute' | 'hour';
};

export type SlotChanges = {
  readonly at: ChainTime;
  /** `account` is undefined if the account was closed. */
  readonly accounts: readonly {
    readonly address: Address;
    readonly account: RawAccount | undefined;
  }[];
};

export type StepTransaction = {
  readonly slot: Slot;
  /** Within its slot. */
  readonly transactionIndex: number;
  /** The response of `getTransaction` as JSON text. */
  readonly json: string;
};
