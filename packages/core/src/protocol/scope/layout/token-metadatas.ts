import {
  array,
  bytes,
  type Decoded,
  padding,
  struct,
  u64,
  type View,
} from '../../../base/encoding/layout.ts';
import { account } from '../../../base/solana/account.ts';
import { SCOPE_PROGRAMS } from '../program.ts';

/** Descriptive metadata of the 512 prices. */
export const tokenMetadata = struct({
  name: bytes(32),
  maxAgePriceSlots: u64,
  groupIdsBitset: u64,
  reserved: padding(120),
});

export const tokenMetadatas = account({
  name: 'scope.TokenMetadatas',
  owners: SCOPE_PROGRAMS,
  discriminator: 'dd6b40674300a516',
  fields: {
    metadatasArray: array(tokenMetadata, 512),
  },
});

export type TokenMetadatas = Decoded<typeof tokenMetadatas>;
export type TokenMetadatasView = View<typeof tokenMetadatas>;
