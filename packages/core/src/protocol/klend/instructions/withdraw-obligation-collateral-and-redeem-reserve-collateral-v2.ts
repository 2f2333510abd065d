import { u64 } from '../../../base/encoding/layout.ts';
import { instruction, read } from '../../../base/solana/instruction.ts';
import { farmsAccounts } from './farms-accounts.ts';
import { withdrawAccounts } from './withdraw-obligation-collateral-and-redeem-reserve-collateral.ts';

/**
 * `collateralAmount` is in cTokens and capped at the deposit. U64_MAX withdraws as much as the debt allows. Closes an
 * obligation without positions and pays its rent to the owner.
 */
export const withdrawObligationCollateralAndRedeemReserveCollateralV2 = instruction({
  name: 'withdrawObligationCollateralAndRedeemReserveCollateralV2',
  discriminator: 'eb34779895c51407',
  accounts: {
    ...withdrawAccounts,
    ...farmsAccounts,
    farmsProgram: read,
  },
  args: { collateralAmount: u64 },
});
