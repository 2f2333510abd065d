import type { Address } from '../../base/encoding/address.ts';
import { deriveAddress } from '../../base/solana/pda.ts';
import { ASSOCIATED_TOKEN_PROGRAM } from './programs.ts';

/**
 * The account in which a wallet, or any other owner, keeps a token. `tokenProgram` is the owner of
 * the mint; that of cTokens and vault shares is always the older one.
 */
export function associatedTokenAddress(
  owner: Address,
  mint: Address,
  tokenProgram: Address,
): Address {
  return deriveAddress('', [owner, tokenProgram, mint], ASSOCIATED_TOKEN_PROGRAM);
}
