import { createInstructionSet } from '../../base/solana/instruction-set.ts';
import {
  depositToFarmVault,
  initializeFarm,
  initializeFarmDelegated,
  initializeGlobalConfig,
  refreshFarm,
  updateFarmAdmin,
  updateFarmConfig,
  updateGlobalConfig,
  updateGlobalConfigAdmin,
  updateSecondDelegatedAuthority,
  withdrawFromFarmVault,
  withdrawSlashedAmount,
} from './instructions/farm-setup.ts';
import {
  addRewards,
  harvestReward,
  initializeReward,
  rewardUserOnce,
  withdrawReward,
  withdrawTreasury,
} from './instructions/rewards.ts';
import {
  closeEmptyUserState,
  initializeUser,
  refreshUserState,
  setStakeDelegated,
  stake,
  transferOwnership,
  unstake,
  withdrawUnstakedDeposits,
} from './instructions/staking.ts';

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
