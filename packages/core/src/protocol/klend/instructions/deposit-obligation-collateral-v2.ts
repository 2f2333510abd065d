import { u64 } from '../../../base/encoding/layout.ts';
import { instruction, read } from '../../../base/solana/instruction.ts';
import { depositCollateralAccounts } from './deposit-obligation-collateral.ts';
import { farmsAccounts } from './farms-accounts.ts';

/**
 * Moves cTokens from the owner's wallet to the obligation. `collateralAmount` is in cTokens. The market authority
 * precedes the farm accounts.
 */
export const depositObligationCollateralV2 = instruction({
  name: 'depositObligationCollateralV2',
  discriminator: '8991975ea7710491',
  accounts: {
    ...depositCollateralAccounts,
    lendingMarketAuthority: read,
    ...farmsAccounts,
    farmsProgram: read,
  },
  args: { collateralAmount: u64 },
});
