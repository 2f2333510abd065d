import { u8, u32 } from '../../../base/encoding/layout.ts';
import {
  instruction,
  read,
  sign,
  signWrite,
  untilEnd,
  write,
} from '../../../base/solana/instruction.ts';

/**
 * Creates a vault in a zeroed account of the vault's size, with its token account and its share mint. The admin pays
 * a first deposit of 1,000 lamports, whose shares nobody owns.
 */
export const initVault = instruction({
  name: 'initVault',
  discriminator: '4d4f559621d9346a',
  accounts: {
    adminAuthority: signWrite,
    vaultState: write,
    baseVaultAuthority: read,
    tokenVault: write,
    baseTokenMint: read,
    sharesMint: write,
    adminTokenAccount: write,
    systemProgram: read,
    rent: read,
    tokenProgram: read,
    sharesTokenProgram: read,
  },
  args: {},
});

/**
 * Changes one setting. `entry` is its index in `vaultConfigEntries`, the list is the encoded new value. Charges fees
 * first. Remaining accounts as in `deposit`.
 */
export const updateVaultConfig = instruction({
  name: 'updateVaultConfig',
  discriminator: '7a0315de9effee9d',
  accounts: {
    signer: sign,
    globalConfig: read,
    vaultState: write,
    klendProgram: read,
  },
  args: { entry: u8 },
  list: { count: u32, item: u8 },
});

/** Makes the pending admin of a vault its admin. */
export const updateAdmin = instruction({
  name: 'updateAdmin',
  discriminator: 'a1b028d53cb8b3e4',
  accounts: {
    pendingAdmin: signWrite,
    vaultState: write,
  },
  args: {},
});

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
