import { createInstructionSet } from '../../base/solana/instruction-set.ts';
import { addUpdateWhitelistedReserve } from './instructions/add-update-whitelisted-reserve.ts';
import { buy } from './instructions/buy.ts';
import { deposit } from './instructions/deposit.ts';
import {
  buyWithMinSharesOut,
  depositWithMinSharesOut,
} from './instructions/deposit-with-min-shares-out.ts';
import { giveUpPendingFees } from './instructions/give-up-pending-fees.ts';
import { initGlobalConfig } from './instructions/init-global-config.ts';
import { initVault } from './instructions/init-vault.ts';
import { invest, investWithMaxAmount } from './instructions/invest.ts';
import { redeemInKind } from './instructions/redeem-in-kind.ts';
import { removeAllocation } from './instructions/remove-allocation.ts';
import { sell } from './instructions/sell.ts';
import { initializeSharesMetadata, updateSharesMetadata } from './instructions/shares-metadata.ts';
import { topupRewards } from './instructions/topup-rewards.ts';
import { updateAdmin } from './instructions/update-admin.ts';
import { updateGlobalConfig } from './instructions/update-global-config.ts';
import { updateGlobalConfigAdmin } from './instructions/update-global-config-admin.ts';
import {
  updateReserveAllocation,
  updateReserveAllocationV2,
} from './instructions/update-reserve-allocation.ts';
import { updateVaultConfig } from './instructions/update-vault-config.ts';
import { withdraw } from './instructions/withdraw.ts';
import { withdrawFromAvailable } from './instructions/withdraw-from-available.ts';
import { withdrawPendingFees } from './instructions/withdraw-pending-fees.ts';
import { withdrawRewards } from './instructions/withdraw-rewards.ts';

/** All instructions of the deployed interface. */
export const kvaultInstructions = createInstructionSet([
  deposit,
  buy,
  depositWithMinSharesOut,
  buyWithMinSharesOut,
  withdraw,
  sell,
  withdrawFromAvailable,
  redeemInKind,
  invest,
  investWithMaxAmount,
  withdrawPendingFees,
  giveUpPendingFees,
  updateReserveAllocation,
  updateReserveAllocationV2,
  removeAllocation,
  initVault,
  updateVaultConfig,
  updateAdmin,
  topupRewards,
  withdrawRewards,
  initializeSharesMetadata,
  updateSharesMetadata,
  initGlobalConfig,
  updateGlobalConfig,
  updateGlobalConfigAdmin,
  addUpdateWhitelistedReserve,
]);
