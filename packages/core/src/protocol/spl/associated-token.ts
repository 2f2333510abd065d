import type { Address } from '../../base/encoding/address.ts';
import { deriveAddress } from '../../base/solana/pda.ts';
import type { Extension } from './layout/extensions.ts';
import type { Mint } from './layout/mint.ts';
import { tokenAccount } from './layout/token-account.ts';
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

/** After the base account: one type byte, then a header of four bytes and a body per extension. */
const TYPE = 1;
const HEADER = 4;
const IMMUTABLE_OWNER = HEADER;

/** The size of an associated account of a Token-2022 mint. Some mint extensions require an account extension. */
export function associatedTokenSize({ extensions }: Mint): number {
  const accountExtensions = (extensions?.entries ?? []).map(accountExtensionBytes);
  return (
    tokenAccount.size +
    TYPE +
    IMMUTABLE_OWNER +
    accountExtensions.reduce((sum, size) => sum + size, 0)
  );
}

function accountExtensionBytes({ kind }: Extension): number {
  switch (kind) {
    case 'transferFeeConfig':
      return HEADER + 8;
    case 'transferHook':
      return HEADER + 1;
    case 'nonTransferable':
    case 'pausableConfig':
      return HEADER;
    default:
      return 0;
  }
}
