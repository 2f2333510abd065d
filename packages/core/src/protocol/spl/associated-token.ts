import type { Address } from '../../base/encoding/address.ts';
import { deriveAddress } from '../../base/solana/pda.ts';
import { ASSOCIATED_TOKEN_PROGRAM } from './programs.ts';

/**
 * The associated token account of an owner. `tokenProgram` owns the mint; for cTokens and vault shares it is always the
 * Token program.
 */
export function associatedTokenAddress(
  owner: Address,
  mint: Address,
  tokenProgram: Address,
): Address {
  return deriveAddress('', [owner, tokenProgram, mint], ASSOCIATED_TOKEN_PROGRAM);
}
