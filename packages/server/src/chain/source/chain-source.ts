import type {
  Address,
  ClusterAccount,
  Commitment,
  KeyedAccount,
  LatestBlockhash,
  Ratio,
  SimulationResult,
  Slot,
  UnixSeconds,
} from '@tidegate/core/base';
import type { EndpointUsage } from '../budget/endpoint-meter.ts';
import type { EndpointWitnesses } from './endpoint-witness.ts';
import type { LedgerReader } from './ledger-reader.ts';

/** A node returns only accounts of this size, or with these bytes at the offset. */
export type AccountFilter =
  | { readonly kind: 'size'; readonly size: number }
  | { readonly kind: 'bytes'; readonly offset: number; readonly bytes: Uint8Array };

export type ProgramScan = { readonly program: Address; readonly filters: readonly AccountFilter[] };

/** A part of the data of each account. */
export type DataSlice = { readonly offset: number; readonly length: number };

/** What to read of the accounts of a program. */
export type ProgramRead = {
  readonly scan: ProgramScan;
  /** `addresses`: accounts without data. A slice: accounts with that part of their data only. */
  readonly content: 'accounts' | 'addresses' | DataSlice;
  /**
   * Only accounts that were written at or after this slot. A closed account is not among them. Throws SOURCE_REFUSES if no
   * endpoint supports it, which is the usual case.
   */
  readonly changedSince?: Slot | undefined;
  /** Throws SOURCE_LAGS if the node is behind it. */
  readonly minSlot?: Slot | undefined;
};

/** An existing account. Its data is of this slot or of a later one. */
export type ReadAccount = KeyedAccount & { readonly slot: Slot };

/** Receives accounts while they arrive. */
export type ProgramReadSink = {
  /** The read starts, perhaps over again: what arrived before does not count. */
  onStart(): void;
  onAccount(account: ReadAccount): void;
};

export type ProgramReadResult = {
  /** No account was read at a later slot. */
  readonly slot: Slot;
  /** An account that was last written before this slot and did not arrive does not exist. */
  readonly completeAt: Slot;
};

/** An account as of a slot; undefined if it does not exist. */
export type AccountUpdate = {
  readonly address: Address;
  readonly account: ClusterAccount | undefined;
  readonly slot: Slot;
};

/** The least price that a transaction paid in a slot to write an account, in micro-lamports per compute unit. */
export type PriorityFeeSample = { readonly slot: Slot; readonly microLamports: bigint };

/** A slot and its time, if known. */
export type SlotTime = { readonly slot: Slot; readonly unix: UnixSeconds | undefined };

export type SubscriptionTarget =
  /**
   * `isOptional`: the subscriber works without it, so a source that rejects it is still used for the rest. `isLarge`: a
   * source without updates leaves it to the subscriber to read the accounts again, see `sendsUpdates`.
   */
  | {
      readonly kind: 'program';
      readonly scan: ProgramScan;
      readonly isOptional?: boolean;
      readonly isLarge?: boolean;
    }
  /** `isLarge`: as for a program. */
  | {
      readonly kind: 'accounts';
      readonly addresses: readonly Address[];
      readonly isLarge?: boolean;
    }
  /** Transactions that mention an address, including failed ones. Not all sources support it. */
  | { readonly kind: 'logs'; readonly mentions: Address }
  /** Whole transactions that mention one of the addresses, including failed ones. Only gRPC supports it. */
  | { readonly kind: 'transactions'; readonly mentions: readonly Address[] }
  | { readonly kind: 'slots' };

export type TransactionNotice = {
  readonly slot: Slot;
  readonly signature: string;
  readonly failed: boolean;
};

/** `transaction`: in the form of `getTransaction` with the encoding `json`. */
export type StreamedTransaction = TransactionNotice & {
  /** Position in its block. */
  readonly transactionIndex: number;
  readonly transaction: unknown;
};

