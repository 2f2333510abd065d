import { type Decoded, padding, pubkey, u64, type View } from '../../../base/encoding/layout.ts';
import { account } from '../../../base/solana/account.ts';
import { FARMS_PROGRAMS } from '../program.ts';

export const globalConfig = account({
  name: 'farms.GlobalConfig',
  owners: FARMS_PROGRAMS,
  discriminator: '95089ccaa0fcb0d9',
  fields: {
    globalAdmin: pubkey,
    treasuryFeeBps: u64,
    treasuryVaultsAuthority: pubkey,
    treasuryVaultsAuthorityBump: u64,
    pendingGlobalAdmin: pubkey,
    padding1: padding(2016),
  },
});

export type GlobalConfig = Decoded<typeof globalConfig>;
export type GlobalConfigView = View<typeof globalConfig>;
