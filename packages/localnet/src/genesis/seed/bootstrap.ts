import type { ChainTime } from '@tidegate/core/base';

/** When a world was made, and what everything in it is made from. */
export type Bootstrap = {
  readonly seed: string;
  readonly founded: ChainTime;
  /** From the founding to the end of what is played. */
  readonly days: number;
};
