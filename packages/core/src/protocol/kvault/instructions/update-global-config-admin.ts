import { instruction, sign, write } from '../../../base/solana/instruction.ts';

/** Makes the pending admin of the global config its admin. */
export const updateGlobalConfigAdmin = instruction({
  name: 'updateGlobalConfigAdmin',
  discriminator: 'b85717c19ceeaf77',
  accounts: {
    pendingAdmin: sign,
    globalConfig: write,
  },
  args: {},
});
