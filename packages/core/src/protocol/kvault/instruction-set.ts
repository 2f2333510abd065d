import { createInstructionSet } from '../../base/solana/instruction-set.ts';
import {
  addUpdateWhitelistedReserve,
  invest,
  investWithMaxAmount,
  removeAllocation,
  updateReserveAllocation,
  updateReserveAllocationV2,
} from './instructions/allocation.ts';
import {
  initGlobalConfig,
  updateGlobalConfig,
  updateGlobalConfigAdmin,
} from './instructions/global-config.ts';
import {
  giveUpPendingFees,
  topupRewards,
  withdrawPendingFees,
  withdrawRewards,
} from './instructions/rewards-and-fees.ts';
import {
  buy,
  buyWithMinSharesOut,
  deposit,
  depositWithMinSharesOut,
  redeemInKind,
  sell,
  withdraw,
  withdrawFromAvailable,
} from './instructions/shares.ts';
import {
  initializeSharesMetadata,
  initVault,
  updateAdmin,
  updateSharesMetadata,
  updateVaultConfig,
} from './instructions/vault-setup.ts';

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
