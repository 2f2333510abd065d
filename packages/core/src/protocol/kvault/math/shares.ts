import { type Ratio, ratio } from '../../../base/numbers/decimal.ts';
import { type Lamports, toLamports } from '../../../base/numbers/lamports.ts';
import {
  ceilSf,
  FRACTION_BITS,
  mulSfByRatio,
  mulSfByRatioCeil,
  ONE_SF,
  type Sf,
} from '../../../base/numbers/scaled-fraction.ts';
import { toU64 } from '../../../base/numbers/u64.ts';
import { kvaultRejection } from '../errors.ts';
import type { VaultStateView } from '../layout/vault-state.ts';

/** All shares together are worth the AUM. */
export type SharePool = { readonly aum: Sf; readonly sharesIssued: bigint };

/** The shares for `tokens` lamports, rounded down against the AUM rounded up. One share per lamport in an empty vault. */
export function sharesToMint({ aum, sharesIssued }: SharePool, tokens: bigint): bigint {
  if (sharesIssued === 0n) return tokens;
  if (aum === 0n) throw kvaultRejection('VaultAUMZero', 'the AUM of the vault is zero');
  return toU64((sharesIssued * tokens) / toLamports(ceilSf(aum)), 'shares to mint');
}

/** The price of `shares` in lamports, rounded up. */
export function tokensForShares({ aum, sharesIssued }: SharePool, shares: bigint): Lamports {
  if (sharesIssued === 0n) return toLamports(shares);
  return toLamports(ceilSf(mulSfByRatioCeil(aum, shares, sharesIssued)));
}

/** The value of `shares` in lamports, rounded down to 60 bits. */
export const worthOfShares = ({ aum, sharesIssued }: SharePool, shares: bigint): Sf =>
  shares === sharesIssued ? aum : mulSfByRatio(aum, shares, sharesIssued);

/** The shares for `worth` lamports: rounded up to 60 bits, then up to a whole share. */
export const sharesToBurn = ({ aum, sharesIssued }: SharePool, worth: Sf): bigint =>
  toU64(ceilSf(mulSfByRatioCeil(worth, sharesIssued << FRACTION_BITS, aum)), 'shares to burn');

/** Whole tokens per whole share, exact. Tokens and shares can have different decimals. 0 without shares. */
export function tokensPerShare(
  vault: Pick<VaultStateView, 'sharesIssued' | 'tokenMintDecimals' | 'sharesMintDecimals'>,
  aum: Sf,
): Ratio {
  const { sharesIssued, tokenMintDecimals, sharesMintDecimals } = vault;
  if (sharesIssued === 0n) return ratio(0n, 1n);
  const wholeTokens = sharesIssued * ONE_SF * 10n ** tokenMintDecimals;
  return ratio(aum * 10n ** sharesMintDecimals, wholeTokens);
}

/** USD per whole share, from the USD price of a whole token. */
export const sharePrice = (perShare: Ratio, tokenPrice: Sf): Ratio =>
  ratio(perShare.numerator * tokenPrice, perShare.denominator * ONE_SF);
