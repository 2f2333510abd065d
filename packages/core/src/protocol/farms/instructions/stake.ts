import { u64 } from '../../../base/encoding/layout.ts';
import { instruction, optionalRead, read, sign, write } from '../../../base/solana/instruction.ts';

/**
 * `amount` is in base units of the farm's token; U64_MAX is the full balance. Fails in a delegated farm. In all
 * instructions of this program, `scopePrices` is absent unless the farm has an oracle.
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
