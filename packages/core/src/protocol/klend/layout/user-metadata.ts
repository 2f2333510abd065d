import { type Decoded, padding, pubkey, u64, type View } from '../../../base/encoding/layout.ts';
import { account } from '../../../base/solana/account.ts';
import { KLEND_PROGRAMS } from '../program.ts';

export const userMetadata = account({
  name: 'klend.UserMetadata',
  owners: KLEND_PROGRAMS,
  discriminator: '9dd6dceb6287ab1c',
  fields: {
    referrer: pubkey,
    bump: u64,
    userLookupTable: pubkey,
    owner: pubkey,
    padding1: padding(408),
    padding2: padding(512),
  },
});

export type UserMetadata = Decoded<typeof userMetadata>;
export type UserMetadataView = View<typeof userMetadata>;
