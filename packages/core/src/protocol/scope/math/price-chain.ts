import type { Elements } from '../../../base/encoding/layout.ts';
import { CodedError } from '../../../base/errors.ts';
import type { Ratio } from '../../../base/numbers/decimal.ts';
import { FRACTION_BITS, type Sf, sfFromBits } from '../../../base/numbers/scaled-fraction.ts';
import type { UnixSeconds } from '../../../base/time.ts';
import type { DatedPriceView } from '../layout/oracle-prices.ts';

/** A price in USD per whole token, as old as the oldest entry it is made of. */
export type ChainPrice = { readonly price: Sf; readonly unix: UnixSeconds };

type Decimal = { readonly value: bigint; readonly exp: bigint };

/** Largest power of ten the lending program divides by, and what both factors keep before a step beyond it. */
const MAX_DECIMALS = 36n;
const REDUCED_DECIMALS = 18n;

/**
 * The product of the entries that `chain` names, as the lending program computes it: rounded down
 * once at the end, and once per factor of more than 18 decimals where a step would exceed 36.
 *
 * Undefined where the program finds no price: a chain of four zeros, or one that ends at once. Says
 * nothing of age: an entry never written counts with the time 0. Throws MATH_OVERFLOW where the
 * program stops.
 */
export function chainPrice(
  prices: Elements<DatedPriceView>,
  chain: Elements<number>,
): ChainPrice | undefined {
  const entries = chainEntries(prices, chain);
  if (entries === undefined) return undefined;
  const product = entries.map(({ price }) => price).reduce(multiply);
  return { price: toSf(product), unix: oldest(entries) };
}

/** The same product for display, exact: no factor is cut. */
export function chainRatio(
  prices: Elements<DatedPriceView>,
  chain: Elements<number>,
): Ratio | undefined {
  const entries = chainEntries(prices, chain);
  if (entries === undefined) return undefined;
  return {
    numerator: entries.reduce((product, { price }) => product * price.value, 1n),
    denominator: entries.reduce((product, { price }) => product * tenPow(price.exp), 1n),
  };
}

/** Zero for a price from the future. A price is too old when this is above the limit, not at it. */
export const ageSeconds = (price: ChainPrice, now: UnixSeconds): bigint =>
  now > price.unix ? now - price.unix : 0n;

/** The entries before the first index that has none (65535 by convention); undefined if there are none. */
function chainEntries(
  prices: Elements<DatedPriceView>,
  chain: Elements<number>,
): readonly DatedPriceView[] | undefined {
  const entries: DatedPriceView[] = [];
  let isNamed = false;
  for (let place = 0; place < chain.length; place++) {
    const index = chain.at(place) ?? 0;
    const entry = prices.at(index);
    isNamed ||= index !== 0;
    if (entry === undefined) break;
    entries.push(entry);
  }
  return isNamed && entries.length > 0 ? entries : undefined;
}

function oldest(entries: readonly DatedPriceView[]): UnixSeconds {
  return entries.map(({ unixTimestamp }) => unixTimestamp).reduce((a, b) => (b < a ? b : a));
}

function multiply(a: Decimal, b: Decimal): Decimal {
  const isWide = a.exp + b.exp > MAX_DECIMALS;
  const left = isWide ? reduced(a) : a;
  const right = isWide ? reduced(b) : b;
  return { value: left.value * right.value, exp: left.exp + right.exp };
}

/** Rounded down to 18 decimals; what has no more stays as it is. */
function reduced({ value, exp }: Decimal): Decimal {
  if (exp <= REDUCED_DECIMALS) return { value, exp };
  return { value: value / tenPow(exp - REDUCED_DECIMALS), exp: REDUCED_DECIMALS };
}

/** What exceeds the program's 256 bits on the way exceeds the 128 of a price too. */
const toSf = ({ value, exp }: Decimal): Sf => sfFromBits((value << FRACTION_BITS) / tenPow(exp));

function tenPow(exp: bigint): bigint {
  if (exp > MAX_DECIMALS) {
    throw new CodedError('MATH_OVERFLOW', { what: `price of ${exp} decimals`, bits: 128 });
  }
  return 10n ** exp;
}
