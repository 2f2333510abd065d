import { u8 } from '../../../base/encoding/layout.ts';
import { instruction, read, signWrite, untilEnd, write } from '../../../base/solana/instruction.ts';

/** The list is the name, symbol and URI of the shares, see `decodeTexts`. */
export const initializeSharesMetadata = instruction({
  name: 'initializeSharesMetadata',
  discriminator: '030fac72c8008320',
  accounts: {
    vaultAdminAuthority: signWrite,
    vaultState: read,
    sharesMint: read,
    baseVaultAuthority: read,
    sharesMetadata: write,
    systemProgram: read,
    rent: read,
    metadataProgram: read,
  },
  args: {},
  list: { count: untilEnd, item: u8 },
});

/** The list as in `initializeSharesMetadata`. */
export const updateSharesMetadata = instruction({
  name: 'updateSharesMetadata',
  discriminator: '9b227aa5f589936b',
  accounts: {
    vaultAdminAuthority: signWrite,
    vaultState: read,
    baseVaultAuthority: read,
    sharesMetadata: write,
    metadataProgram: read,
  },
  args: {},
  list: { count: untilEnd, item: u8 },
});
