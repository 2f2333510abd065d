import { instruction, optionalRead, write } from '../../../base/solana/instruction.ts';

/** Issues the farm's rewards up to now. */
export const refreshFarm = instruction({
  name: 'refreshFarm',
  discriminator: 'd6838ab790c2ac2a',
  accounts: {
    farmState: write,
    scopePrices: optionalRead,
  },
  args: {},
});
