import {
  FRACTION_BITS,
  maxSf,
  mulSfByRatio,
  ONE_SF,
  type Sf,
  sfFromPercent,
} from '../../../base/numbers/scaled-fraction.ts';

type Priced = { readonly marketPriceSf: Sf; readonly mintDecimals: bigint };

/** The value of lamports in USD at the reserve's price, rounded down. */
export const marketValue = (liquidity: Priced, amount: Sf): Sf =>
  mulSfByRatio(amount, liquidity.marketPriceSf, mintFactor(liquidity) << FRACTION_BITS);

/** The lamports for a value in USD at the reserve's price, rounded down. */
export const amountOfValue = (liquidity: Priced, value: Sf): Sf =>
  mulSfByRatio(value, mintFactor(liquidity) << FRACTION_BITS, liquidity.marketPriceSf);

/** The lamports of one whole token. */
const mintFactor = ({ mintDecimals }: Priced): bigint => 10n ** mintDecimals;

/** The weight of a debt against its limit: 1 in an elevation group, at least 1 outside. */
export function borrowFactor(borrowFactorPct: bigint, inElevationGroup: boolean): Sf {
  return inElevationGroup ? ONE_SF : maxSf(ONE_SF, sfFromPercent(borrowFactorPct));
}
