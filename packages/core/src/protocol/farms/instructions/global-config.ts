import { bytes, u8 } from '../../../base/encoding/layout.ts';
import { instruction, read, sign, signWrite, write } from '../../../base/solana/instruction.ts';

/** The settings of the global config. The index is the value of `mode`. */
export const farmsGlobalConfigModes = ['SetPendingGlobalAdmin', 'SetTreasuryFeeBps'] as const;

/** Creates a global config in a zeroed account of its size. */
export const initializeGlobalConfig = instruction({
  name: 'initializeGlobalConfig',
  discriminator: '71d87a83e1d11637',
  accounts: {
    globalAdmin: signWrite,
    globalConfig: write,
    treasuryVaultsAuthority: read,
    systemProgram: read,
  },
  args: {},
});

/** The value is an address, or a number in its first 8 bytes. */
export const updateGlobalConfig = instruction({
  name: 'updateGlobalConfig',
  discriminator: 'a45482bd6f3afac8',
  accounts: {
    globalAdmin: sign,
    globalConfig: write,
  },
  args: { mode: u8, value: bytes(32) },
});

/** Makes the pending admin of the global config its admin. */
export const updateGlobalConfigAdmin = instruction({
  name: 'updateGlobalConfigAdmin',
  discriminator: 'b85717c19ceeaf77',
  accounts: {
    pendingGlobalAdmin: sign,
    globalConfig: write,
  },
  args: {},
});
