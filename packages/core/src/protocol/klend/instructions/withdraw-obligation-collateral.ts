import { u64 } from '../../../base/encoding/layout.ts';
import { instruction, read, signWrite, write } from '../../../base/solana/instruction.ts';

export const withdrawCollateralAccounts = {
  owner: signWrite,
  obligation: write,
  lendingMarket: read,
  lendingMarketAuthority: read,
  withdrawReserve: write,
  reserveSourceCollateral: write,
  userDestinationCollateral: write,
  tokenProgram: read,
  instructionSysvarAccount: read,
};

/** Version 1: requires adjacent refreshes, see `refreshObligation`. `collateralAmount` is in cTokens. */
export const withdrawObligationCollateral = instruction({
  name: 'withdrawObligationCollateral',
  discriminator: '2574cd67f3c05cc6',
  accounts: withdrawCollateralAccounts,
  args: { collateralAmount: u64 },
});
