import type { Ratio } from '../../base/numbers/decimal.ts';
import { mulRatio, ZERO_RATIO } from '../../base/numbers/ratio.ts';
import { ONE_SF } from '../../base/numbers/scaled-fraction.ts';
import type { SharePrices } from '../vaults/vault-pnl.ts';

/** What was kept of a vault at a time that tells the worth of a share. `Sf`: times 2^60. */
export type VaultShareSample = {
  readonly tokenDecimals: number;
  readonly sharesDecimals: number;
  /** Smallest units. */
  readonly sharesIssued: bigint;
  /** What belongs to the shares. */
  readonly aumSf: bigint;
  /** USD for a whole token and for SOL; null where there was none. */
  readonly priceSf: bigint | null;
  readonly solPriceSf: bigint | null;
};

/** Whole tokens for a whole share; zero where there were none. */
export function sampleTokensPerShare(
  kept: Omit<VaultShareSample, 'priceSf' | 'solPriceSf'>,
): Ratio {
  const { tokenDecimals, sharesDecimals, sharesIssued, aumSf } = kept;
  if (sharesIssued === 0n) return ZERO_RATIO;
  return {
    numerator: aumSf * 10n ** BigInt(sharesDecimals),
    denominator: ONE_SF * 10n ** BigInt(tokenDecimals) * sharesIssued,
  };
}

export const sampleSharePrices = (kept: VaultShareSample): SharePrices => ({
  tokensPerShare: sampleTokensPerShare(kept),
  tokenPrice: samplePrice(kept.priceSf),
  solPrice: samplePrice(kept.solPriceSf),
});

/** Zero where there was none. */
export const samplePrice = (priceSf: bigint | null): Ratio =>
  priceSf === null ? ZERO_RATIO : { numerator: priceSf, denominator: ONE_SF };

export const usdPerShare = ({ tokensPerShare, tokenPrice }: SharePrices): Ratio =>
  mulRatio(tokensPerShare, tokenPrice);

/** Whole tokens of so many smallest units times 2^60. */
export const sampleTokens = (amountSf: bigint, decimals: number): Ratio => ({
  numerator: amountSf,
  denominator: ONE_SF * 10n ** BigInt(decimals),
});
