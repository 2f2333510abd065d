import type { Address, Slot, UnixSeconds } from '@tidegate/core/base';

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
    /** Undefined if it is not counted. */
    readonly usage?: EndpointTraffic | undefined;
  }[];
  /** Where updates come from. */
  readonly source: SourceState;
  /** What sources said that cannot be true, one entry per kind. */
  readonly alarms: readonly SourceAlarmState[];
  /** Undefined if no history is recorded. */
  readonly history?: HistoryState | undefined;
  /** What is not served, and what to do about it. */
  readonly missing: readonly string[];
  /** Kinds of accounts that no endpoint scans. `retryInMs`: time until they are tried again. */
  readonly scans: { readonly refused: readonly string[]; readonly retryInMs: number | undefined };
  readonly undecodedAccounts: number;
  /** Undefined in a process that does not follow the cluster itself. */
  readonly checks?: SourceCheckStatus | undefined;
};

/** What the checks of the source found. Counts are since the start. */
export type SourceCheckStatus = {
  /** Accounts that a node did not return, and that a second read did not return either. */
  readonly confirmedAbsences: number;
  /** Accounts that a node did not return, although a second read did. */
  readonly refutedAbsences: number;
  /** Accounts that are served as they were, because the reads contradict each other. */
  readonly unconfirmedAbsences: number;
  /** Updates that arrived after their slot counted as complete. */
  readonly lateUpdates: number;
  /** How long announced slots wait for late updates. */
  readonly delayMs: number;
  /** No later slot is known to be complete; undefined if the slot of state is. */
  readonly completeTo: Slot | undefined;
  /** Accounts that were read from each endpoint and compared. */
  readonly comparedAccounts: number;
  /** Of these, accounts that an endpoint returned wrong. */
  readonly wrongAccounts: number;
  /** Accounts of which it is not known which source is right. */
  readonly disputedAccounts: number;
};

/** Calls, and the bytes that they sent and received. */
type CallTraffic = { readonly calls: number; readonly bytes: number };

/** What was used of an endpoint. */
export type EndpointTraffic = {
  readonly lastMinute: CallTraffic;
  /** Of the UTC day, since the start of the process. */
  readonly today: CallTraffic;
  readonly methods: ReadonlyMap<
    string,
    {
      readonly calls: number;
      readonly sentBytes: number;
      readonly receivedBytes: number;
      /** By error code. */
      readonly errors: ReadonlyMap<string, number>;
      /** Requests per bucket, the last one without an upper bound. */
      readonly durations: readonly number[];
      readonly totalSeconds: number;
    }
  >;
  /** Upper bounds of `durations` in seconds. */
  readonly durationBounds: readonly number[];
  /** Undefined without a budget. An undefined part is not limited. */
  readonly budget:
    | {
        readonly callsPerSecond: number | undefined;
        readonly bytesPerDay: number | undefined;
        /** Of the UTC day. */
        readonly bytesLeft: number | undefined;
      }
    | undefined;
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

export type ConnectionPoolStatus = {
  readonly used: number;
  readonly idle: number;
  /** Queries that wait for a connection. */
  readonly waiting: number;
};

export type SourceAlarmState = {
  readonly kind: string;
  /** Since the start. */
  readonly count: number;
  /** `at`: epoch milliseconds. */
  readonly last?:
    | { readonly source: string; readonly reason: string; readonly at: number }
    | undefined;
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
