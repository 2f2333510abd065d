import type { Address, ChainTime, RawAccount, Slot } from '@tidegate/core/base';

/** What a cluster did up to a moment: accounts that changed, slot by slot, and the transactions that ran. */
export type ClusterStep = {
  readonly at: ChainTime;
  /** Ascending; slots in which nothing changed are left out. */
  readonly slots: readonly SlotChanges[];
  readonly transactions: readonly StepTransaction[];
  /** Whether the cluster is sampled as it is after the step, and what one sample stands for. */
  readonly sample?: 'minute' | 'hour';
};

export type SlotChanges = {
  readonly at: ChainTime;
  /** Undefined where one exists no more. */
  readonly accounts: readonly {
    readonly address: Address;
    readonly account: RawAccount | undefined;
  }[];
};

export type StepTransaction = {
  readonly slot: Slot;
  /** In its slot. */
  readonly place: number;
  /** What `getTransaction` answers, as text. */
  readonly json: string;
};
