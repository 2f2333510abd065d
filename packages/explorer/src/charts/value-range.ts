/** Space above and below the values, as a part of their span. */
const MARGIN = 0.1;
/** Zero is shown if it is at most this part of the span below the values. */
const NEAR_ZERO = 0.5;
/** Half of the range around values that do not differ, as a part of the value. */
const FLAT_MARGIN = 0.05;

/**
 * The range of an axis for values that are compared with each other, such as prices and rates: as wide as the values. It
 * starts at zero only if zero is near, and never goes below zero if no value does.
 */
export function closeRange(min: number, max: number): [number, number] {
  const span = max - min;
  const margin = span > 0 ? span * MARGIN : Math.abs(max) * FLAT_MARGIN || 1;
  const isZeroNear = min >= 0 && min <= span * NEAR_ZERO;
  return [isZeroNear ? 0 : min - margin, max + margin];
}
