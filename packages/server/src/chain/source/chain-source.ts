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
import type { LedgerReader } from './ledger-reader.ts';

/** What a node may leave out before it sends: other sizes, other bytes at an offset. */
export type AccountFilter =
  | { readonly kind: 'size'; readonly size: number }
  | { readonly kind: 'bytes'; readonly offset: number; readonly bytes: Uint8Array };

export type ProgramScan = { readonly program: Address; readonly filters: readonly AccountFilter[] };

/** An account as of a slot; undefined where it does not exist (any more). */
export type AccountUpdate = {
  readonly address: Address;
  readonly account: ClusterAccount | undefined;
  readonly slot: Slot;
};

/** What is true of a slot, as far as it is known. */
export type SlotTime = { readonly slot: Slot; readonly unix: UnixSeconds | undefined };

export type SubscriptionTarget =
  | { readonly kind: 'program'; readonly scan: ProgramScan }
  | { readonly kind: 'accounts'; readonly addresses: readonly Address[] }
  /** Transactions that mention an address, failed ones too; not every source tells of them. */
  | { readonly kind: 'logs'; readonly mentions: Address }
  | { readonly kind: 'slots' };

/** Calls come in the order of the source; none comes after `stop` of the subscription. */
export type SubscriptionListener = {
  onAccount(update: AccountUpdate): void;
  /** Every update up to and including this slot has been delivered. `unix`: its time, where the source knows it. */
  onSlot(slot: Slot, unix?: UnixSeconds): void;
  /** A transaction of what is followed came in this slot. */
  onLogs?(slot: Slot): void;
  /** Updates may have been missed: what was followed must be read again, from now on. */
  onGap(reason: string): void;
};

export type Subscription = {
  /** Resolves when updates from here on arrive; what is read after it misses nothing. */
  readonly ready: Promise<void>;
  stop(): void;
};

/**
 * A cluster to read, at one commitment. Every answer says the slot it is true for. A failure is a
 * CodedError: SOURCE_UNAVAILABLE (try again, or another endpoint), SOURCE_LAGS (behind the slot that was
 * asked for), SOURCE_REFUSES (the node will not serve this request).
 */
export type ChainSource = {
  /** For people: host and kind, never a path or a query, which may hold a key. */
  readonly name: string;
  readonly commitment: Commitment;
  getGenesisHash(): Promise<string>;
  getSlotTime(): Promise<SlotTime>;
  /** How long slots took lately; undefined where the node keeps no samples. */
  getSlotDurationMs(): Promise<Ratio | undefined>;
  /**
   * In the order of the addresses. `minSlot`: an older state is refused with SOURCE_LAGS. `maxBytes`: only that
   * much of the data of each, for addresses that a stranger chose.
   */
  getAccounts(
    addresses: readonly Address[],
    minSlot?: Slot,
    maxBytes?: number,
  ): Promise<{ readonly slot: Slot; readonly accounts: readonly (ClusterAccount | undefined)[] }>;
  scanProgram(
    scan: ProgramScan,
    minSlot?: Slot,
  ): Promise<{ readonly slot: Slot; readonly accounts: readonly KeyedAccount[] }>;
  getLatestBlockhash(minSlot?: Slot): Promise<LatestBlockhash>;
  /**
   * Runs an unsigned transaction without effect. `addresses`: what is to be known afterwards. `minSlot`: no
   * older than its blockhash, or that is unknown to the node.
   */
  simulate(
    wire: Uint8Array,
    addresses: readonly Address[],
    minSlot?: Slot,
  ): Promise<SimulationResult>;
  readonly ledger: LedgerReader;
  subscribe(followed: SubscriptionTarget, listener: SubscriptionListener): Subscription;
  close(): void;
};
