import { lamports } from '../../../../base/encoding/branded-fields.ts';
import { instruction, read, sign, write } from '../../../../base/solana/instruction.ts';

/** Adds to the rewards that a reserve distributes to its lenders. Anyone can pay for them. */
export const topupReserveRewards = instruction({
  name: 'topupReserveRewards',
  discriminator: '3fff82d36ed858ad',
  accounts: {
    signer: sign,
    lendingMarket: read,
    reserve: write,
    reserveLiquidityMint: read,
    reserveLiquiditySupply: write,
    sourceLiquidity: write,
    liquidityTokenProgram: read,
  },
  args: { amount: lamports },
});
