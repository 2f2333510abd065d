/** What the program says to an amount. `never`: it rejects every amount. */
export type Verdict = 'accepted' | 'too small' | 'too large' | 'never';

/**
 * The largest accepted amount, or 0. The accepted amounts are an interval: below it all are too small, above it all are
 * too large. `estimate` is where the search starts: the closer, the fewer attempts.
 */
export function largestAccepted(estimate: bigint, attempt: (amount: bigint) => Verdict): bigint {
  let accepted = 0n;
  let low = 0n;
  let high: bigint | undefined;
  let step = 1n;
  let amount = estimate > 0n ? estimate : 1n;
  while (high === undefined || high - low > 1n) {
    const verdict = attempt(amount);
    if (verdict === 'never') return 0n;
    if (verdict === 'accepted') accepted = amount;
    if (verdict === 'too large') high = amount;
    else low = amount;
    amount = nextAmount(low, high, step);
    step *= 2n;
  }
  return accepted;
}

/** Steps of growing size until the end is between two bounds, then the middle of the bounds. */
function nextAmount(low: bigint, high: bigint | undefined, step: bigint): bigint {
  if (high === undefined) return low + step;
  if (low === 0n && high > step) return high - step;
  return (low + high) / 2n;
}
