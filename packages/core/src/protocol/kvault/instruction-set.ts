import { createInstructionSet } from '../../base/solana/instruction-set.ts';
import { buy } from './instructions/buy.ts';
import { deposit } from './instructions/deposit.ts';
import { giveUpPendingFees } from './instructions/give-up-pending-fees.ts';
import { invest } from './instructions/invest.ts';
import { redeemInKind } from './instructions/redeem-in-kind.ts';
import { sell } from './instructions/sell.ts';
import { updateReserveAllocation } from './instructions/update-reserve-allocation.ts';
import { withdraw } from './instructions/withdraw.ts';
import { withdrawFromAvailable } from './instructions/withdraw-from-available.ts';
import { withdrawPendingFees } from './instructions/withdraw-pending-fees.ts';

/** Instructions of admins, without a codec. */
const others = {
  db8b5fcc07b7762d: 'addUpdateWhitelistedReserve',
  '3d8766977c2e90d1': 'buyWithMinSharesOut',
  '4a7f805004ddc15b': 'depositWithMinSharesOut',
  '8c88d630570078ff': 'initGlobalConfig',
  '4d4f559621d9346a': 'initVault',
  '030fac72c8008320': 'initializeSharesMetadata',
  '875cb88945487607': 'investWithMaxAmount',
  '20dcd38dd1e7494c': 'removeAllocation',
  '7f9331893a896738': 'topupRewards',
  a1b028d53cb8b3e4: 'updateAdmin',
  a45482bd6f3afac8: 'updateGlobalConfig',
  b85717c19ceeaf77: 'updateGlobalConfigAdmin',
  c388014f0a7b7964: 'updateReserveAllocationV2',
  '9b227aa5f589936b': 'updateSharesMetadata',
  '7a0315de9effee9d': 'updateVaultConfig',
  '0ad6db8bcd16fb15': 'withdrawRewards',
};

export const kvaultInstructions = createInstructionSet(
  [
    deposit,
    buy,
    withdraw,
    sell,
    withdrawFromAvailable,
    redeemInKind,
    invest,
    withdrawPendingFees,
    giveUpPendingFees,
    updateReserveAllocation,
  ],
  others,
);
