import type { FarmsRules } from '@tidegate/core/protocol/farms';
import { farmVaultsAuthority, rewardVault, treasuryVault } from '@tidegate/core/protocol/farms';
import { harvestReward } from '@tidegate/core/protocol/farms/instructions';
import { globalConfig } from '@tidegate/core/protocol/farms/layout';
import { farmTime } from '@tidegate/core/protocol/farms/math';
import {
  type FarmPosition,
  harvestReward as harvest,
  type RewardInfo,
} from '@tidegate/core/protocol/farms/operations';
import { associatedTokenAddress } from '@tidegate/core/protocol/spl';
import type { InvokeContext } from '../../runtime/program.ts';
import { readAccount } from '../../runtime/typed-accounts.ts';
import { anchorHandler, type InstructionHandler } from '../framework/anchor-program.ts';
import { readFarmPosition, writeFarmPosition } from './farm-accounts.ts';
import { rejectRemainingAccounts, requireConstraint, requireFarmRule } from './farm-constraints.ts';
import { logIssuance, logOperation, logUserReward } from './farm-logs.ts';
import { readFarmContext } from './farm-oracle.ts';
import { checkTokenAccount, checkTokenProgram, viewTokenAccount } from './farm-token-accounts.ts';
import { transferReward } from './farm-transfers.ts';
import { rewardInfoAt } from './reward-info.ts';
import { checkRewardMint } from './reward-mint.ts';

type Accounts = ReturnType<typeof harvestReward.decode>['accounts'];

export const harvestRewardHandler = (rules: FarmsRules): InstructionHandler =>
  anchorHandler(harvestReward, 79_000, ({ accounts, args, remaining }, call) => {
    const before = readFarmPosition(call, accounts);
    const { treasuryFeeBps } = readAccount(call, globalConfig, accounts.globalConfig);
    checkPayer(before, accounts);
    checkFarm(call, before, accounts);
    checkReceiver(call, before, { ...accounts, rules });
    checkVaults(call, rewardInfoAt(before.farm, args.rewardIndex), accounts);
    rejectRemainingAccounts(remaining);
    checkRewardMint(call, accounts.rewardMint);
    const context = readFarmContext(call, before.farm, accounts.scopePrices);
    const rewardIndex = Number(args.rewardIndex);
    const states = `user_state ${accounts.userState}, farm_state ${accounts.farmState}`;
    call.log(`HarvestReward ${states} ts ${farmTime(before.farm, call.time)}`);
    logOperation(call, `harvest reward_index=${rewardIndex}`);
    const after = harvest(before, { rewardIndex, treasuryFeeBps }, context);
    logIssuance(call, before.farm, { farm: after.farm, context });
    logUserReward(call, rewardIndex, { before, after });
    writeFarmPosition(call, rules, { ...accounts, ...after });
    const { user, treasury } = after.payout;
    const shares = `amount_user ${user}, amount_treasury ${treasury}`;
    call.log(`owner ${before.user.owner} ${shares}`);
    pay(call, accounts, { destination: accounts.userRewardTokenAccount, amount: user });
    pay(call, accounts, { destination: accounts.rewardsTreasuryVault, amount: treasury });
  });

function pay(
  call: InvokeContext,
  accounts: Accounts,
  transfer: { readonly destination: Accounts['rewardsVault']; readonly amount: bigint },
): void {
  if (transfer.amount === 0n) return;
  const { rewardsVault, rewardMint, farmVaultsAuthority: authority, tokenProgram } = accounts;
  transferReward(call, {
    ...transfer,
    source: rewardsVault,
    mint: rewardMint,
    authority,
    tokenProgram,
  });
}

function checkPayer({ farm, user }: FarmPosition, { payer }: Accounts): void {
  const mayHarvest = farm.isHarvestingPermissionless !== 0 || payer === user.owner;
  const reason = 'only the owner of the stake may harvest';
  requireFarmRule(mayHarvest, 'HarvestingNotPermissionlessPayerMismatch', reason);
}

function checkFarm(call: InvokeContext, { farm }: FarmPosition, accounts: Accounts): void {
  const isLinked =
    farm.globalConfig === accounts.globalConfig &&
    farm.farmVaultsAuthority === accounts.farmVaultsAuthority;
  requireConstraint(call, isLinked, ['ConstraintHasOne', 'farmState']);
  const derived = farmVaultsAuthority(accounts.farmState, call.program);
  const isDerived = accounts.farmVaultsAuthority === derived;
  requireConstraint(call, isDerived, ['ConstraintSeeds', 'farmVaultsAuthority']);
}

/** The owner receives the reward, since 1.7.0 in the associated account if somebody else harvests. */
function checkReceiver(
  call: InvokeContext,
  { user }: FarmPosition,
  { rules, ...accounts }: Accounts & { readonly rules: FarmsRules },
): void {
  const { payer, rewardMint: mint, tokenProgram, userRewardTokenAccount: address } = accounts;
  checkTokenProgram(call, tokenProgram);
  const slot = { slot: 'userRewardTokenAccount', address };
  checkTokenAccount(call, slot, { authority: user.owner, mint, tokenProgram });
  if (rules.harvestForOwner === 'any account of the owner') return;
  const isAllowed =
    payer === user.owner || address === associatedTokenAddress(user.owner, mint, tokenProgram);
  const reason = 'whoever is not the owner pays to the associated account of the owner';
  requireFarmRule(isAllowed, 'UserRewardTokenAccountMustBeAta', reason);
}

function checkVaults(call: InvokeContext, reward: RewardInfo, accounts: Accounts): void {
  const { rewardsVault, rewardsTreasuryVault, rewardMint: mint, tokenProgram } = accounts;
  const vault = viewTokenAccount(call, rewardsVault);
  requireFarmRule(vault.delegateTag === 0, 'RewardsVaultHasDelegate', 'the vault has a delegate');
  const hasNoCloseAuthority = vault.closeAuthorityTag === 0;
  requireFarmRule(
    hasNoCloseAuthority,
    'RewardsVaultHasCloseAuthority',
    'somebody may close the vault',
  );
  const isOfReward = rewardsVault === reward.rewardsVault;
  requireFarmRule(isOfReward, 'RewardVaultMismatch', 'the vault is of another reward');
  const derived = rewardVault(accounts.farmState, vault.mint, call.program);
  requireConstraint(call, rewardsVault === derived, ['ConstraintSeeds', 'rewardsVault']);
  checkTokenAccount(call, { slot: 'rewardsVault', address: rewardsVault }, { mint, tokenProgram });
  const treasury = treasuryVault(accounts.globalConfig, vault.mint, call.program);
  const isTreasury = rewardsTreasuryVault === treasury;
  requireConstraint(call, isTreasury, ['ConstraintSeeds', 'rewardsTreasuryVault']);
  const slot = { slot: 'rewardsTreasuryVault', address: rewardsTreasuryVault };
  checkTokenAccount(call, slot, { mint, tokenProgram });
}
