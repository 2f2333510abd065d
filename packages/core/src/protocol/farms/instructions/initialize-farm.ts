import { instruction, read, sign, signWrite, write } from '../../../base/solana/instruction.ts';

/** Creates a farm in a zeroed account of the farm's size, with the token account for its stakes. */
export const initializeFarm = instruction({
  name: 'initializeFarm',
  discriminator: 'fc1cb9acf44a75a5',
  accounts: {
    farmAdmin: signWrite,
    farmState: write,
    globalConfig: read,
    farmVault: write,
    farmVaultsAuthority: read,
    tokenMint: read,
    tokenProgram: read,
    systemProgram: read,
    rent: read,
  },
  args: {},
});

/** Creates a farm whose stakes the delegate sets. It holds no staked tokens. */
export const initializeFarmDelegated = instruction({
  name: 'initializeFarmDelegated',
  discriminator: 'fa546519334dcc5b',
  accounts: {
    farmAdmin: signWrite,
    farmDelegate: sign,
    farmState: write,
    globalConfig: read,
    farmVaultsAuthority: read,
    systemProgram: read,
    rent: read,
  },
  args: {},
});
