import type { Address, ClusterAccount, Slot } from '@tidegate/core/base';

/** One of the endpoints of a source, which is read on its own to compare it with the others. */
export type EndpointWitness = {
  readonly name: string;
  /** Whether it is not used, because its accounts differed from those of the others. */
  readonly isSetAside: boolean;
  /** Throws if this endpoint does not serve it. */
  getAccounts(
    addresses: readonly Address[],
    minSlot?: Slot,
  ): Promise<{ readonly slot: Slot; readonly accounts: readonly (ClusterAccount | undefined)[] }>;
  /** The endpoint is not used until `restore`. */
  setAside(reason: string): void;
  restore(): void;
};

/** The endpoints of a source, as witnesses of its accounts. */
export type EndpointWitnesses = {
  /** Those of the cluster, also if they are set aside or fail. */
  all(): readonly EndpointWitness[];
  /** Counts an answer that cannot be true, or that others contradict. */
  noteWrong(source: string, reason: string): void;
  /** Counts an account that cannot exist. */
  noteMalformed(source: string, reason: string): void;
};
