import type { ChainTime, Ratio } from '@tidegate/core/base';

/** Long enough to measure slots of whole seconds, and short enough to notice a change. */
const WINDOW_SECONDS = 3_600n;
const MS_PER_SECOND = 1_000n;

/** Measures how long slots take from the times of recorded steps, as a node does for its performance samples. */
export class SlotDurationMeter {
  #times: ChainTime[] = [];

  /**
   * The mean duration in the hour before a step: `known`, the one so far, as long as it explains the times, which are
   * whole seconds. Steps must ascend.
   */
  add(time: ChainTime, known: Ratio): Ratio {
    const since = time.unix - WINDOW_SECONDS;
    const first = this.#times.findLastIndex(({ unix }) => unix <= since);
    this.#times = [...this.#times.slice(Math.max(first, 0)), time];
    const [from = time] = this.#times;
    const [ms, slots] = [(time.unix - from.unix) * MS_PER_SECOND, time.slot - from.slot];
    if (ms <= 0n || slots <= 0n) return known;
    const whole = { numerator: (2n * ms + slots) / (2n * slots), denominator: 1n };
    const explains = ({ numerator, denominator }: Ratio): boolean => {
      const difference = numerator * slots - ms * denominator;
      const limit = MS_PER_SECOND * denominator;
      return difference < limit && difference > -limit;
    };
    return [known, whole].find(explains) ?? { numerator: ms, denominator: slots };
  }
}
