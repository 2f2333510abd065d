import type { ChainTime } from '@tidegate/core/base';

/** Parameters that the genesis state derives from. */
export type Bootstrap = {
  readonly seed: string;
  readonly startTime: ChainTime;
  /** From genesis to the end of the simulation. */
  readonly days: number;
};
