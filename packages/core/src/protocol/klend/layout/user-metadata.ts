import { sf } from '../../../base/encoding/branded-fields.ts';
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

export const referrerTokenState = account({
  name: 'klend.ReferrerTokenState',
  owners: KLEND_PROGRAMS,
  discriminator: '270fd04d20c36938',
  fields: {
    referrer: pubkey,
    mint: pubkey,
    amountUnclaimedSf: sf,
    amountCumulativeSf: sf,
    bump: u64,
    padding: padding(248),
  },
});

export type ReferrerTokenState = Decoded<typeof referrerTokenState>;
export type ReferrerTokenStateView = View<typeof referrerTokenState>;

export const referrerState = account({
  name: 'klend.ReferrerState',
  owners: KLEND_PROGRAMS,
  discriminator: 'c251d9670c130c42',
  fields: {
    shortUrl: pubkey,
    owner: pubkey,
  },
});

export type ReferrerState = Decoded<typeof referrerState>;
export type ReferrerStateView = View<typeof referrerState>;
