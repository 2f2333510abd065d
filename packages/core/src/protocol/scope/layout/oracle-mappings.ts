import { eachByte } from '../../../base/encoding/known-values.ts';
import {
  array,
  bytes,
  type Decoded,
  pubkey,
  u16,
  type View,
} from '../../../base/encoding/layout.ts';
import { account } from '../../../base/solana/account.ts';
import { oracleTypeName } from '../oracle-types.ts';
import { SCOPE_PROGRAMS } from '../program.ts';

/** The sources of the 512 prices. `math/mapping-entry.ts` assembles one entry. */
export const oracleMappings = account({
  name: 'scope.OracleMappings',
  owners: SCOPE_PROGRAMS,
  discriminator: '28f46e50ffd6f3bc',
  fields: {
    priceInfoAccounts: array(pubkey, 512),
    /** Bits 0 to 6 are the oracle type, bit 7 is the frozen flag. */
    priceTypes: eachByte(bytes(512), (type) => oracleTypeName(type & 0x7f) !== undefined),
    /** For a TWAP its source entry, otherwise the tolerance to the reference price in bps. 65535 is none. */
    twapSource: array(u16, 512),
    /** The enabled TWAPs: bit 0 is 1 h, 1 is 8 h, 2 is 24 h, 3 is 7 d. */
    twapEnabled: eachByte(bytes(512), (periods) => periods < 16),
    /** The reference price entry. 65535 is none. */
    refPrice: array(u16, 512),
    /** Settings of the oracle type. */
    generic: array(bytes(20), 512),
  },
});

export type OracleMappings = Decoded<typeof oracleMappings>;
export type OracleMappingsView = View<typeof oracleMappings>;
