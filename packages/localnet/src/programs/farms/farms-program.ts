import { type FarmsRules, farmsError, NEWEST_FARMS_RULES } from '@tidegate/core/protocol/farms';
import type { Program } from '../../runtime/program.ts';
import { createAnchorProgram } from '../framework/anchor-program.ts';
import { addRewardsHandler } from './add-rewards.ts';
import { closeEmptyUserStateHandler } from './close-empty-user-state.ts';
import { farmSettingsHandlers } from './farm-settings.ts';
import { farmSetupHandlers } from './farm-setup.ts';
import { farmVaultHandlers } from './farm-vault-transfers.ts';
import { farmGlobalSettingsHandlers } from './global-settings.ts';
import { harvestRewardHandler } from './harvest-reward.ts';
import { initializeUserHandler } from './initialize-user.ts';
import { refreshFarmHandler, refreshUserStateHandler } from './refresh-farm.ts';
import { rewardAdministrationHandlers } from './reward-administration.ts';
import { setStakeDelegatedHandler } from './set-stake-delegated.ts';
import { stakeHandler, unstakeHandler, withdrawUnstakedDepositsHandler } from './staking.ts';
import { transferOwnershipHandler } from './transfer-ownership.ts';

/** The farms program. `rules` select the modelled build. */
export const createFarmsProgram = (rules: FarmsRules): Program =>
  createAnchorProgram({
    errorOf: farmsError,
    handlers: [
      initializeUserHandler(rules),
      transferOwnershipHandler(rules),
      ...(rules.closesEmptyUserStates ? [closeEmptyUserStateHandler] : []),
      refreshFarmHandler,
      refreshUserStateHandler(rules),
      setStakeDelegatedHandler(rules),
      stakeHandler(rules),
      unstakeHandler(rules),
      withdrawUnstakedDepositsHandler(rules),
      harvestRewardHandler(rules),
      addRewardsHandler,
      ...farmSetupHandlers,
      ...farmSettingsHandlers,
      ...rewardAdministrationHandlers(rules),
      ...farmVaultHandlers,
      ...farmGlobalSettingsHandlers,
    ],
  });

/** The currently deployed build. */
export const farmsProgram: Program = createFarmsProgram(NEWEST_FARMS_RULES);
