import { lamports } from '../../../base/encoding/branded-fields.ts';
import { type Decoded, pubkey, struct, u8, u32 } from '../../../base/encoding/layout.ts';
import { checkTags, malformedTokenData, tokenData } from './token-data.ts';

const NAME = 'spl.TokenAccount';
const INITIALIZED = 1;
const FROZEN = 2;

/** A tag of 1 means that the following value is set. After a tag of 0 the value is meaningless. */
const base = struct({
  mint: pubkey,
  owner: pubkey,
  amount: lamports,
  delegateTag: u32,
  delegate: pubkey,
  /** 1 is initialized, 2 is frozen. */
  state: u8,
  isNativeTag: u32,
  /** For wrapped SOL: the rent in lamports, which is not part of the amount. */
  isNative: lamports,
  delegatedAmount: lamports,
  closeAuthorityTag: u32,
  closeAuthority: pubkey,
});

/** A token account of the Token or Token-2022 program. It has 165 bytes without extensions. */
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
