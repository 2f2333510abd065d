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

/** Version 1: requires adjacent refreshes, see `refreshObligation`. Remaining accounts as in V2. */
export const repayObligationLiquidity = instruction({
  name: 'repayObligationLiquidity',
  discriminator: '91b20de14cf09348',
  accounts: repayAccounts,
  args: { liquidityAmount: lamports },
});
