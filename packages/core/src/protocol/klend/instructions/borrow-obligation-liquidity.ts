import { lamports } from '../../../base/encoding/branded-fields.ts';
import { instruction, optionalWrite, read, sign, write } from '../../../base/solana/instruction.ts';

export const borrowAccounts = {
  owner: sign,
  obligation: write,
  lendingMarket: read,
  lendingMarketAuthority: read,
  borrowReserve: write,
  borrowReserveLiquidityMint: read,
  reserveSourceLiquidity: write,
  borrowReserveLiquidityFeeReceiver: write,
  userDestinationLiquidity: write,
  referrerTokenState: optionalWrite,
  tokenProgram: read,
  instructionSysvarAccount: read,
};

/** Version 1: requires adjacent refreshes, see `refreshObligation`. Remaining accounts as in V2. */
export const borrowObligationLiquidity = instruction({
  name: 'borrowObligationLiquidity',
  discriminator: '797f12cc49f5e141',
  accounts: borrowAccounts,
  args: { liquidityAmount: lamports },
});
