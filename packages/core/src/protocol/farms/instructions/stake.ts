import { u64 } from '../../../base/encoding/layout.ts';
import { instruction, optionalRead, read, sign, write } from '../../../base/solana/instruction.ts';

/**
 * `amount` in the smallest unit of the farm's token, U64_MAX the whole balance. Not in a delegated
 * farm. `scopePrices` is absent unless the farm has one, here and in all instructions of this
 * program.
 */
export const stake = instruction({
  name: 'stake',
  discriminator: 'ceb0ca12c8d1b36c',
  accounts: {
    owner: sign,
    userState: write,
    farmState: write,
    farmVault: write,
    userAta: write,
    tokenMint: read,
    scopePrices: optionalRead,
    tokenProgram: read,
  },
  args: { amount: u64 },
});
