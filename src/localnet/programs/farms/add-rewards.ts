import { addRewards } from '../../../protocol/farms/instructions/add-rewards.ts';
import { farmNow } from '../../../protocol/farms/math/farm-moment.ts';
import { addRewards as topUp } from '../../../protocol/farms/operations/add-rewards.ts';
import { farmVaultsAuthority } from '../../../protocol/farms/pda.ts';
import type { Call } from '../../runtime/program.ts';
import { type Handler, handles } from '../anchor-program.ts';
import { constrain, refuseMore, requires } from './constraints.ts';
import { readFarm, writeFarm } from './farm-accounts.ts';
import { logIssuance, logOperation } from './farm-logs.ts';
import { momentOf } from './oracle.ts';
import { checkRewardMint } from './reward-mint.ts';
import { rewardPlace } from './reward-place.ts';
import { checkTokenProgram, checkTokens, readTokens } from './token-accounts.ts';
import { moveReward } from './token-moves.ts';

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
