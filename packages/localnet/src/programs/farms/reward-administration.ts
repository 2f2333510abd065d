import type { FarmsRules } from '@tidegate/core/protocol/farms';
import {
  farmVaultsAuthority,
  treasuryVault,
  treasuryVaultsAuthority,
} from '@tidegate/core/protocol/farms';
import {
  rewardUserOnce,
  withdrawReward,
  withdrawTreasury,
} from '@tidegate/core/protocol/farms/instructions';
import { globalConfig } from '@tidegate/core/protocol/farms/layout';
import {
  rewardUserOnce as reward,
  withdrawReward as withdraw,
} from '@tidegate/core/protocol/farms/operations';
import type { InvokeContext } from '../../runtime/program.ts';
import { readAccount } from '../../runtime/typed-accounts.ts';
import {
  anchorFailure,
  anchorHandler,
  type InstructionHandler,
} from '../framework/anchor-program.ts';
import { readFarm, readFarmPosition, writeFarm, writeFarmPosition } from './farm-accounts.ts';
import { rejectRemainingAccounts, requireConstraint, requireFarmRule } from './farm-constraints.ts';
import { logIssuance, logOperation } from './farm-logs.ts';
import { readFarmContext } from './farm-oracle.ts';
import { checkTokenAccount, checkTokenProgram } from './farm-token-accounts.ts';
import { transferReward } from './farm-transfers.ts';
import { rewardInfoAt } from './reward-info.ts';
import { checkRewardMint } from './reward-mint.ts';

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
