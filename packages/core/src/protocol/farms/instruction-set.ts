import { createInstructionSet } from '../../base/solana/instruction-set.ts';
import { addRewards } from './instructions/add-rewards.ts';
import { closeEmptyUserState } from './instructions/close-empty-user-state.ts';
import { updateFarmAdmin, updateSecondDelegatedAuthority } from './instructions/farm-admin.ts';
import {
  depositToFarmVault,
  withdrawFromFarmVault,
  withdrawSlashedAmount,
} from './instructions/farm-vault.ts';
import {
  initializeGlobalConfig,
  updateGlobalConfig,
  updateGlobalConfigAdmin,
} from './instructions/global-config.ts';
import { harvestReward } from './instructions/harvest-reward.ts';
import { initializeFarm, initializeFarmDelegated } from './instructions/initialize-farm.ts';
import { initializeReward } from './instructions/initialize-reward.ts';
import { initializeUser } from './instructions/initialize-user.ts';
import { refreshFarm } from './instructions/refresh-farm.ts';
import { refreshUserState } from './instructions/refresh-user-state.ts';
import { rewardUserOnce } from './instructions/reward-user-once.ts';
import { setStakeDelegated } from './instructions/set-stake-delegated.ts';
import { stake } from './instructions/stake.ts';
import { transferOwnership } from './instructions/transfer-ownership.ts';
import { unstake } from './instructions/unstake.ts';
import { updateFarmConfig } from './instructions/update-farm-config.ts';
import { withdrawReward, withdrawTreasury } from './instructions/withdraw-reward.ts';
import { withdrawUnstakedDeposits } from './instructions/withdraw-unstaked-deposits.ts';

/** Only in the interface, for its types: the program never accepts it. */
const others = { '8250269950d4b6fd': 'idlMissingTypes' };

export const farmsInstructions = createInstructionSet(
  [
    initializeUser,
    stake,
    unstake,
    withdrawUnstakedDeposits,
    harvestReward,
    refreshFarm,
    refreshUserState,
    transferOwnership,
    closeEmptyUserState,
    setStakeDelegated,
    addRewards,
    initializeFarm,
    initializeFarmDelegated,
    initializeReward,
    updateFarmConfig,
    updateFarmAdmin,
    updateSecondDelegatedAuthority,
    rewardUserOnce,
    withdrawReward,
    depositToFarmVault,
    withdrawFromFarmVault,
    withdrawSlashedAmount,
    initializeGlobalConfig,
    updateGlobalConfig,
    updateGlobalConfigAdmin,
    withdrawTreasury,
  ],
  others,
);
