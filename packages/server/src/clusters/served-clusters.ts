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

/** When to look again whether a cluster is loaded. */
const RETRY_SECONDS = 1;

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
  readonly env: ClusterName;
  readonly commitment: string;
  readonly reader: ClusterReader;
  readonly registry: Registry;
  /** Its past; undefined where none is kept. */
  readonly history?: HistoryReader | undefined;
  /** What of it is at hand for figures of now. */
  readonly vaultHistoryCache?: VaultHistoryReader | undefined;
  status(): ClusterStatus;
  /** Epoch ms when the newest slot arrived. */
  updatedAt(): number;
  /** Follow what is not followed yet; resolves at once where everything is. */
  loadWallet(owner: Address): Promise<void>;
  loadObligation(address: Address): Promise<void>;
  /** Whether that slot is reached, waiting for it for so long. */
  waitForSlot(slot: bigint, timeoutMs: number): Promise<boolean>;
  /**
   * Past what is followed, straight from an endpoint. `minSlot`: none is older. `maxBytes`: only that much of the
   * data of each, for addresses that a stranger chose. Each has a key.
   */
  readAccounts(
    addresses: readonly Address[],
    minSlot?: Slot,
    maxBytes?: number,
  ): Promise<AccountsAtSlot>;
  /** At hand while they are asked for: a few seconds old at most. */
  latestBlockhash(): Promise<LatestBlockhash>;
  /** SOURCE_REFUSES where no endpoint can. `minSlot`: no older than the blockhash that the message names. */
  simulateTransaction(
    wire: Uint8Array,
    addresses: readonly Address[],
    minSlot?: Slot,
  ): Promise<SimulationResult>;
};

export type AccountsAtSlot = { readonly slot: Slot; readonly accounts: WalletAccounts };

/** Addresses to try things with, on localnet. */
export type DemoAddresses = {
  readonly rpcUrl: string;
  readonly wsUrl: string;
  /** Folder with the keys of the cluster's wallets; `wallet-0.json` is that of `wallet`. */
  readonly keys: string;
  readonly wallet: Address;
  readonly market: Address;
  readonly vault: Address;
  readonly obligation: Address;
  /** Acts of that loan that succeed. */
  readonly deposit: DemoAct;
  readonly borrow: DemoAct;
  readonly repay: DemoAct;
  readonly withdraw: DemoAct;
};

/** `amount` in whole tokens. */
type DemoAct = { readonly reserve: Address; readonly amount: string };

export type Clusters = {
  readonly all: readonly Cluster[];
  /** The deployment's primary cluster for undefined; refused where it is not served. */
  byName(env: string | undefined): Cluster;
  /** The same, to be read: refused while there is no slot yet that all of it is known for. */
  requireLoaded(env: string | undefined): Cluster;
  /** Goes up with every change of any of them. */
  version(): number;
};

/** The first is the primary one. */
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
    requireLoaded(asked) {
      const cluster = byName(asked);
      if (cluster.reader.at().slot > 0n) return cluster;
      const { env } = cluster;
      throw new CodedError('CLUSTER_NOT_LOADED', { env, retryAfterSeconds: RETRY_SECONDS });
    },
    version: () =>
      all.reduce(
        (sum, { reader, vaultHistoryCache }) => sum + reader.version() + (vaultHistoryCache?.version() ?? 0),
        0,
      ),
  };
}
