import type { Extension } from './layout/extensions.ts';
import type { Mint } from './layout/mint.ts';
import { tokenAccount } from './layout/token-account.ts';

/** Behind the account: one byte for its type, then a head of four bytes and a body for each extension. */
const TYPE = 1;
const HEAD = 4;
const IMMUTABLE_OWNER = HEAD;

/** How large the associated account of a Token-2022 mint is made: some extensions of a mint ask for one of the account. */
export function associatedTokenSize({ extensions }: Mint): number {
  const asked = (extensions?.entries ?? []).map(askedBytes);
  return tokenAccount.size + TYPE + IMMUTABLE_OWNER + asked.reduce((sum, size) => sum + size, 0);
}

function askedBytes({ kind }: Extension): number {
  switch (kind) {
    case 'transferFeeConfig':
      return HEAD + 8;
    case 'transferHook':
      return HEAD + 1;
    case 'nonTransferable':
    case 'pausableConfig':
      return HEAD;
    default:
      return 0;
  }
}
