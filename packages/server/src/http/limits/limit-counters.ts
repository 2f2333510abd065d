import type { SliceUnits } from './sliding-window.ts';

/** What a process reports of a caller, and asks for it. */
export type CounterCharge = {
  readonly caller: string;
  readonly quota: number;
  readonly windowSeconds: number;
  /** Units of calls that the process has admitted since its last charge. They are counted in any case. */
  readonly spent: number;
  /** Units of a call that is counted only if the quota allows it; 0 if there is none. */
  readonly cost: number;
};

export type CounterReply = {
  readonly allowed: boolean;
  /** Epoch ms by the clock of their process. */
  readonly now: number;
  /** Units of all processes, this charge included. */
  readonly slices: readonly SliceUnits[];
};

/** The units that all processes of a deployment have counted. A charge is atomic. */
export type LimitCounters = {
  /** Rejects if the counters are not available. */
  charge(charge: CounterCharge): Promise<CounterReply>;
};
