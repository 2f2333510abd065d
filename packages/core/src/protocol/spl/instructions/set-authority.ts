import { pubkey, u8 } from '../../../base/encoding/layout.ts';
import { instruction, sign, write } from '../../../base/solana/instruction.ts';

/** Authority types of a token account. Mints and extensions have other types. */
export const ACCOUNT_OWNER = 2;
export const CLOSE_ACCOUNT = 3;

/** `account` is a token account or a mint. The list has the new authority or is empty to remove it. */
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
