import type { Address } from '../base/address.ts';
import { CodedError } from '../base/errors.ts';
import type { Slot } from '../base/time.ts';
import type { Registry } from '../registry/registry.ts';
import type { ClusterReader } from '../state/reader.ts';

export const ENVS = ['mainnet-beta', 'devnet', 'localnet'] as const;

export type Env = (typeof ENVS)[number];

/** How far a cluster's state is, for `/ready` and `/status`. */
export type ClusterStatus = {
  /** Undefined while it is right; else what it waits for. */
  readonly waitingFor: string | undefined;
  readonly slot: Slot | undefined;
  /** Slots behind the newest that any endpoint has told. */
  readonly lagSlots: number;
  readonly endpoints: readonly {
    readonly name: string;
    readonly healthy: boolean;
    readonly slot: Slot | undefined;
  }[];
  readonly undecodedAccounts: number;
};

/** One cluster that this deployment serves: its present, and what no chain holds of it. */
export type Cluster = {
  readonly env: Env;
  readonly commitment: string;
  readonly reader: ClusterReader;
  readonly registry: Registry;
  status(): ClusterStatus;
  /** Epoch ms when the newest slot arrived. */
  updatedAt(): number;
  /** Follow what is not followed yet; resolves at once where everything is. */
  ensureWallet(owner: Address): Promise<void>;
  ensureObligation(address: Address): Promise<void>;
  /** Whether that slot is reached, waiting for it for so long. */
  reaches(slot: bigint, timeoutMs: number): Promise<boolean>;
};

/** Addresses to try things with, on localnet. */
export type Demo = {
  readonly rpcUrl: string;
  readonly wsUrl: string;
  readonly wallet: Address;
  readonly market: Address;
  readonly vault: Address;
  readonly obligation: Address;
};

export type Clusters = {
  readonly all: readonly Cluster[];
  /** The deployment's primary cluster for undefined; refused where it is not served. */
  select(env: string | undefined): Cluster;
  /** Goes up with every change of any of them. */
  version(): number;
};

/** The first is the primary one. */
export function createClusters(all: readonly [Cluster, ...Cluster[]]): Clusters {
  const [primary] = all;
  return {
    all,
    select(env) {
      if (env === undefined) return primary;
      const cluster = all.find((served) => served.env === env);
      if (cluster !== undefined) return cluster;
      throw new CodedError('UNKNOWN_CLUSTER', { env, served: all.map((served) => served.env) });
    },
    version: () => all.reduce((sum, { reader }) => sum + reader.version(), 0),
  };
}
