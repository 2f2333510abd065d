import { WAD } from '../../../base/numbers/decimal-wad.ts';
import { FRACTION_BITS, type Sf } from '../../../base/numbers/scaled-fraction.ts';
import { type Price, priceFromWad } from './price-arithmetic.ts';

/** What the lending program returns: the lamports that a whole cToken is worth, and the decimals of the liquidity. */
export type CTokenRate = { readonly exchangeRateSf: Sf; readonly mintDecimals: number };

/** The price of an entry of type `KlendCTokenExchangeRate`: whole tokens of liquidity per whole cToken. */
export function ctokenPrice({ exchangeRateSf, mintDecimals }: CTokenRate): Price {
  const { value, exp } = priceFromWad((exchangeRateSf * WAD) >> FRACTION_BITS);
  return { value, exp: exp + BigInt(mintDecimals) };
}
