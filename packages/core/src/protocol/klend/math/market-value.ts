import {
  FRACTION_BITS,
  maxSf,
  mulSfByRatio,
  ONE_SF,
  type Sf,
  sfFromPercent,
} from '../../../base/numbers/scaled-fraction.ts';

type Priced = { readonly marketPriceSf: Sf; readonly mintDecimals: bigint };

/** USD of an amount of lamports at the reserve's price, rounded down. */
export const marketValue = (liquidity: Priced, amount: Sf): Sf =>
  mulSfByRatio(amount, liquidity.marketPriceSf, mintFactor(liquidity) << FRACTION_BITS);

/** Lamports of a value in USD at the reserve's price, rounded down. */
export const amountOfValue = (liquidity: Priced, value: Sf): Sf =>
  mulSfByRatio(value, mintFactor(liquidity) << FRACTION_BITS, liquidity.marketPriceSf);

/** Lamports of one whole token. */
const mintFactor = ({ mintDecimals }: Priced): bigint => 10n ** mintDecimals;

/** What a debt counts against its limit. One inside an elevation group, never below one outside. */
export function borrowFactor(borrowFactorPct: bigint, inElevationGroup: boolean): Sf {
  return inElevationGroup ? ONE_SF : maxSf(ONE_SF, sfFromPercent(borrowFactorPct));
}
