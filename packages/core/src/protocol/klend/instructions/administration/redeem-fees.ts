import { instruction, read, write } from '../../../../base/solana/instruction.ts';

/** Moves the protocol's part of the interest from the reserve to its fee vault. Anyone can call it. */
export const redeemFees = instruction({
  name: 'redeemFees',
  discriminator: 'd727b429ad2ef8dc',
  accounts: {
    reserve: write,
    reserveLiquidityMint: read,
    reserveLiquidityFeeReceiver: write,
    reserveSupplyLiquidity: write,
    lendingMarket: read,
    lendingMarketAuthority: read,
    tokenProgram: read,
  },
  args: {},
});
