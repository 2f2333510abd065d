import { instruction, read, signWrite, write } from '../../../base/solana/instruction.ts';

/** Makes the pending admin of a farm its admin. */
export const updateFarmAdmin = instruction({
  name: 'updateFarmAdmin',
  discriminator: '142588137aef2482',
  accounts: {
    pendingFarmAdmin: signWrite,
    farmState: write,
  },
  args: {},
});

/** Sets the second authority that may set stakes. Only the global admin may. */
export const updateSecondDelegatedAuthority = instruction({
  name: 'updateSecondDelegatedAuthority',
  discriminator: '7f1a06b5cbf87540',
  accounts: {
    globalAdmin: signWrite,
    farmState: write,
    globalConfig: read,
    newSecondDelegatedAuthority: read,
  },
  args: {},
});
