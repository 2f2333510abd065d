/** Where payouts are not proportional, such as at the end of a vault's liquidity, guesses get closer too slowly. */
const MAX_GUESSES = 8;

/**
 * The fewest shares, up to `total`, whose payout is at least `tokens`. More shares must never pay less. Undefined if all
 * shares pay less. Payouts are expensive to compute, and nearly proportional to the shares.
 */
export function fewestShares(
  tokens: bigint,
  total: bigint,
  payout: (shares: bigint) => bigint,
): bigint | undefined {
  const range = guessRange(tokens, total, payout);
  return range && searchRange(range, (shares) => payout(shares) >= tokens);
}

/** The fewest shares are above `low` and at most `high`, and close to one of them. */
type Range = { readonly low: bigint; readonly high: bigint; readonly isNearLow: boolean };

/** Guesses in proportion to the last payout. */
function guessRange(
  tokens: bigint,
  total: bigint,
  payout: (shares: bigint) => bigint,
): Range | undefined {
  let low = 0n;
  let high: bigint | undefined;
  let guess = tokens < total ? tokens : total;
  for (let guesses = 1; ; guesses += 1) {
    const paid = payout(guess);
    const isEnough = paid >= tokens;
    if (isEnough) high = guess;
    else low = guess;
    if (low === total) return undefined;
    const isLast = guesses >= MAX_GUESSES;
    const next = paid === 0n || (isLast && !isEnough) ? 2n * guess : divideUp(guess * tokens, paid);
    if (high === undefined) {
      guess = next < total ? next : total;
    } else if (isLast || next <= low || next >= high) {
      return { low, high, isNearLow: !isEnough };
    } else {
      guess = next;
    }
  }
}

const divideUp = (numerator: bigint, denominator: bigint): bigint =>
  (numerator + denominator - 1n) / denominator;

/** Walks from the closer end in growing steps, then halves what is left. */
function searchRange({ low, high, isNearLow }: Range, pays: (shares: bigint) => boolean): bigint {
  let below = low;
  let fewest = high;
  const test = (shares: bigint): boolean => {
    const isEnough = pays(shares);
    if (isEnough) fewest = shares;
    else below = shares;
    return isEnough;
  };
  for (let step = 1n; fewest - below > step; step *= 2n) {
    if (test(isNearLow ? below + step : fewest - step) === isNearLow) break;
  }
  while (fewest - below > 1n) test((below + fewest) / 2n);
  return fewest;
}
