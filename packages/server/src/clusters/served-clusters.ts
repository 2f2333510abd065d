import type {
  Address,
  LatestBlockhash,
  SimulationResult,
  Slot,
  StatusQuery,
  TransactionStatus,
  UnixSeconds,
} from '@tidegate/core/base';
import type { WalletAccounts } from '@tidegate/core/builders';
import type { Token } from '@tidegate/core/protocol/spl';
import type { ClusterReader } from '@tidegate/core/state';
import { CodedError } from '../errors.ts';
import type { ClusterPrograms } from '../programs/cluster-programs.ts';
import type { Registry } from '../registry/registry.ts';
import type { ClusterStatus, StartProgress } from './cluster-status.ts';
import type { DriftReader } from './drift-report.ts';
import type { ProofReader } from './proof-report.ts';
import type { Recording } from './recording.ts';
import type { UnprovenKindsReader } from './unproven-kinds.ts';

export const CLUSTER_NAMES = ['mainnet-beta', 'devnet', 'localnet'] as const;

export type ClusterName = (typeof CLUSTER_NAMES)[number];

/** Retry-after while a cluster loads. */
const RETRY_SECONDS = 1;

/** What is recorded: series and all events, series and the events of requested positions, or nothing. */
export type HistoryMode = 'full' | 'events-on-demand' | 'off';

/** A cluster that this deployment serves: its state, its history, and its off-chain data. */
export type Cluster = {
  readonly env: ClusterName;
  readonly commitment: string;
  readonly reader: ClusterReader;
  readonly registry: Registry;
  /** By default everything is recorded. */
  readonly historyMode?: HistoryMode | undefined;
  /** Undefined if no history is recorded. */
  readonly recording?: Recording | undefined;
  /** Volume and market cap of tokens; undefined where they are not counted on the cluster. */
  readonly tokenFigures?: TokenFigureReader | undefined;
  /** Lookup tables of markets that have none in the registry. */
  readonly marketTables: MarketTables;
  /** Whether the loans, stakes and shares of all wallets are known. Undefined for a cluster that has all accounts. */
  readonly hasAllPositions?: (() => boolean) | undefined;
  /** Kinds of accounts whose figures may differ from the programs'. By default nothing is checked. */
  readonly unproven?: UnprovenKindsReader | undefined;
  /** Undefined if nothing is replayed. */
  readonly proof?: ProofReader | undefined;
  /** Undefined if state is not compared with the chain. */
  readonly drift?: DriftReader | undefined;
  /** What runs on the cluster, as its program data accounts say. */
  readonly programs?: (() => ClusterPrograms) | undefined;
  status(): ClusterStatus;
  /** Milliseconds since the newest slot arrived, by a clock that never goes back. */
  ageMs(): number;
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
  /** Epochs that finished before the slot, as far as an endpoint has their times. */
  listEpochs(slot: Slot): Promise<EpochList>;
  /**
   * The result of `getTransaction` for a signature; undefined if no endpoint has it. Undefined for a cluster without
   * endpoints.
   */
  readonly findTransaction?: ((signature: string) => Promise<unknown>) | undefined;
  /** What an endpoint knows of a transaction; undefined for a cluster without endpoints. */
  readonly transactionStatus?: ((query: StatusQuery) => Promise<TransactionStatus>) | undefined;
  /** At most a few seconds old. */
  latestBlockhash(): Promise<LatestBlockhash>;
  /** The least price in recent slots of transactions that write all of these accounts; at most 128. */
  recentPriorityFees(writable: readonly Address[]): Promise<readonly PriorityFee[]>;
  /** Throws SOURCE_REFUSES if no endpoint supports it. `minSlot`: not before the slot of the message's blockhash. */
  simulateTransaction(
    wire: Uint8Array,
    addresses: readonly Address[],
    minSlot?: Slot,
  ): Promise<SimulationResult>;
};

/** In micro-lamports per compute unit. */
type PriorityFee = { readonly slot: Slot; readonly microLamports: bigint };

