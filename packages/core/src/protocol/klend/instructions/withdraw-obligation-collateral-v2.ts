import { u64 } from '../../../base/encoding/layout.ts';
import { instruction, read } from '../../../base/solana/instruction.ts';
import { farmsAccounts } from './farms-accounts.ts';
import { withdrawCollateralAccounts } from './withdraw-obligation-collateral.ts';

/**
 * Moves cTokens from the obligation to the owner's wallet. `collateralAmount` is in cTokens. Fails if the reserve has
 * `blockCtokenUsage` set.
 */
export const withdrawObligationCollateralV2 = instruction({
  name: 'withdrawObligationCollateralV2',
  discriminator: 'caf97572e7c02f8a',
  accounts: {
    ...withdrawCollateralAccounts,
    ...farmsAccounts,
    farmsProgram: read,
  },
  args: { collateralAmount: u64 },
});
