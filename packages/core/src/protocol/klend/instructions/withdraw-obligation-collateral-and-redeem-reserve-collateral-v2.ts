import { u64 } from '../../../base/encoding/layout.ts';
import { instruction, read } from '../../../base/solana/instruction.ts';
import { farmsAccounts } from './farms-accounts.ts';
import { withdrawAccounts } from './withdraw-obligation-collateral-and-redeem-reserve-collateral.ts';

/**
 * `collateralAmount` is in cTokens: more than deposited means all of it, U64_MAX as much as the
 * debt allows. An obligation that ends without positions is closed, its rent goes to the owner.
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
