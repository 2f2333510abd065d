import { type Ratio, ratio } from '@tidegate/core/base';
import { fieldsOf, listOf, wholeOf } from './response-values.ts';

/** How many are asked for; there is one for each minute. */
export const SAMPLES = 60;

/** The result of `getRecentPerformanceSamples`: how long slots took, in the mean over all of them. */
export function readSlotMs(result: unknown): Ratio | undefined {
  let slots = 0;
  let seconds = 0;
  for (const sample of listOf(result, 'performance samples')) {
    const { numSlots, samplePeriodSecs } = fieldsOf(sample, 'performance sample');
    slots += wholeOf(numSlots, 'slots of a sample');
    seconds += wholeOf(samplePeriodSecs, 'seconds of a sample');
  }
  return slots === 0 ? undefined : ratio(BigInt(seconds) * 1000n, BigInt(slots));
}
