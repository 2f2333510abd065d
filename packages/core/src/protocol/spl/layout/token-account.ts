import { lamports } from '../../../base/encoding/branded-fields.ts';
import { type Decoded, pubkey, struct, u8, u32 } from '../../../base/encoding/layout.ts';
import { checkTags, malformedTokenData, tokenData } from './token-data.ts';

const NAME = 'spl.TokenAccount';
const INITIALIZED = 1;
const FROZEN = 2;

/** Tags are 0 for none and 1 for some; behind a tag of 0 any value may stand, and means nothing. */
const base = struct({
  mint: pubkey,
  owner: pubkey,
  amount: lamports,
  delegateTag: u32,
  delegate: pubkey,
  /** 1 initialized, 2 frozen. */
  state: u8,
  isNativeTag: u32,
  /** Of wrapped SOL: the lamports for rent, which are not part of the amount. */
  isNative: lamports,
  delegatedAmount: lamports,
  closeAuthorityTag: u32,
  closeAuthority: pubkey,
});

/** A token account of the Token or the Token-2022 program; the short form has 165 bytes. */
export const tokenAccount = tokenData({
  name: NAME,
  type: 2,
  base,
  check({ delegateTag, isNativeTag, closeAuthorityTag, state }) {
    checkTags(NAME, [delegateTag, isNativeTag, closeAuthorityTag]);
    if (state !== INITIALIZED && state !== FROZEN)
      throw malformedTokenData(NAME, `its state is ${state}`);
  },
});

export type TokenAccount = Decoded<typeof tokenAccount>;
