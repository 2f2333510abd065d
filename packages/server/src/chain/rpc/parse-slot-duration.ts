import { type Ratio, ratio } from '@tidegate/core/base';
import { requireArray, requireInteger, requireObject } from './response-values.ts';

/** Number of requested samples, one per minute. */
export const PERFORMANCE_SAMPLES = 60;

/** The mean slot duration in a `getRecentPerformanceSamples` result. */
export function parseSlotDuration(result: unknown): Ratio | undefined {
  let slots = 0;
  let seconds = 0;
  for (const sample of requireArray(result, 'performance samples')) {
    const { numSlots, samplePeriodSecs } = requireObject(sample, 'performance sample');
    slots += requireInteger(numSlots, 'slots of a sample');
    seconds += requireInteger(samplePeriodSecs, 'seconds of a sample');
  }
  return slots === 0 ? undefined : ratio(BigInt(seconds) * 1000n, BigInt(slots));
}
