import {
  type FarmsRules,
  farmVaultsAuthority,
  rewardVault,
  treasuryVault,
  treasuryVaultsAuthority,
} from '@tidegate/core/protocol/farms';
import {
  addRewards,
  harvestReward,
  rewardUserOnce,
  withdrawReward,
  withdrawTreasury,
} from '@tidegate/core/protocol/farms/instructions';
import { type FarmState, globalConfig } from '@tidegate/core/protocol/farms/layout';
import { farmTime } from '@tidegate/core/protocol/farms/math';
import {
  type FarmPosition,
  harvestReward as harvest,
  type RewardInfo,
  rewardUserOnce as reward,
  addRewards as topUp,
  withdrawReward as withdraw,
} from '@tidegate/core/protocol/farms/operations';
import { associatedTokenAddress } from '@tidegate/core/protocol/spl';
import type { InvokeContext } from '../../runtime/program.ts';
import { ProgramFailure } from '../../runtime/transaction-errors.ts';
import { readAccount } from '../../runtime/typed-accounts.ts';
import {
  anchorFailure,
  anchorHandler,
  type InstructionHandler,
} from '../framework/anchor-program.ts';
import {
  readFarm,
  readFarmContext,
  readFarmPosition,
  rejectRemainingAccounts,
  requireConstraint,
  requireFarmRule,
  writeFarm,
  writeFarmPosition,
} from './farm-accounts.ts';
import { logIssuance, logOperation, logUserReward } from './farm-logs.ts';
import {
  checkRewardMint,
  checkTokenAccount,
  checkTokenProgram,
  transferReward,
  viewTokenAccount,
} from './farm-token-accounts.ts';

type HarvestAccounts = ReturnType<typeof harvestReward.decode>['accounts'];

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
  accounts: HarvestAccounts,
  transfer: { readonly destination: HarvestAccounts['rewardsVault']; readonly amount: bigint },
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

function checkPayer({ farm, user }: FarmPosition, { payer }: HarvestAccounts): void {
  const mayHarvest = farm.isHarvestingPermissionless !== 0 || payer === user.owner;
  const reason = 'only the owner of the stake may harvest';
  requireFarmRule(mayHarvest, 'HarvestingNotPermissionlessPayerMismatch', reason);
}

