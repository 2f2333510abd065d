import { type FarmsRules, farmsError, NEWEST_FARMS_RULES } from '@tidegate/core/protocol/farms';
import type { Program } from '../../runtime/program.ts';
import { createAnchorProgram } from '../framework/anchor-program.ts';
import {
  addRewardsHandler,
  harvestRewardHandler,
  rewardAdministrationHandlers,
} from './rewards.ts';
import { farmGlobalSettingsHandlers, farmSettingsHandlers, farmSetupHandlers } from './settings.ts';
import {
  farmVaultHandlers,
  refreshFarmHandler,
  refreshUserStateHandler,
  stakeHandler,
  unstakeHandler,
  withdrawUnstakedDepositsHandler,
} from './staking.ts';
import {
  closeEmptyUserStateHandler,
  initializeUserHandler,
  setStakeDelegatedHandler,
  transferOwnershipHandler,
} from './user-states.ts';

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
