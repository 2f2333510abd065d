import { type Decoded, padding, pubkey, u8, type View } from '../../../base/encoding/layout.ts';
import { account } from '../../../base/solana/account.ts';
import { KVAULT_PROGRAMS } from '../program.ts';

export const reserveWhitelistEntry = account({
  name: 'kvault.ReserveWhitelistEntry',
  owners: KVAULT_PROGRAMS,
  discriminator: '87829cd23a3a5baa',
  fields: {
    tokenMint: pubkey,
    reserve: pubkey,
    /** 1 if vaults that require the whitelist can add the reserve, or invest in it. */
    whitelistAddAllocation: u8,
    whitelistInvest: u8,
    padding: padding(62),
  },
});

export type ReserveWhitelistEntry = Decoded<typeof reserveWhitelistEntry>;
export type ReserveWhitelistEntryView = View<typeof reserveWhitelistEntry>;
