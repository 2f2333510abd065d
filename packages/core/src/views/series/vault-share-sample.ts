import type { Ratio } from '../../base/numbers/decimal.ts';
import { mulRatio, ZERO_RATIO } from '../../base/numbers/ratio.ts';
import { decimalOfSf, ONE_SF } from '../../base/numbers/scaled-fraction.ts';
import type { SharePrices } from '../vaults/vault-pnl.ts';

/** The stored values that determine the price of a share. `Sf` values are times 2^60. */
export type VaultShareSample = {
  readonly tokenDecimals: number;
  readonly sharesDecimals: number;
  /** Smallest units. */
  readonly sharesIssued: bigint;
  /** Net assets of the shares. */
  readonly aumSf: bigint;
  /** USD per whole token and per SOL; null if unknown. */
  readonly priceSf: bigint | null;
  readonly solPriceSf: bigint | null;
};

/** Whole tokens per whole share; zero without shares. */
export function sampleTokensPerShare(
  sample: Omit<VaultShareSample, 'priceSf' | 'solPriceSf'>,
): Ratio {
  const { tokenDecimals, sharesDecimals, sharesIssued, aumSf } = sample;
  if (sharesIssued === 0n) return ZERO_RATIO;
  return {
    numerator: aumSf * 10n ** BigInt(sharesDecimals),
    denominator: ONE_SF * 10n ** BigInt(tokenDecimals) * sharesIssued,
  };
}

/** The stored values that determine what a share has earned: as they would be after the fees are charged. */
export type ChargedShareSample = Omit<VaultShareSample, 'aumSf' | 'priceSf' | 'solPriceSf'> & {
  /** All assets of the vault. */
  readonly heldSf: bigint;
  readonly pendingFeesSf: bigint;
};

/** Whole tokens per whole share after the fees that accrued; zero without shares. */
export function chargedTokensPerShare({
  heldSf,
  pendingFeesSf,
  ...sample
}: ChargedShareSample): Ratio {
  const aumSf = heldSf > pendingFeesSf ? heldSf - pendingFeesSf : 0n;
  return sampleTokensPerShare({ ...sample, aumSf });
}

export const sampleSharePrices = (sample: VaultShareSample): SharePrices => ({
  tokensPerShare: sampleTokensPerShare(sample),
  tokenPrice: samplePrice(sample.priceSf),
  solPrice: samplePrice(sample.solPriceSf),
});

/** Zero if unknown. */
export const samplePrice = (priceSf: bigint | null): Ratio =>
  priceSf === null ? ZERO_RATIO : decimalOfSf(priceSf);

export const usdPerShare = ({ tokensPerShare, tokenPrice }: SharePrices): Ratio =>
  mulRatio(tokensPerShare, tokenPrice);

/** Converts smallest units times 2^60 to whole tokens. */
export const sampleTokens = (amountSf: bigint, decimals: number): Ratio => ({
  numerator: amountSf,
  denominator: ONE_SF * 10n ** BigInt(decimals),
});
