import { type Slot, toSlot } from '@tidegate/core/base';
import type { AccountKind } from '@tidegate/core/state';
import type { UnprovenReason } from './unproven-kinds.ts';

/** Accounts of a kind that differed from the chain and were put right, since the start. Times are epoch milliseconds. */
type KindDriftReport = {
  readonly kind: AccountKind;
  /** By the source of updates that lost them. */
  readonly accounts: Readonly<Record<string, number>>;
  /** Null when all accounts of the kind have been compared since the last difference. */
  readonly open: {
    /** Slot of the read that found the first one. */
    readonly since: string;
    readonly foundAt: number;
    readonly accounts: number;
  } | null;
  readonly lastHealedAt: number;
};

/** Times are epoch milliseconds. */
type DriftPassReport = {
  readonly scope: 'programs' | 'users';
  readonly everySeconds: number;
  /** Start of the first pass. */
  readonly since: number;
  readonly startedAt: number;
  readonly endsAt: number;
  /** Null before the first pass that compared everything. */
  readonly lastEndedAt: number | null;
};

/** What comparisons of state with the chain have found. JSON, so that it passes between processes. */
export type DriftReport = {
  readonly kinds: readonly KindDriftReport[];
  readonly passes: readonly DriftPassReport[];
};

/** `report`: undefined while it is not known, or if nothing is compared. */
export type DriftReader = { report(): DriftReport | undefined };

/** Kinds whose accounts may still differ. */
export const driftReasons = (report: DriftReport | undefined): readonly UnprovenReason[] =>
  (report?.kinds ?? []).flatMap(({ kind, open }): readonly UnprovenReason[] => {
    if (open === null) return [];
    const since: Slot = toSlot(BigInt(open.since));
    const detail = `updates were lost: ${open.accounts} accounts were put right, others are being compared`;
    return [{ kind, code: 'stateDrift', detail, since }];
  });
