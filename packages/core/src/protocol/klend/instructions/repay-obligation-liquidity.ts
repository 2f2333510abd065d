import { lamports } from '../../../base/encoding/branded-fields.ts';
import { instruction, read, sign, write } from '../../../base/solana/instruction.ts';

export const repayAccounts = {
  owner: sign,
  obligation: write,
  lendingMarket: read,
  repayReserve: write,
  reserveLiquidityMint: read,
  reserveDestinationLiquidity: write,
  userSourceLiquidity: write,
  tokenProgram: read,
  instructionSysvarAccount: read,
};

/** First generation: bound to its place, see `refreshObligation`. Remaining as in the second. */
export const repayObligationLiquidity = instruction({
  name: 'repayObligationLiquidity',
  discriminator: '91b20de14cf09348',
  accounts: repayAccounts,
  args: { liquidityAmount: lamports },
});
