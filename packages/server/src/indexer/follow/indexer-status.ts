import type { Slot } from '@tidegate/core/base';
import type { AbsenceStatus } from './checks/absence-check.ts';
import type { AgreementStatus } from './checks/disputed-accounts.ts';
import type { ClaimStatus } from './checks/slot-claims.ts';
import type { ScanStatus } from './scan-retry.ts';

export type LoadProgress = {
  /** Account sets that were read, and their total number. */
  readonly done: number;
  readonly total: number;
  readonly accounts: number;
};

export type IndexerStatus = {
  readonly loading: boolean;
  /** Whether state is complete for a slot. */
  readonly ready: boolean;
  /** Whether no slot was announced for a while. */
  readonly stalled: boolean;
  /** Whether accounts are being read again after a gap; the slot does not advance meanwhile. */
  readonly resyncing: boolean;
  readonly slot: Slot;
  /** Slots that state is behind the cluster, estimated from the last announced slot and the clock. */
  readonly lagSlots: bigint;
  readonly progress: LoadProgress;
  /** Whether the shareholders of every vault are known. */
  readonly sharesComplete: boolean;
  /** Whether all loans, stakes and shares are known. */
  readonly allPositions: boolean;
  /** Wallets that are followed on demand. */
  readonly wallets: number;
  readonly gaps: number;
  readonly lastGap: string | undefined;
  /** What the source does not serve, and what to do about it. */
  readonly missing: readonly string[];
  readonly scans: ScanStatus;
  readonly absences: AbsenceStatus;
  readonly claims: ClaimStatus;
  readonly agreement: AgreementStatus;
};
