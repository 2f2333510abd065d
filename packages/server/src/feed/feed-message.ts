import type { Address, ChainTime, Ratio, RawAccount, Slot } from '@tidegate/core/base';
import type { StateRows, UnreadableAccount } from '@tidegate/core/state';
import type { SourceAlarmState } from '../clusters/cluster-status.ts';
import type { DriftReport } from '../clusters/drift-report.ts';
import type { PositionGapReport } from '../clusters/position-gap-report.ts';
import type { ProofReport } from '../clusters/proof-report.ts';
import type { UnprovenReason } from '../clusters/unproven-kinds.ts';
import type { ClusterPrograms } from '../programs/cluster-programs.ts';

/**
 * A message of the state feed. The writer of a cluster sends one per slot; a large one is split into parts, and only the
 * last part has a time. A snapshot consists of parts.
 */
export type FeedMessage = {
  /** In the order in which they are applied. */
  readonly accounts: readonly FeedAccount[];
  /** Accounts that cannot be decoded; only in snapshots, because messages have the bytes of such an account. */
  readonly unreadable?: readonly FeedUnreadable[];
  /** The slot that is complete after this message; undefined in a part. */
  readonly at?: ChainTime;
  /** Milliseconds since that slot arrived at the writer, when the message was sent. */
  readonly ageMs?: number;
  /** When the message was sent, in milliseconds of a clock of the writer that never goes back. */
  readonly sentMs?: number;
  /** Facts that changed since the message before; all of them in a snapshot. */
  readonly facts?: Partial<FeedFacts>;
  /** Accounts of a snapshot as the state of the writer stores them. */
  readonly rows?: StateRows;
  /** Answers to requests, after everything that they changed. */
  readonly replies?: readonly FeedReply[];
};

/** The new content of an account; `closed` if it does not exist; `forgotten` if it is no longer followed. */
export type FeedAccount =
  | { readonly address: Address; readonly slot: Slot; readonly account: RawAccount }
  | { readonly address: Address; readonly slot: Slot; readonly account: 'closed' | 'forgotten' };

export type FeedUnreadable = { readonly account: UnreadableAccount; readonly slot: Slot };

/** What readers need beside accounts. */
export type FeedFacts = {
  readonly slotMs: Ratio;
  /** Share mints whose token accounts are all known. */
  readonly completeShareMints: readonly Address[];
  readonly hasAllPositions: boolean;
  readonly status: FeedStatus;
  /** Increases when the writer has read the history that current figures of vaults need. */
  readonly vaultHistoryVersion: number;
  /** Lookup tables that were found, by market. */
  readonly marketTables: readonly (readonly [market: Address, table: Address])[];
  /** Accounts of stake pools by the mint of their token. */
  readonly stakePools: readonly (readonly [mint: Address, pool: RawAccount])[];
  readonly programs: ClusterPrograms;
  /** Absent if the writer records no history. */
  readonly events?: RecordedEvents;
  /** Absent if the writer proves nothing. */
  readonly proof?: ProofReport;
  /** Absent if the writer does not compare its state with the chain. */
  readonly drift?: DriftReport;
  /** Absent if the writer does not compare positions with their events. */
  readonly positionGaps?: PositionGapReport;
};

/** What the writer's `/status` has and only the writer knows. */
type FeedStatus = {
  readonly missing: readonly string[];
  readonly refusedScans: readonly string[];
  /** Slots that the writer is behind the cluster. */
  readonly lagSlots: number;
  /** What its sources said that cannot be true. */
  readonly alarms: readonly SourceAlarmState[];
  /** Why its state may differ from the cluster. */
  readonly doubts: readonly UnprovenReason[];
};

/** How far the writer has recorded events. */
type RecordedEvents = {
  /** All events up to this slot are in the database. */
  readonly upTo: Slot;
  /** The checkpoint in the database when that was so: a replica that has it has all of these events. */
  readonly checkpoint: Slot;
  /** Increases whenever events were written or removed. */
  readonly version: number;
};

/** Work that only the writer can do. */
export type FeedRequest =
  | { readonly kind: 'wallet' | 'obligation' | 'marketTable'; readonly address: Address }
  | { readonly kind: 'events'; readonly slot: Slot }
  | { readonly kind: 'positions'; readonly positions: readonly FeedPosition[] }
  /** A change of the webhooks, as JSON. */
  | { readonly kind: 'hook'; readonly command: string }
  /** Only a message, from which a reader sees that it has applied all others: a halted cluster has no slots. */
  | { readonly kind: 'flush' };

type FeedPosition = {
  readonly name: string;
  readonly address: Address;
  readonly isListed?: true;
};

export type FeedReply = {
  readonly id: string;
  /** Undefined after success. */
  readonly failure?: FeedFailure;
};

export type FeedFailure = {
  readonly reason: string;
  /** The fields of HISTORY_INCOMPLETE, if it is that error. */
  readonly incomplete?: { readonly what: string; readonly retryAfterSeconds: number };
};
