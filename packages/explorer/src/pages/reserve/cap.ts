import { compareDecimals, fromBaseUnits, subtractDecimals } from '@tidegate/client';
import { ratio } from '../../format/decimal.ts';

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
  const limit = fromBaseUnits(BigInt(limitLamports), decimals);
  const left = subtractDecimals(limit, used);
  return {
    limit,
    left: compareDecimals(left, '0') < 0 ? '0' : left,
    fraction: ratio(used, limit),
  };
}
