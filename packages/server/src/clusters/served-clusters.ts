import {
  type Address,
  CodedError,
  type LatestBlockhash,
  type SimulationResult,
  type Slot,
  type UnixSeconds,
} from '@tidegate/core/base';
import type { WalletAccounts } from '@tidegate/core/builders';
import type { StakePool, Token } from '@tidegate/core/protocol/spl';
import type { ClusterReader } from '@tidegate/core/state';
import type { HistoryReader } from '../history/queries/history-reader.ts';
import type { Registry } from '../registry/registry.ts';
import type { RecentEventsReader } from './recent-events.ts';
import type { VaultHistoryReader } from './vault-history-cache.ts';

export const CLUSTER_NAMES = ['mainnet-beta', 'devnet', 'localnet'] as const;

export type ClusterName = (typeof CLUSTER_NAMES)[number];

/** Retry-after while a cluster loads. */
const RETRY_SECONDS = 1;

/** How far the start of a cluster is. `total` is 0 while it is not known. */
export type StartProgress = {
  readonly stage: 'starting' | 'simulating' | 'loading' | 'standby';
  readonly done: number;
  readonly total: number;
};

/** The state of a cluster, for `/ready` and `/status`. */
export type ClusterStatus = {
  /** Undefined if the cluster is ready. */
  readonly waitingFor: string | undefined;
  /** Undefined if nothing is loaded. */
  readonly progress?: StartProgress | undefined;
  readonly slot: Slot | undefined;
  /** Slots behind the newest slot of any endpoint. Without meaning while there is no slot. */
  readonly lagSlots: number;
  readonly endpoints: readonly {
    readonly name: string;
    readonly healthy: boolean;
    readonly slot: Slot | undefined;
    /** Why its last request failed; undefined if it succeeded. */
    readonly failureReason: string | undefined;
    /** Failed requests since the start. */
    readonly failures: number;
  }[];
  /** Where updates come from. */
  readonly source: SourceState;
  /** Undefined if no history is recorded. */
  readonly history?: HistoryState | undefined;
  /** What is not served, and what to do about it. */
  readonly missing: readonly string[];
  /** Kinds of accounts that no endpoint scans. `retryInMs`: time until they are tried again. */
  readonly scans: { readonly refused: readonly string[]; readonly retryInMs: number | undefined };
  readonly undecodedAccounts: number;
};

/** Whether the history works, which current data does not depend on. */
export type HistoryState = {
  readonly engine: 'pglite' | 'postgres';
  /** Whether it can be read. */
  readonly isReadable: boolean;
  /** Whether it is recorded. */
  readonly isWritable: boolean;
  /** Undefined if it can be read and is recorded. */
  readonly failure:
    | {
        /** Epoch milliseconds. */
        readonly since: number;
        /** What is wrong and what to do, as sentences. */
        readonly advice: string;
      }
    | undefined;
};

/** How far the history of a cluster is recorded, for `/metrics`. Undefined values are not known yet. */
export type RecordingStatus = {
  /** Chain time of the newest sample. */
  readonly sampledAt: UnixSeconds | undefined;
  /** Epoch milliseconds of the last successful write of samples and positions. */
  readonly writtenAt: number | undefined;
  /** Batches that are not written yet. */
  readonly waitingBatches: number;
  /** The newest slot up to which all events are recorded. */
  readonly eventSlot: Slot | undefined;
  /** Transactions that cannot be decoded. */
  readonly undecodedTransactions: number;
  /** Failed attempts to list events since the last one that succeeded. */
  readonly eventFailures: number;
  /** Positions whose past is being loaded. */
  readonly loadingPositions: number;
  /** Chain time since which all events are recorded; 0 if none is missing. */
  readonly eventsSince: UnixSeconds | undefined;
  /** Chain time that the backfill of each program has reached. */
  readonly backfilledTo: ReadonlyMap<Address, UnixSeconds>;
  /** Connections to PostgreSQL; undefined for the embedded database. */
  readonly pool: ConnectionPoolStatus | undefined;
};

type ConnectionPoolStatus = {
  readonly used: number;
  readonly idle: number;
  /** Queries that wait for a connection. */
  readonly waiting: number;
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
  /** The newest events, in memory; undefined if no history is recorded. */
  readonly recentEvents?: RecentEventsReader | undefined;
  /** Volume and market cap of tokens; undefined where they are not counted on the cluster. */
  readonly tokenFigures?: TokenFigureReader | undefined;
  /** Stake pools by token, as last read; undefined if no history is recorded. */
  readonly stakePools?: (() => ReadonlyMap<Address, StakePool>) | undefined;
  /** Whether all events up to the slot are recorded. Waits at most `timeoutMs`. Undefined if no history is recorded. */
  readonly waitForEvents?: ((slot: Slot, timeoutMs: number) => Promise<boolean>) | undefined;
  /** Completes the history of positions on demand; undefined if no history is recorded. */
  readonly positionHistory?: PositionHistoryLoader | undefined;
  /** Lookup tables of markets that have none in the registry. */
  readonly marketTables: MarketTables;
  /** Whether the loans, stakes and shares of all wallets are known. Undefined for a cluster that has all accounts. */
  readonly hasAllPositions?: (() => boolean) | undefined;
  status(): ClusterStatus;
  /** Undefined if no history is recorded. */
  readonly recordingStatus?: (() => RecordingStatus) | undefined;
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
  /** Epochs that finished before the slot, as far as an endpoint has their times. */
  listEpochs(slot: Slot): Promise<EpochList>;
  /**
   * The result of `getTransaction` for a signature; undefined if no endpoint has it. Undefined for a cluster without
   * endpoints.
   */
  readonly findTransaction?: ((signature: string) => Promise<unknown>) | undefined;
  /** At most a few seconds old. */
  latestBlockhash(): Promise<LatestBlockhash>;
  /** Throws SOURCE_REFUSES if no endpoint supports it. `minSlot`: not before the slot of the message's blockhash. */
  simulateTransaction(
    wire: Uint8Array,
    addresses: readonly Address[],
    minSlot?: Slot,
  ): Promise<SimulationResult>;
};

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

export type PositionHistoryLoader = {
  /** Whether no event of any position is missing. */
  hasEverything(): Promise<boolean>;
  /**
   * Resolves when all events of the positions are recorded. Throws HISTORY_INCOMPLETE while they are loaded, or if no
   * node has them. `name` is for the message, `address` the account of the position; `isListed` if its transactions are
   * listed and no figure is computed from them.
   */
  require(
    positions: readonly {
      readonly name: string;
      readonly address: Address;
      readonly isListed?: true;
    }[],
  ): Promise<void>;
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
