import Big from 'big.js';

/** The program's largest amount, which stands for "no limit". */
const NO_LIMIT = '18446744073709551615';

export type Cap = {
  /** Whole tokens. */
  readonly limit: string;
  readonly left: string;
  /** From 0 on; above 1 if the limit was lowered. Undefined for a limit of zero. */
  readonly fraction: number | undefined;
};

/** What is left of a limit; undefined if there is none. */
export function capOf(limitLamports: string, decimals: number, used: string): Cap | undefined {
  if (limitLamports === NO_LIMIT) return undefined;
  // digits are moved, not divided: an amount has as many after the point as the token
  const limit = new Big(`${limitLamports}e-${decimals}`);
  const left = limit.minus(used);
  return {
    limit: limit.toFixed(),
    left: left.lt(0) ? '0' : left.toFixed(),
    fraction: limit.eq(0) ? undefined : Number(new Big(used).div(limit)),
  };
}
