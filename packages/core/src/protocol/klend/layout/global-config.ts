import { type Decoded, padding, pubkey, type View } from '../../../base/encoding/layout.ts';
import { account } from '../../../base/solana/account.ts';
import { KLEND_PROGRAMS } from '../program.ts';

export const globalConfig = account({
  name: 'klend.GlobalConfig',
  owners: KLEND_PROGRAMS,
  discriminator: '95089ccaa0fcb0d9',
  fields: {
    globalAdmin: pubkey,
    pendingAdmin: pubkey,
    feeCollector: pubkey,
    padding: padding(928),
  },
});

export type GlobalConfig = Decoded<typeof globalConfig>;
export type GlobalConfigView = View<typeof globalConfig>;
