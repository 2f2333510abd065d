import { createInstructionSet } from '../../base/solana/instruction-set.ts';
import { addRewards } from './instructions/add-rewards.ts';
import { closeEmptyUserState } from './instructions/close-empty-user-state.ts';
import { harvestReward } from './instructions/harvest-reward.ts';
import { initializeUser } from './instructions/initialize-user.ts';
import { refreshFarm } from './instructions/refresh-farm.ts';
import { refreshUserState } from './instructions/refresh-user-state.ts';
import { setStakeDelegated } from './instructions/set-stake-delegated.ts';
import { stake } from './instructions/stake.ts';
import { transferOwnership } from './instructions/transfer-ownership.ts';
import { unstake } from './instructions/unstake.ts';
import { withdrawUnstakedDeposits } from './instructions/withdraw-unstaked-deposits.ts';

/** Instructions of admins and cranks, without a codec. */
const others = {
  '83a6405e6cd572b7': 'depositToFarmVault',
  '8250269950d4b6fd': 'idlMissingTypes',
  fc1cb9acf44a75a5: 'initializeFarm',
  fa546519334dcc5b: 'initializeFarmDelegated',
  '71d87a83e1d11637': 'initializeGlobalConfig',
  '5f87c0c4f281e644': 'initializeReward',
  db8939165eba6072: 'rewardUserOnce',
  '142588137aef2482': 'updateFarmAdmin',
  d6b0bcf4cb3be6cf: 'updateFarmConfig',
  a45482bd6f3afac8: 'updateGlobalConfig',
  b85717c19ceeaf77: 'updateGlobalConfigAdmin',
  '7f1a06b5cbf87540': 'updateSecondDelegatedAuthority',
  '165280fa564f7c4e': 'withdrawFromFarmVault',
  bfbbb0890919bbf4: 'withdrawReward',
  cad9434aac168cd8: 'withdrawSlashedAmount',
  '283f7a9e90d85360': 'withdrawTreasury',
};

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
  ],
  others,
);
