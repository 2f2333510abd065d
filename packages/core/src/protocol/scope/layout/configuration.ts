import { type Decoded, padding, pubkey, type View } from '../../../base/encoding/layout.ts';
import { account } from '../../../base/solana/account.ts';
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