/** Called in the order of the source, and never after the subscription was stopped. */
export type SubscriptionListener = {
  onAccount(update: AccountUpdate): void;
  /**
   * Every update up to and including this slot has been delivered. `unix`: the slot's time, if known. Called for `slots`,
   * and for `transactions` while the source sends them.
   */
  onSlot(slot: Slot, unix?: UnixSeconds): void;
  /** A matching transaction was processed. */
  onLogs?(notice: TransactionNotice): void;
  /** May be called twice for a transaction after an interruption that caused no gap. */
  onTransaction?(transaction: StreamedTransaction): void;
  /** The cluster abandoned the slot: what was delivered for it is void. */
  onSlotDead?(slot: Slot): void;
  /** Updates may have been missed. The target must be read again. */
  onGap(reason: string): void;
};

export type Subscription = {
  /** Resolves when the subscription is active. A read after that misses no update. */
  readonly ready: Promise<void>;
  /** False while the subscriber has to read the accounts of a large target itself. A change is reported as a gap. */
  sendsUpdates?(): boolean;
  /** Whether updates come from reads: one may be newer than the slot for which it is announced. */
  isPolled?(): boolean;
  stop(): void;
};

/**
 * Reads a cluster at one commitment. Every result has the slot for which it is valid. Throws a CodedError:
 * SOURCE_UNAVAILABLE (retry, or use another endpoint), SOURCE_LAGS (behind the requested slot), or SOURCE_REFUSES (the
 * node does not serve this request).
 */
export type ChainReads = {
  /** For logs: kind and host. Never contains the path or query, which may hold an API key. */
  readonly name: string;
  readonly commitment: Commitment;
  getGenesisHash(): Promise<string>;
  getSlotTime(): Promise<SlotTime>;
  /** Recent mean slot duration; undefined if the node has no samples. */
  getSlotDurationMs(): Promise<Ratio | undefined>;
  /**
   * In the order of the addresses. `minSlot`: throws SOURCE_LAGS if the node is behind it. `maxBytes`: truncates the data
   * of each account, for addresses from untrusted input.
   */
  getAccounts(
    addresses: readonly Address[],
    minSlot?: Slot,
    maxBytes?: number,
  ): Promise<{ readonly slot: Slot; readonly accounts: readonly (ClusterAccount | undefined)[] }>;
  /**
   * As `getAccounts`, from another endpoint than most requests if one works, so that no endpoint confirms itself. A
   * source with one endpoint need not have it.
   */
  getAccountsAgain?(
    addresses: readonly Address[],
    minSlot?: Slot,
  ): ReturnType<ChainReads['getAccounts']>;
  scanProgram(
    scan: ProgramScan,
    minSlot?: Slot,
  ): Promise<{ readonly slot: Slot; readonly accounts: readonly KeyedAccount[] }>;
  /** As `scanProgram`, without holding the accounts in memory. The result is valid only if it resolves. */
  streamProgram(read: ProgramRead, sink: ProgramReadSink): Promise<ProgramReadResult>;
  getLatestBlockhash(minSlot?: Slot): Promise<LatestBlockhash>;
  /** Of transactions that write all of these accounts, in recent slots; at most 128 accounts. */
  getRecentPriorityFees(writable: readonly Address[]): Promise<readonly PriorityFeeSample[]>;
  /**
   * Simulates an unsigned transaction. `addresses`: accounts to return. `minSlot`: not before the slot of the blockhash,
   * which the node would not know otherwise.
   */
  simulate(
    wire: Uint8Array,
    addresses: readonly Address[],
    minSlot?: Slot,
  ): Promise<SimulationResult>;
  readonly ledger: LedgerReader;
};

/** Reads one endpoint. */
export type ChainReader = ChainReads & {
  getSlot(): Promise<Slot>;
  /** What was used of the endpoint. */
  usage?(): EndpointUsage;
  close(): void;
};

export type ChainSource = ChainReads & {
  /** To compare the endpoints with each other; undefined if that is not possible. */
  readonly witnesses?: EndpointWitnesses | undefined;
  subscribe(target: SubscriptionTarget, listener: SubscriptionListener): Subscription;
  close(): void;
};
