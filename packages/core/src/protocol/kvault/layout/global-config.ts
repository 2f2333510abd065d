import { lamports } from '../../../base/encoding/branded-fields.ts';
import { type Decoded, padding, pubkey, u64, type View } from '../../../base/encoding/layout.ts';
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
