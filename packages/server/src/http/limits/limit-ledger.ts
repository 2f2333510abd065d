import type { SliceUnits } from './sliding-window.ts';

/** What a process reports of a caller, and asks for it. */
export type LedgerCharge = {
  readonly caller: string;
  readonly quota: number;
  readonly windowSeconds: number;
  /** Units of calls that the process has admitted since its last charge. They are counted in any case. */
  readonly spent: number;
  /** Units of a call that is counted only if the quota allows it; 0 if there is none. */
  readonly cost: number;
};

export type LedgerReply = {
  readonly allowed: boolean;
  /** Epoch ms by the clock of the ledger. */
  readonly now: number;
  /** Units of all processes, this charge included. */
  readonly slices: readonly SliceUnits[];
};

/** The units that all processes of a deployment have counted. A charge is atomic. */
export type LimitLedger = {
  /** Rejects if the ledger is not available. */
  charge(charge: LedgerCharge): Promise<LedgerReply>;
};
