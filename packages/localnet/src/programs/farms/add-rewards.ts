import { farmVaultsAuthority } from '@tidegate/core/protocol/farms';
import { addRewards } from '@tidegate/core/protocol/farms/instructions';
import { farmNow } from '@tidegate/core/protocol/farms/math';
import { addRewards as topUp } from '@tidegate/core/protocol/farms/operations';
import type { Call } from '../../runtime/program.ts';
import { type Handler, handles } from '../framework/anchor-program.ts';
import { readFarm, writeFarm } from './farm-accounts.ts';
import { constrain, refuseMore, requires } from './farm-constraints.ts';
import { logIssuance, logOperation } from './farm-logs.ts';
import { momentOf } from './farm-oracle.ts';
import { checkTokenProgram, checkTokens, readTokens } from './farm-token-accounts.ts';
import { moveReward } from './farm-transfers.ts';
import { rewardPlace } from './reward-info.ts';
import { checkRewardMint } from './reward-mint.ts';

type Accounts = ReturnType<typeof addRewards.decode>['accounts'];

export const addRewardsHandler: Handler = handles(
  addRewards,
  40_000,
  ({ accounts, args, remaining }, call) => {
    const { farmState, rewardMint, rewardVault, payerRewardTokenAta, payer } = accounts;
    const { amount, rewardIndex } = args;
    const before = readFarm(call, farmState);
    const isVault = rewardVault === rewardPlace(before, rewardIndex).rewardsVault;
    constrain(call, isVault, ['ConstraintRaw', 'rewardVault']);
    checkVault(call, accounts);
    checkSource(call, accounts);
    refuseMore(remaining);
    checkRewardMint(call, rewardMint);
    const moment = momentOf(call, before, accounts.scopePrices);
    const what = `amount ${amount}, reward_index ${rewardIndex}`;
    call.log(`AddReward farm_state ${farmState} ${what} ts ${farmNow(before, call.time)}`);
    logOperation(call, `add_reward amount=${amount}`);
    const farm = topUp(before, { rewardIndex: Number(rewardIndex), rewardMint, amount }, moment);
    logIssuance(call, before, { farm, moment });
    writeFarm(call, farmState, farm);
    call.log(`add ${amount} to reward ${rewardMint} index ${rewardIndex}`);
    const ends = { source: payerRewardTokenAta, destination: rewardVault, authority: payer };
    const { tokenProgram } = accounts;
    moveReward(call, { ...ends, mint: rewardMint, tokenProgram, amount });
  },
);

function checkVault(call: Call, accounts: Accounts): void {
  const { farmVaultsAuthority: authority, rewardMint: mint, tokenProgram } = accounts;
  checkTokenProgram(call, tokenProgram);
  const slot = { slot: 'rewardVault', address: accounts.rewardVault };
  checkTokens(call, slot, { authority, mint, tokenProgram });
  const derived = farmVaultsAuthority(accounts.farmState, call.program);
  constrain(call, authority === derived, ['ConstraintSeeds', 'farmVaultsAuthority']);
}

function checkSource(call: Call, accounts: Accounts): void {
  const { payerRewardTokenAta: address, rewardMint: mint, tokenProgram, payer } = accounts;
  const source = readTokens(call, address);
  const reason = 'the token account is of another mint than the reward';
  requires(source.mint === mint, 'RewardAtaRewardMintMissmatch', reason);
  const isOwn = source.owner === payer;
  requires(isOwn, 'RewardAtaOwnerNotPayer', 'the token account is not of the payer');
  checkTokens(call, { slot: 'payerRewardTokenAta', address }, { mint, tokenProgram });
}
