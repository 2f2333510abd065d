import { u64 } from '../../../base/encoding/layout.ts';
import { instruction, read, sign, write } from '../../../base/solana/instruction.ts';

export const depositCollateralAccounts = {
  owner: sign,
  obligation: write,
  lendingMarket: read,
  depositReserve: write,
  reserveDestinationCollateral: write,
  userSourceCollateral: write,
  tokenProgram: read,
  instructionSysvarAccount: read,
};

/** Version 1: requires adjacent refreshes, see `refreshObligation`. `collateralAmount` is in cTokens. */
export const depositObligationCollateral = instruction({
  name: 'depositObligationCollateral',
  discriminator: '6cd1044815167685',
  accounts: depositCollateralAccounts,
  args: { collateralAmount: u64 },
});
