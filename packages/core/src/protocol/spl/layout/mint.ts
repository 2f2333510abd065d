import { lamports } from '../../../base/encoding/branded-fields.ts';
import { type Decoded, pubkey, struct, u8, u32 } from '../../../base/encoding/layout.ts';
import { checkTags, malformedTokenData, tokenData } from './token-data.ts';

const NAME = 'spl.Mint';

/** Tags are 0 for none and 1 for some; behind a tag of 0 any key may stand, and means nothing. */
const base = struct({
  mintAuthorityTag: u32,
  mintAuthority: pubkey,
  supply: lamports,
  decimals: u8,
  isInitialized: u8,
  freezeAuthorityTag: u32,
  freezeAuthority: pubkey,
});

/** A mint of the Token or the Token-2022 program; the short form has 82 bytes. */
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