/** Null if it is not known. */
export type TokenFigure = Pick<Token, 'tradingVolume24H' | 'marketCapUsd'>;

/** Figures of tokens that are counted on the cluster itself. */
export type TokenFigureReader = {
  find(mint: Address): TokenFigure;
  /** Increases with every change. */
  version(): number;
};

type MarketTables = {
  /** A table that was found among recent transactions of the market. */
  tableOf(market: Address): Address | undefined;
  /** Searches for a table in the background. Does nothing if it was done recently. */
  request(market: Address): void;
};

/** Both ascending. */
type EpochList = {
  readonly epochs: readonly {
    readonly epoch: bigint;
    readonly first: Slot;
    readonly last: Slot;
    /** Times of the first and the last block. */
    readonly startedAt: UnixSeconds;
    readonly endedAt: UnixSeconds;
  }[];
  /** Epochs without known times, from `first` to `last`. */
  readonly missing: readonly {
    readonly first: bigint;
    readonly last: bigint;
    readonly reason: string;
  }[];
};

export type AccountsAtSlot = { readonly slot: Slot; readonly accounts: WalletAccounts };

/** The embedded cluster's example wallet. Only `addresses` may be published. */
export type Demo = {
  readonly addresses: DemoAddresses;
  /** Folder with the keys of the cluster's wallets. */
  readonly keysFolder: string;
};

/** Example addresses on localnet. */
type DemoAddresses = {
  readonly rpcUrl: string;
  readonly wsUrl: string;
  readonly wallet: Address;
  readonly market: Address;
  readonly vault: Address;
  readonly obligation: Address;
  /** Operations on `obligation` that succeed. */
  readonly deposit: DemoOperation;
  readonly borrow: DemoOperation;
  readonly repay: DemoOperation;
  readonly withdraw: DemoOperation;
  /** Succeeds for `wallet`. */
  readonly vaultDeposit: { readonly kvault: Address; readonly amount: string };
};

/** `amount` in whole tokens. */
type DemoOperation = { readonly reserve: Address; readonly amount: string };

export type Clusters = {
  readonly all: readonly Cluster[];
  /** By name or alias; the primary cluster if undefined. */
  find(env: string | undefined): Cluster | undefined;
  /** The primary cluster if undefined. Throws UNKNOWN_CLUSTER if it is not served. */
  byName(env: string | undefined): Cluster;
  /** Also throws CLUSTER_NOT_LOADED until state is complete for a first slot. */
  requireLoaded(env: string | undefined): Cluster;
  /** What they wait for until they are opened, and `all` has them; undefined afterwards. */
  waitingFor?(): string | undefined;
  /** How far the start is until they are opened; undefined afterwards. */
  progress?(): StartProgress | undefined;
};

/** Clusters that are served, by alias. No alias is the name of a served cluster. */
export type ClusterAliases = ReadonlyMap<string, ClusterName>;

/** The first cluster is the primary one. */
export function createClusters(
  all: readonly [Cluster, ...Cluster[]],
  aliases: ClusterAliases = new Map(),
): Clusters {
  const [primary] = all;
  const byEnv = new Map<string, Cluster>(all.map((cluster) => [cluster.env, cluster]));
  const find = (env: string | undefined): Cluster | undefined =>
    env === undefined ? primary : byEnv.get(aliases.get(env) ?? env);
  const byName = (env: string | undefined): Cluster => {
    const cluster = find(env);
    if (cluster !== undefined) return cluster;
    throw new CodedError('UNKNOWN_CLUSTER', { env: env ?? '', served: [...byEnv.keys()] });
  };
  return {
    all,
    find,
    byName,
    requireLoaded(requested) {
      const cluster = byName(requested);
      if (cluster.reader.at().slot > 0n) return cluster;
      const { env } = cluster;
      throw new CodedError('CLUSTER_NOT_LOADED', { env, retryAfterSeconds: RETRY_SECONDS });
    },
  };
}