function checkFarm(call: InvokeContext, { farm }: FarmPosition, accounts: HarvestAccounts): void {
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
  { rules, ...accounts }: HarvestAccounts & { readonly rules: FarmsRules },
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

function checkVaults(call: InvokeContext, reward: RewardInfo, accounts: HarvestAccounts): void {
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

type AddAccounts = ReturnType<typeof addRewards.decode>['accounts'];

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

function checkVault(call: InvokeContext, accounts: AddAccounts): void {
  const { farmVaultsAuthority: authority, rewardMint: mint, tokenProgram } = accounts;
  checkTokenProgram(call, tokenProgram);
  const slot = { slot: 'rewardVault', address: accounts.rewardVault };
  checkTokenAccount(call, slot, { authority, mint, tokenProgram });
  const derived = farmVaultsAuthority(accounts.farmState, call.program);
  requireConstraint(call, authority === derived, ['ConstraintSeeds', 'farmVaultsAuthority']);
}

function checkSource(call: InvokeContext, accounts: AddAccounts): void {
  const { payerRewardTokenAta: address, rewardMint: mint, tokenProgram, payer } = accounts;
  const source = viewTokenAccount(call, address);
  const reason = 'the token account is of another mint than the reward';
  requireFarmRule(source.mint === mint, 'RewardAtaRewardMintMissmatch', reason);
  const isOwn = source.owner === payer;
  requireFarmRule(isOwn, 'RewardAtaOwnerNotPayer', 'the token account is not of the payer');
  checkTokenAccount(call, { slot: 'payerRewardTokenAta', address }, { mint, tokenProgram });
}

const UNITS = 30_000;

export const rewardAdministrationHandlers = (rules: FarmsRules): readonly InstructionHandler[] => [
  anchorHandler(rewardUserOnce, UNITS, ({ accounts, args, list, remaining }, call) => {
    const [userStateId] = list;
    if (rules.oneTimeReward === 'cumulative and id' && userStateId === undefined) {
      throw anchorFailure(call, 'InstructionDidNotDeserialize');
    }
    const before = readFarmPosition(call, accounts);
    const isDelegate = before.farm.delegateAuthority === accounts.delegateAuthority;
    requireConstraint(call, isDelegate, ['ConstraintHasOne', 'farmState']);
    rejectRemainingAccounts(remaining);
    rewardInfoAt(before.farm, args.rewardIndex);
    const { amount, expectedRewards } = args;
    const rewardIndex = Number(args.rewardIndex);
    const given = { rewardIndex, amount, expectedRewards, userStateId };
    writeFarmPosition(call, rules, { ...accounts, ...reward(before, given, rules) });
  }),
  anchorHandler(withdrawReward, UNITS, withdrawUnissued),
  anchorHandler(withdrawTreasury, UNITS, payTreasury),
];

function withdrawUnissued(
  { accounts, args, remaining }: ReturnType<typeof withdrawReward.decode>,
  call: InvokeContext,
): void {
  const { farmState, rewardMint: mint, rewardVault, tokenProgram } = accounts;
  const { farmVaultsAuthority: authority, adminRewardTokenAta: destination } = accounts;
  const before = readFarm(call, farmState);
  checkTokenProgram(call, tokenProgram);
  const isLinked =
    before.farmAdmin === accounts.farmAdmin && before.farmVaultsAuthority === authority;
  requireConstraint(call, isLinked, ['ConstraintHasOne', 'farmState']);
  const isVault = rewardVault === rewardInfoAt(before, args.rewardIndex).rewardsVault;
  requireConstraint(call, isVault, ['ConstraintRaw', 'rewardVault']);
  const vaultSlot = { slot: 'rewardVault', address: rewardVault };
  checkTokenAccount(call, vaultSlot, { authority, mint, tokenProgram });
  const isDerived = authority === farmVaultsAuthority(farmState, call.program);
  requireConstraint(call, isDerived, ['ConstraintSeeds', 'farmVaultsAuthority']);
  const slot = { slot: 'adminRewardTokenAta', address: destination };
  checkTokenAccount(call, slot, { mint, tokenProgram });
  rejectRemainingAccounts(remaining);
  checkRewardMint(call, mint);
  const context = readFarmContext(call, before, accounts.scopePrices);
  const rewardIndex = Number(args.rewardIndex);
  logOperation(call, `withdraw_reward amount=${args.amount}`);
  const request = { rewardIndex, rewardMint: mint, requested: args.amount };
  const { farm, amount } = withdraw(before, request, context);
  logIssuance(call, before, { farm, context });
  writeFarm(call, farmState, farm);
  call.log(`withdraw ${amount} from reward ${mint} index ${rewardIndex}`);
  transferReward(call, { source: rewardVault, destination, authority, amount, mint, tokenProgram });
}

function payTreasury(
  { accounts, args: { amount }, remaining }: ReturnType<typeof withdrawTreasury.decode>,
  call: InvokeContext,
): void {
  const { globalConfig: config, rewardMint: mint, rewardTreasuryVault, tokenProgram } = accounts;
  const { treasuryVaultAuthority: authority } = accounts;
  const { withdrawDestinationTokenAccount: destination } = accounts;
  const { globalAdmin } = readAccount(call, globalConfig, config);
  checkTokenProgram(call, tokenProgram);
  const isAdmin = globalAdmin === accounts.globalAdmin;
  requireConstraint(call, isAdmin, ['ConstraintHasOne', 'globalConfig']);
  const isVault = rewardTreasuryVault === treasuryVault(config, mint, call.program);
  requireConstraint(call, isVault, ['ConstraintSeeds', 'rewardTreasuryVault']);
  const vaultSlot = { slot: 'rewardTreasuryVault', address: rewardTreasuryVault };
  checkTokenAccount(call, vaultSlot, { authority, mint, tokenProgram });
  const isDerived = authority === treasuryVaultsAuthority(config, call.program);
  requireConstraint(call, isDerived, ['ConstraintSeeds', 'treasuryVaultAuthority']);
  const slot = { slot: 'withdrawDestinationTokenAccount', address: destination };
  checkTokenAccount(call, slot, { mint, tokenProgram });
  rejectRemainingAccounts(remaining);
  checkRewardMint(call, mint);
  requireFarmRule(amount > 0n, 'NothingToWithdraw', 'the amount is zero');
  const source = rewardTreasuryVault;
  transferReward(call, { source, destination, authority, amount, mint, tokenProgram });
}

/** One of the ten reward slots, used or not. The program panics beyond them. */
function rewardInfoAt(farm: FarmState, index: bigint): RewardInfo {
  const reward = farm.rewardInfos[Number(index)];
  if (reward === undefined) throw new ProgramFailure('ProgramFailedToComplete');
  return reward;
}
