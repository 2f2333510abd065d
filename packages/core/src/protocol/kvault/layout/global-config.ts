import { lamports } from '../../../base/encoding/branded-fields.ts';
import {
  type Decoded,
  padding,
  pubkey,
  u8,
  u64,
  type View,
} from '../../../base/encoding/layout.ts';
import { account } from '../../../base/solana/account.ts';
import { KVAULT_PROGRAMS } from '../program.ts';

export const globalConfig = account({
  name: 'kvault.GlobalConfig',
  owners: KVAULT_PROGRAMS,
  discriminator: '95089ccaa0fcb0d9',
  fields: {
    globalAdmin: pubkey,
    pendingAdmin: pubkey,
    /** The minimum penalty of all vaults. A vault can have a larger one. */
    withdrawalPenaltyLamports: lamports,
    withdrawalPenaltyBps: u64,
    padding: padding(944),
  },
});

export type GlobalConfig = Decoded<typeof globalConfig>;
export type GlobalConfigView = View<typeof globalConfig>;

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
