import { pubkey, u8 } from '../../../base/encoding/layout.ts';
import { instruction, sign, write } from '../../../base/solana/instruction.ts';

/** The kinds of authority that a token account has; those of a mint and of extensions have other numbers. */
export const ACCOUNT_OWNER = 2;
export const CLOSE_ACCOUNT = 3;

/** `account` is a token account or a mint. The list holds the new authority, or nothing for no one. */
export const setAuthority = instruction({
  name: 'setAuthority',
  discriminator: '06',
  accounts: {
    account: write,
    currentAuthority: sign,
  },
  args: { authorityType: u8 },
  list: { count: u8, item: pubkey },
});
