import { farmVaultsAuthority } from '@tidegate/core/protocol/farms';
import { addRewards } from '@tidegate/core/protocol/farms/instructions';
import { farmTime } from '@tidegate/core/protocol/farms/math';
import { addRewards as topUp } from '@tidegate/core/protocol/farms/operations';
import type { InvokeContext } from '../../runtime/program.ts';
import { anchorHandler, type InstructionHandler } from '../framework/anchor-program.ts';
import { readFarm, writeFarm } from './farm-accounts.ts';
import { rejectRemainingAccounts, requireConstraint, requireFarmRule } from './farm-constraints.ts';
import { logIssuance, logOperation } from './farm-logs.ts';
import { readFarmContext } from './farm-oracle.ts';
import { checkTokenAccount, checkTokenProgram, viewTokenAccount } from './farm-token-accounts.ts';
import { transferReward } from './farm-transfers.ts';
import { rewardInfoAt } from './reward-info.ts';
import { checkRewardMint } from './reward-mint.ts';

type Accounts = ReturnType<typeof addRewards.decode>['accounts'];

export const addRewardsHandler: InstructionHandler = anchorHandler(
  addRewards,
  40_000,
  ({ accounts, args, remaining }, call) => {
    const { farmState, rewardMint, rewardVault, payerRewardTokenAta, payer } = accounts;
    const { amount, rewardIndex } = args;
    const before = readFarm(call, farmState);
    const isVault = rewardVault === rewardInfoAt(before, rewardIndex).rewardsVault;
    requireConstraint(call, isVault, ['ConstraintRaw', 'rewardVault']);
    checkVault(call, accounts);
    checkSource(call, accounts);
    rejectRemainingAccounts(remaining);
    checkRewardMint(call, rewardMint);
    const context = readFarmContext(call, before, accounts.scopePrices);
    const details = `amount ${amount}, reward_index ${rewardIndex}`;
    call.log(`AddReward farm_state ${farmState} ${details} ts ${farmTime(before, call.time)}`);
    logOperation(call, `add_reward amount=${amount}`);
    const farm = topUp(before, { rewardIndex: Number(rewardIndex), rewardMint, amount }, context);
    logIssuance(call, before, { farm, context });
    writeFarm(call, farmState, farm);
    call.log(`add ${amount} to reward ${rewardMint} index ${rewardIndex}`);
    const transferAccounts = {
      source: payerRewardTokenAta,
      destination: rewardVault,
      authority: payer,
    };
    const { tokenProgram } = accounts;
    transferReward(call, { ...transferAccounts, mint: rewardMint, tokenProgram, amount });
  },
);

function checkVault(call: InvokeContext, accounts: Accounts): void {
  const { farmVaultsAuthority: authority, rewardMint: mint, tokenProgram } = accounts;
  checkTokenProgram(call, tokenProgram);
  const slot = { slot: 'rewardVault', address: accounts.rewardVault };
  checkTokenAccount(call, slot, { authority, mint, tokenProgram });
  const derived = farmVaultsAuthority(accounts.farmState, call.program);
  requireConstraint(call, authority === derived, ['ConstraintSeeds', 'farmVaultsAuthority']);
}

function checkSource(call: InvokeContext, accounts: Accounts): void {
  const { payerRewardTokenAta: address, rewardMint: mint, tokenProgram, payer } = accounts;
  const source = viewTokenAccount(call, address);
  const reason = 'the token account is of another mint than the reward';
  requireFarmRule(source.mint === mint, 'RewardAtaRewardMintMissmatch', reason);
  const isOwn = source.owner === payer;
  requireFarmRule(isOwn, 'RewardAtaOwnerNotPayer', 'the token account is not of the payer');
  checkTokenAccount(call, { slot: 'payerRewardTokenAta', address }, { mint, tokenProgram });
}
