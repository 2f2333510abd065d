import type { Generated } from 'kysely';

/** Times are epoch milliseconds of this machine, unless they are of a slot. */
type HookRow = {
  readonly id: string;
  /** Id of the API key that created it. */
  readonly owner: string;
  readonly url: string;
  readonly description: string;
  /** JSON. */
  readonly trigger: string;
  readonly secret: string;
  /** Signs too, until `previous_secret_until`. */
  readonly previous_secret: string | null;
  readonly previous_secret_until: bigint | null;
  readonly state: 'active' | 'disabled';
  readonly disabled_reason: string | null;
  /** Since when no attempt has succeeded. */
  readonly failing_since: bigint | null;
  /** Events up to this slot happened before it was created or enabled. */
  readonly since_slot: bigint;
  readonly created_at: bigint;
};

/** The side of its threshold on which a subject was last. */
type HookSideRow = {
  readonly hook: string;
  readonly subject: string;
  readonly side: 'above' | 'below';
  /** Of the crossing, or of the first evaluation. */
  readonly slot: bigint;
  readonly at: bigint;
};

/** Addresses whose events are queued for a hook; the triggers of the event tables read it. */
type HookWatchRow = {
  readonly hook: string;
  readonly role: number;
  /** An id of the table of addresses. */
  readonly address: number;
};

/** An event that was recorded or removed, and that a hook has not been told of. */
type HookEventRow = {
  readonly seq: Generated<bigint>;
  readonly hook: string;
  readonly source: number;
  readonly signature: Uint8Array;
  readonly path: Uint8Array;
  readonly leg: number;
  readonly slot: bigint;
};

export type DeliveryState = 'pending' | 'delivered' | 'failed' | 'cancelled';

type HookDeliveryRow = {
  readonly id: string;
  readonly hook: string;
  /** What it reports; unique per hook. */
  readonly event_key: string;
  readonly type: string;
  readonly slot: bigint;
  /** Seconds, of the slot. */
  readonly at: bigint;
  readonly created_at: bigint;
  /** Null after the retention time; the row stays, so that no event is delivered again. */
  readonly body: string | null;
  readonly state: DeliveryState;
  readonly attempts: number;
  /** Attempts of the current schedule, which a replay starts again. */
  readonly tries: number;
  readonly next_attempt_at: bigint;
  readonly finished_at: bigint | null;
};

type HookAttemptRow = {
  readonly delivery: string;
  readonly attempt: number;
  readonly at: bigint;
  readonly duration_ms: number;
  readonly status: number | null;
  readonly error: string | null;
  /** The start of the body of the response. */
  readonly response: string | null;
};

export type HookTables = {
  readonly hook: HookRow;
  readonly hook_side: HookSideRow;
  readonly hook_watch: HookWatchRow;
  readonly hook_event: HookEventRow;
  readonly hook_delivery: HookDeliveryRow;
  readonly hook_attempt: HookAttemptRow;
};
