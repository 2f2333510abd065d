import {
  array,
  bytes,
  type Decoded,
  pubkey,
  u16,
  type View,
} from '../../../base/encoding/layout.ts';
import { account } from '../../../base/solana/account.ts';
import { SCOPE_PROGRAMS } from '../program.ts';

/** Where each of the 512 prices comes from; `math/mapping-entry.ts` puts one together. */
export const oracleMappings = account({
  name: 'scope.OracleMappings',
  owners: SCOPE_PROGRAMS,
  discriminator: '28f46e50ffd6f3bc',
  fields: {
    priceInfoAccounts: array(pubkey, 512),
    /** Bits 0 to 6 the kind of oracle, bit 7 that the entry is frozen. */
    priceTypes: bytes(512),
    /** For an average the entry it is of, for any other the tolerance to its reference in bps; 65535 is none. */
    twapSource: array(u16, 512),
    /** Which averages are kept: bit 0 of 1 h, 1 of 8 h, 2 of 24 h, 3 of 7 d. */
    twapEnabled: bytes(512),
    /** The entry that this one must be close to; 65535 is none. */
    refPrice: array(u16, 512),
    /** Settings of the kind of oracle. */
    generic: array(bytes(20), 512),
  },
});

export type OracleMappings = Decoded<typeof oracleMappings>;
export type OracleMappingsView = View<typeof oracleMappings>;
