import { instruction, read, signWrite, write } from '../../../base/solana/instruction.ts';

/** Creates the global config. Its admin is the upgrade authority in `programData`. */
export const initGlobalConfig = instruction({
  name: 'initGlobalConfig',
  discriminator: '8c88d630570078ff',
  accounts: {
    payer: signWrite,
    globalConfig: write,
    programData: read,
    systemProgram: read,
    rent: read,
  },
  args: {},
});
