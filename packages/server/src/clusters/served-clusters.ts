import {
  type Address,
  CodedError,
  type LatestBlockhash,
  type SimulationResult,
  type Slot,
} from '@tidegate/core/base';
import type { WalletAccounts } from '@tidegate/core/builders';
import type { ClusterReader } from '@tidegate/core/state';
import type { HistoryReader } from '../history/queries/history-reader.ts';
import type { Registry } from '../registry/registry.ts';
import type { VaultHistoryReader } from './vault-history-cache.ts';

export const CLUSTER_NAMES = ['mainnet-beta', 'devnet', 'localnet'] as const;

export type ClusterName = (typeof CLUSTER_NAMES)[number];

/** Retry-after while a cluster loads. */
const RETRY_SECONDS = 1;

/** The state of a cluster, for `/ready` and `/status`. */
export type ClusterStatus = {
  /** Undefined if the cluster is ready. */
  readonly waitingFor: string | undefined;
  readonly slot: Slot | undefined;
  /** Slots behind the newest slot of any endpoint. */
  readonly lagSlots: number;
  readonly endpoints: readonly {
    readonly name: string;
    readonly healthy: boolean;
    readonly slot: Slot | undefined;
  }[];
  /** Where updates come from. */
  readonly source: SourceState;
  /** What is not served, and what to do about it. */
  readonly missing: readonly string[];
  readonly undecodedAccounts: number;
};

export type SourceState = {
  readonly step: string;
  /** Epoch milliseconds since when the step is active. */
  readonly since: number;
  /** Why this step is active. */
  readonly reason: string;
  /** All configured steps, best first. `retryInMs`: time until it is tried again. */
  readonly steps: readonly {
    readonly step: string;
    readonly active: boolean;
    readonly lastError: string | undefined;
    readonly retryInMs: number | undefined;
  }[];
};

/** A cluster that this deployment serves: its state, its history, and its off-chain data. */
export type Cluster = {
  readonly env: ClusterName;
  readonly commitment: string;
  readonly reader: ClusterReader;
  readonly registry: Registry;
  /** Undefined if no history is recorded. */
  readonly history?: HistoryReader | undefined;
  /** History that current figures need, in memory. */
  readonly vaultHistoryCache?: VaultHistoryReader | undefined;
  /** Completes the history of positions on demand; undefined if no history is recorded. */
  readonly positionHistory?: PositionHistoryLoader | undefined;
  status(): ClusterStatus;
  /** Epoch milliseconds at which the newest slot arrived. */
  updatedAt(): number;
  /** Loads a wallet that is not followed yet. Resolves immediately if all wallets are followed. */
  loadWallet(owner: Address): Promise<void>;
  loadObligation(address: Address): Promise<void>;
  /** Waits at most `timeoutMs`. Returns whether the slot was reached. */
  waitForSlot(slot: bigint, timeoutMs: number): Promise<boolean>;
  /**
   * Reads accounts from an endpoint, bypassing state. `minSlot`: fails if the endpoint is behind it. `maxBytes`: truncates
   * the data of each account, for addresses from untrusted input. The result has a key for every address.
   */
  readAccounts(
    addresses: readonly Address[],
    minSlot?: Slot,
    maxBytes?: number,
  ): Promise<AccountsAtSlot>;
  /** At most a few seconds old. */
  latestBlockhash(): Promise<LatestBlockhash>;
  /** Throws SOURCE_REFUSES if no endpoint supports it. `minSlot`: not before the slot of the message's blockhash. */
  simulateTransaction(
    wire: Uint8Array,
    addresses: readonly Address[],
    minSlot?: Slot,
  ): Promise<SimulationResult>;
};

type PositionHistoryLoader = {
  /**
   * Resolves when all events of the positions are recorded. Throws HISTORY_INCOMPLETE while they are loaded, or if no
   * node has them. `name` is for the message, `address` the account of the position.
   */
  require(
    positions: readonly { readonly name: string; readonly address: Address }[],
  ): Promise<void>;
};

export type AccountsAtSlot = { readonly slot: Slot; readonly accounts: WalletAccounts };

/** Example addresses on localnet. */
export type DemoAddresses = {
  readonly rpcUrl: string;
  readonly wsUrl: string;
  /** Folder with the keys of the cluster's wallets; `wallet-0.json` is the key of `wallet`. */
  readonly keys: string;
  readonly wallet: Address;
  readonly market: Address;
  readonly vault: Address;
  readonly obligation: Address;
  /** Operations on `obligation` that succeed. */
  readonly deposit: DemoOperation;
  readonly borrow: DemoOperation;
  readonly repay: DemoOperation;
  readonly withdraw: DemoOperation;
};

/** `amount` in whole tokens. */
type DemoOperation = { readonly reserve: Address; readonly amount: string };

export type Clusters = {
  readonly all: readonly Cluster[];
  /** The primary cluster if undefined. Throws UNKNOWN_CLUSTER if it is not served. */
  byName(env: string | undefined): Cluster;
  /** Also throws CLUSTER_NOT_LOADED until state is complete for a first slot. */
  requireLoaded(env: string | undefined): Cluster;
  /** Increases with every change of any cluster. */
  version(): number;
};

/** The first cluster is the primary one. */
export function createClusters(all: readonly [Cluster, ...Cluster[]]): Clusters {
  const [primary] = all;
  const byName = (env: string | undefined): Cluster => {
    if (env === undefined) return primary;
    const cluster = all.find((served) => served.env === env);
    if (cluster !== undefined) return cluster;
    throw new CodedError('UNKNOWN_CLUSTER', { env, served: all.map((served) => served.env) });
  };
  return {
    all,
    byName,
    requireLoaded(requested) {
      const cluster = byName(requested);
      if (cluster.reader.at().slot > 0n) return cluster;
      const { env } = cluster;
      throw new CodedError('CLUSTER_NOT_LOADED', { env, retryAfterSeconds: RETRY_SECONDS });
    },
    version: () =>
      all.reduce(
        (sum, { reader, vaultHistoryCache }) =>
          sum + reader.version() + (vaultHistoryCache?.version() ?? 0),
        0,
      ),
  };
}
