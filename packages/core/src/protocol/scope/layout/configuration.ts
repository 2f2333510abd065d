import { eachByte } from '../../../base/encoding/known-values.ts';
import {
  array,
  bytes,
  type Decoded,
  padding,
  pubkey,
  struct,
  u16,
  u64,
  type View,
} from '../../../base/encoding/layout.ts';
import { account } from '../../../base/solana/account.ts';
import { oracleTypeName } from '../oracle-types.ts';
import { SCOPE_PROGRAMS } from '../program.ts';

export const configuration = account({
  name: 'scope.Configuration',
  owners: SCOPE_PROGRAMS,
  discriminator: 'c04fac1e15ad192b',
  fields: {
    admin: pubkey,
    oracleMappings: pubkey,
    oraclePrices: pubkey,
    tokensMetadata: pubkey,
    oracleTwaps: pubkey,
    adminCached: pubkey,
    emergencyCouncil: pubkey,
    resumeAuthority: pubkey,
    padding: padding(9976),
  },
});

export type Configuration = Decoded<typeof configuration>;
export type ConfigurationView = View<typeof configuration>;

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
