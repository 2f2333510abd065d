import { instruction, read, signWrite, write } from '../../../../base/solana/instruction.ts';

/** Pays a referrer its fees of one reserve, as far as the reserve has liquidity. */
export const withdrawReferrerFees = instruction({
  name: 'withdrawReferrerFees',
  discriminator: 'ab7679c9e98c17e4',
  accounts: {
    referrer: signWrite,
    referrerTokenState: write,
    reserve: write,
    reserveLiquidityMint: read,
    reserveSupplyLiquidity: write,
    referrerTokenAccount: write,
    lendingMarket: read,
    lendingMarketAuthority: read,
    tokenProgram: read,
  },
  args: {},
});
