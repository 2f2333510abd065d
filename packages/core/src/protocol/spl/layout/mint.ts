import { lamports } from '../../../base/encoding/branded-fields.ts';
import { type Decoded, pubkey, struct, u8, u32 } from '../../../base/encoding/layout.ts';
import { checkTags, malformedTokenData, tokenData } from './token-data.ts';

const NAME = 'spl.Mint';

/** A tag of 1 means that the following key is set. After a tag of 0 the key is meaningless. */
const base = struct({
  mintAuthorityTag: u32,
  mintAuthority: pubkey,
  supply: lamports,
  decimals: u8,
  isInitialized: u8,
  freezeAuthorityTag: u32,
  freezeAuthority: pubkey,
});

/** A mint of the Token or Token-2022 program. It has 82 bytes without extensions. */
export const mint = tokenData({
  name: NAME,
  type: 1,
  base,
  check({ mintAuthorityTag, freezeAuthorityTag, isInitialized }) {
    checkTags(NAME, [mintAuthorityTag, freezeAuthorityTag]);
    if (isInitialized !== 1) throw malformedTokenData(NAME, 'it is not initialized');
  },
});

export type Mint = Decoded<typeof mint>;
