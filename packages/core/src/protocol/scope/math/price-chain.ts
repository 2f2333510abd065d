import type { Elements } from '../../../base/encoding/layout.ts';
import { CodedError } from '../../../base/errors.ts';
import type { Ratio } from '../../../base/numbers/decimal.ts';
import { WAD } from '../../../base/numbers/decimal-wad.ts';
import { FRACTION_BITS, type Sf, sfFromBits } from '../../../base/numbers/scaled-fraction.ts';
import type { UnixSeconds } from '../../../base/time.ts';
import type { DatedPriceView } from '../layout/oracle-prices.ts';
import { type Price, priceFromWad } from './price-arithmetic.ts';

/** A price in USD per whole token, with the time of its oldest entry. */
export type ChainPrice = { readonly price: Sf; readonly unix: UnixSeconds };

type Decimal = { readonly value: bigint; readonly exp: bigint };

/** The largest power of ten that the lending program divides by, and the decimals of both factors above it. */
const MAX_DECIMALS = 36n;
const REDUCED_DECIMALS = 18n;

/**
 * The product of the entries of `chain`, as the lending program computes it: rounded down once at the end, and once
 * per factor with more than 18 decimals if a product would exceed 36.
 *
 * Returns undefined if the program finds no price: for a chain of four zeros or an empty chain. Does not check the age:
 * an entry that was never written has the time 0. Throws MATH_OVERFLOW where the program overflows.
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

/** The exact product of the chain, for display. */
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

/** Whether an entry of the chain is zero. */
export const hasZeroEntry = (prices: Elements<DatedPriceView>, chain: Elements<number>): boolean =>
  chainEntries(prices, chain)?.some(({ price }) => price.value === 0n) ?? false;

/** Zero for a future price. A price is too old if its age exceeds the limit. */
export const ageSeconds = (price: ChainPrice, now: UnixSeconds): bigint =>
  now > price.unix ? now - price.unix : 0n;

/** The entries before the first invalid index (65535 by convention). Undefined if there are none. */
function chainEntries(
  prices: Elements<DatedPriceView>,
  chain: Elements<number>,
): readonly DatedPriceView[] | undefined {
  const entries: DatedPriceView[] = [];
  let isUsed = false;
  for (let i = 0; i < chain.length; i++) {
    const index = chain.at(i) ?? 0;
    const entry = prices.at(index);
    isUsed ||= index !== 0;
    if (entry === undefined) break;
    entries.push(entry);
  }
  return isUsed && entries.length > 0 ? entries : undefined;
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

/** Truncates to 18 decimals. */
function reduced({ value, exp }: Decimal): Decimal {
  if (exp <= REDUCED_DECIMALS) return { value, exp };
  return { value: value / tenPow(exp - REDUCED_DECIMALS), exp: REDUCED_DECIMALS };
}

/** A value that exceeds the program's intermediate 256 bits also exceeds the 128 bits of a price. */
const toSf = ({ value, exp }: Decimal): Sf => sfFromBits((value << FRACTION_BITS) / tenPow(exp));

function tenPow(exp: bigint): bigint {
  if (exp > MAX_DECIMALS) {
    throw new CodedError('MATH_OVERFLOW', { what: `price of ${exp} decimals`, bits: 128 });
  }
  return 10n ** exp;
}

/** What the lending program returns: the lamports that a whole cToken is worth, and the decimals of the liquidity. */
export type CTokenRate = { readonly exchangeRateSf: Sf; readonly mintDecimals: number };

/** The price of an entry of type `KlendCTokenExchangeRate`: whole tokens of liquidity per whole cToken. */
export function ctokenPrice({ exchangeRateSf, mintDecimals }: CTokenRate): Price {
  const { value, exp } = priceFromWad((exchangeRateSf * WAD) >> FRACTION_BITS);
  return { value, exp: exp + BigInt(mintDecimals) };
}
