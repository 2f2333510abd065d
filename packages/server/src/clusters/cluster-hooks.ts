import type { ProgramName } from '@tidegate/core/protocol/releases';

export const HOOK_TYPES = [
  'loanHealth',
  'liquidation',
  'vaultApy',
  'vaultLiquidity',
  'reservePrice',
  'reserveCap',
  'walletTransactions',
  'programUpgraded',
] as const;

export const HOOK_DIRECTIONS = ['rising', 'falling', 'both'] as const;

/** What a hook waits for. Which fields it has depends on the type. Decimals are strings. */
export type HookTrigger = {
  readonly type: (typeof HOOK_TYPES)[number];
  readonly obligation?: string;
  readonly wallet?: string;
  readonly vault?: string;
  readonly reserve?: string;
  readonly program?: ProgramName;
  readonly metric?: 'ltv' | 'distanceToLiquidation';
  readonly cap?: 'deposit' | 'borrow';
  readonly threshold?: string;
  readonly hysteresis?: string;
  readonly direction?: (typeof HOOK_DIRECTIONS)[number];
};

export type HookDefinition = {
  readonly url: string;
  readonly description: string;
  readonly trigger: HookTrigger;
};

/** A webhook without its secret. Times are epoch milliseconds. */
export type Hook = HookDefinition & {
  readonly id: string;
  readonly state: 'active' | 'disabled';
  readonly disabledReason: string | null;
  readonly failingSince: number | null;
  readonly sinceSlot: bigint;
  readonly createdAt: number;
  /** Where each subject was last, if the trigger is a crossing. */
  readonly sides: readonly {
    readonly subject: string;
    readonly side: 'above' | 'below';
    readonly slot: bigint;
  }[];
};

type HookAttempt = {
  readonly attempt: number;
  readonly at: number;
  readonly durationMs: number;
  readonly status: number | null;
  readonly error: string | null;
  readonly response: string | null;
};

export type HookDelivery = {
  readonly id: string;
  readonly type: string;
  readonly slot: bigint;
  readonly createdAt: number;
  readonly state: 'pending' | 'delivered' | 'failed' | 'cancelled';
  /** Undefined while none is scheduled. */
  readonly nextAttemptAt: number | undefined;
  readonly finishedAt: number | null;
  /** The signed text; null after the retention time. */
  readonly body: string | null;
  /** Oldest first. */
  readonly attempts: readonly HookAttempt[];
};

/** Newest first, after a delivery of an earlier page. */
export type DeliveryQuery = {
  readonly limit: number;
  readonly state?: HookDelivery['state'] | undefined;
  readonly after?: string | undefined;
};

/** One delivery, or those of events that were found in a time, both ends included. */
export type ReplayRange =
  | { readonly delivery: string }
  | { readonly since: number; readonly until: number };

/** How many hooks there are, and what became of their deliveries in this process. */
export type HookStatus = {
  readonly active: number;
  readonly disabled: number;
  readonly pending: number;
  readonly delivered: number;
  readonly failedAttempts: number;
  readonly abandoned: number;
};

/**
 * The webhooks of a cluster. An owner sees only its own ones: others are NOT_FOUND. Changes need the process that writes
 * the history and are requested from it; NOT_WRITER if it cannot be reached from here.
 */
export type ClusterHooks = {
  list(owner: string): Promise<readonly Hook[]>;
  find(owner: string, id: string): Promise<Hook>;
  deliveries(owner: string, id: string, query: DeliveryQuery): Promise<readonly HookDelivery[]>;
  /** The secret is never returned again. Throws INVALID_BODY, TOO_MANY_HOOKS, HISTORY_DISABLED. */
  create(
    owner: string,
    definition: HookDefinition,
  ): Promise<{ readonly hook: Hook; readonly secret: string }>;
  remove(owner: string, id: string): Promise<void>;
  /** Both secrets sign until `previousUntil`. */
  rotateSecret(
    owner: string,
    id: string,
  ): Promise<{ readonly secret: string; readonly previousUntil: number }>;
  enable(owner: string, id: string): Promise<Hook>;
  /** Sends a delivery of the type `test`; resolves to its id when it is stored. */
  test(owner: string, id: string): Promise<string>;
  /** Sends deliveries again, with their ids. Resolves to their number. */
  replay(owner: string, id: string, range: ReplayRange): Promise<number>;
  /** Undefined in a process that does not deliver. */
  status(): HookStatus | undefined;
};
