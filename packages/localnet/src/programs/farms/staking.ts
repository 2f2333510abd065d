import { type Address, U64_MAX } from '@tidegate/core/base';
import {
  type FarmsRules,
  farmVault as farmVaultAddress,
  farmVaultsAuthority,
  farmVaultsAuthority as vaultsAuthorityAddress,
} from '@tidegate/core/protocol/farms';
import {
  depositToFarmVault,
  refreshFarm,
  refreshUserState,
  stake,
  unstake,
  withdrawFromFarmVault,
  withdrawSlashedAmount,
  withdrawUnstakedDeposits,
} from '@tidegate/core/protocol/farms/instructions';
import type { FarmState } from '@tidegate/core/protocol/farms/layout';
import { farmTime } from '@tidegate/core/protocol/farms/math';
import {
  depositToFarmVault as depositToVault,
  type FarmPosition,
  refreshFarm as refresh,
  refreshUserState as refreshUser,
  unstake as release,
  stakeBalance,
  withdrawUnstakedDeposits as withdraw,
  withdrawFromFarmVault as withdrawFromVault,
  withdrawSlashedAmount as withdrawSlashed,
} from '@tidegate/core/protocol/farms/operations';
import { TOKEN_PROGRAM } from '@tidegate/core/protocol/spl';
import { mint } from '@tidegate/core/protocol/spl/layout';
import type { InvokeContext } from '../../runtime/program.ts';
import { anchorHandler, type InstructionHandler } from '../framework/anchor-program.ts';
import {
  readFarm,
  readFarmContext,
  readFarmPosition,
  readFarmPositionOfOwner,
  rejectRemainingAccounts,
  requireConstraint,
  requireFarmRule,
  writeFarm,
  writeFarmPosition,
} from './farm-accounts.ts';
import {
  formatScaledFraction,
  logActivation,
  logIssuance,
  logOperation,
  logTallies,
  logUserRewards,
} from './farm-logs.ts';
import {
  checkTokenAccount,
  decodeOrFail,
  readStakeAccounts,
  transferStake,
  viewTokenAccount,
} from './farm-token-accounts.ts';

export const stakeHandler = (rules: FarmsRules): InstructionHandler =>
  anchorHandler(stake, 62_800, ({ accounts, args, remaining }, call) => {
    const { userAta, farmVault, owner } = accounts;
    const before = readFarmPositionOfOwner(call, accounts);
    const { user: source } = readStakeAccounts(call, before.farm, accounts);
    const balance = source.amount;
    checkStakedMint(call, before.farm, accounts.tokenMint);
    requireFarmRule(args.amount !== 0n, 'StakeZero', 'there is nothing to stake');
    rejectRemainingAccounts(remaining);
    const context = readFarmContext(call, before.farm, accounts.scopePrices);
    const amount = args.amount === U64_MAX ? balance : args.amount;
    logOperation(call, `stake amount=${amount}`);
    const after = stakeBalance(before, amount, context);
    logIssuance(call, before.farm, { farm: after.farm, context });
    logUserRewards(call, before, after);
    logStake(call, before, after);
    writeFarmPosition(call, rules, { ...accounts, ...after });
    call.log(`Stake ${amount} ts ${farmTime(before.farm, call.time)}`);
    if (amount === 0n) return;
    transferStake(call, { source: userAta, destination: farmVault, authority: owner, amount });
    call.log('Transferred Ok(())');
  });

export const unstakeHandler = (rules: FarmsRules): InstructionHandler =>
  anchorHandler(unstake, 110_000, ({ accounts, args, remaining }, call) => {
    const before = readFarmPositionOfOwner(call, accounts);
    rejectRemainingAccounts(remaining);
    const context = readFarmContext(call, before.farm, accounts.scopePrices);
    logOperation(call, `unstake amount of stake=${formatScaledFraction(args.stakeSharesScaled)}`);
    const after = release(before, args.stakeSharesScaled, context);
    logIssuance(call, before.farm, { farm: after.farm, context });
    logUserRewards(call, before, after);
    const pending = ({ user }: FarmPosition) => user.pendingWithdrawalUnstakeScaled;
    const added = formatScaledFraction(pending(after) - pending(before));
    const amounts = `added_pending_withdrawal_unstake=${added}, token_amount_unstaked=`;
    logOperation(call, `unstake ${amounts}${after.amount}`);
    writeFarmPosition(call, rules, { ...accounts, ...after });
  });

export const withdrawUnstakedDepositsHandler = (rules: FarmsRules): InstructionHandler =>
  anchorHandler(withdrawUnstakedDeposits, 20_900, ({ accounts, remaining }, call) => {
    const { farmState, farmVault, userAta, farmVaultsAuthority: authority } = accounts;
    const before = readFarmPositionOfOwner(call, accounts);
    const isAuthority = before.farm.farmVaultsAuthority === authority;
    requireConstraint(call, isAuthority, ['ConstraintHasOne', 'farmState']);
    readStakeAccounts(call, before.farm, accounts);
    const derived = farmVaultsAuthority(farmState, call.program);
    requireConstraint(call, authority === derived, ['ConstraintSeeds', 'farmVaultsAuthority']);
    rejectRemainingAccounts(remaining);
    const after = withdraw(before, { at: call.time });
    writeFarmPosition(call, rules, { ...accounts, ...after });
    const { amount } = after;
    if (amount > 0n)
      transferStake(call, { source: farmVault, destination: userAta, authority, amount });
  });

function checkStakedMint(call: InvokeContext, farm: FarmState, address: Address): void {
  const account = call.account(address);
  decodeOrFail(() => mint.view(account));
  requireConstraint(call, account.owner === TOKEN_PROGRAM, [
    'AccountOwnedByWrongProgram',
    'tokenMint',
  ]);
  const reason = 'the mint is not the one of the farm';
  requireFarmRule(address === farm.token.mint, 'TokenFarmTokenMintMissmatch', reason);
}

function logStake(call: InvokeContext, before: FarmPosition, { farm, user }: FarmPosition): void {
  if (farm.depositWarmupPeriod > 0) {
    const gained = user.pendingDepositStakeScaled - before.user.pendingDepositStakeScaled;
    const due = `pending_user_stake_ts=${user.pendingDepositStakeTs}`;
    logOperation(call, `stake AFTER: ${due},pending_stake_gained=${formatScaledFraction(gained)}`);
    return;
  }
  const gained = user.activeStakeScaled - before.user.activeStakeScaled;
  const active = `active_user_stake_scaled=${user.activeStakeScaled}`;
  logOperation(call, `stake AFTER: ${active}, active_stake_gained=${formatScaledFraction(gained)}`);
  logTallies(call, { farm, user }, gained);
}

const UNITS = 20_000;

export const farmVaultHandlers: readonly InstructionHandler[] = [
  anchorHandler(depositToFarmVault, UNITS, ({ accounts, args: { amount }, remaining }, call) => {
    const { farmState, farmVault, depositor, depositorAta } = accounts;
    const farm = readFarm(call, farmState);
    requireConstraint(call, farm.farmAdmin === depositor, ['ConstraintAddress', 'depositor']);
    checkVault(call, farm, accounts);
    const { mint } = viewTokenAccount(call, depositorAta);
    const reason = 'the token account is of another mint than the farm';
    requireFarmRule(mint === farm.token.mint, 'UserAtaFarmTokenMintMissmatch', reason);
    const slot = { slot: 'depositorAta', address: depositorAta };
    checkTokenAccount(call, slot, { authority: depositor, mint, tokenProgram: TOKEN_PROGRAM });
    const after = depositToVault(farm, amount);
    rejectRemainingAccounts(remaining);
    logOperation(call, `deposit_to_farm_vault amount=${amount}`);
    writeFarm(call, farmState, after);
    const moved = { source: depositorAta, destination: farmVault, authority: depositor };
    transferStake(call, { ...moved, amount });
  }),
  anchorHandler(withdrawFromFarmVault, UNITS, ({ accounts, args, remaining }, call) => {
    const { farmState, withdrawAuthority, withdrawerTokenAccount: destination } = accounts;
    const farm = readFarm(call, farmState);
    const isAuthority = farm.withdrawAuthority === withdrawAuthority;
    requireConstraint(call, isAuthority, ['ConstraintHasOne', 'farmState']);
    const slot = { slot: 'withdrawerTokenAccount', address: destination };
    const { mint } = farm.token;
    const terms = { authority: withdrawAuthority, mint, tokenProgram: TOKEN_PROGRAM };
    checkTokenAccount(call, slot, terms);
    checkVaultAndAuthority(call, farm, accounts);
    rejectRemainingAccounts(remaining);
    logOperation(call, `withdraw_from_farm_vault amount=${args.amount}`);
    const { farm: after, amount } = withdrawFromVault(farm, args.amount);
    writeFarm(call, farmState, after);
    payFromVault(call, accounts, { destination, amount });
  }),
  anchorHandler(withdrawSlashedAmount, UNITS, ({ accounts, remaining }, call) => {
    const { farmState, slashedAmountSpillAddress: destination } = accounts;
    const farm = readFarm(call, farmState);
    const isSpill = farm.slashedAmountSpillAddress === destination;
    requireConstraint(call, isSpill, ['ConstraintHasOne', 'farmState']);
    const slot = { slot: 'slashedAmountSpillAddress', address: destination };
    checkTokenAccount(call, slot, { mint: farm.token.mint, tokenProgram: TOKEN_PROGRAM });
    checkVaultAndAuthority(call, farm, accounts);
    rejectRemainingAccounts(remaining);
    const { farm: after, amount } = withdrawSlashed(farm);
    writeFarm(call, farmState, after);
    if (amount > 0n) payFromVault(call, accounts, { destination, amount });
  }),
];

type VaultAccounts = {
  readonly farmState: Address;
  readonly farmVault: Address;
  readonly tokenProgram: Address;
};
type PayingAccounts = VaultAccounts & { readonly farmVaultsAuthority: Address };

function checkVault(call: InvokeContext, farm: FarmState, accounts: VaultAccounts): void {
  const { farmVault: address, tokenProgram } = accounts;
  const { delegateTag, closeAuthorityTag } = viewTokenAccount(call, address);
  const isTokenProgram = tokenProgram === TOKEN_PROGRAM;
  requireConstraint(call, isTokenProgram, ['InvalidProgramId', 'tokenProgram']);
  requireConstraint(call, farm.farmVault === address, ['ConstraintHasOne', 'farmState']);
  const derived = farmVaultAddress(accounts.farmState, farm.token.mint, call.program);
  requireConstraint(call, address === derived, ['ConstraintSeeds', 'farmVault']);
  const closable = 'somebody may close the farm vault';
  requireFarmRule(delegateTag === 0, 'FarmVaultHasDelegate', 'the farm vault has a delegate');
  requireFarmRule(closeAuthorityTag === 0, 'FarmVaultHasCloseAuthority', closable);
}

function checkVaultAndAuthority(
  call: InvokeContext,
  farm: FarmState,
  accounts: PayingAccounts,
): void {
  const { farmVaultsAuthority: authority } = accounts;
  const isLinked = farm.farmVaultsAuthority === authority;
  requireConstraint(call, isLinked, ['ConstraintHasOne', 'farmState']);
  checkVault(call, farm, accounts);
  const isDerived = authority === vaultsAuthorityAddress(accounts.farmState, call.program);
  requireConstraint(call, isDerived, ['ConstraintSeeds', 'farmVaultsAuthority']);
}

function payFromVault(
  call: InvokeContext,
  { farmVault: source, farmVaultsAuthority: authority }: PayingAccounts,
  paid: { readonly destination: Address; readonly amount: bigint },
): void {
  transferStake(call, { source, authority, ...paid });
}

export const refreshFarmHandler: InstructionHandler = anchorHandler(
  refreshFarm,
  8_000,
  ({ accounts, remaining }, call) => {
    const before = readFarm(call, accounts.farmState);
    rejectRemainingAccounts(remaining);
    const context = readFarmContext(call, before, accounts.scopePrices);
    const farm = refresh(before, context);
    logIssuance(call, before, { farm, context });
    writeFarm(call, accounts.farmState, farm);
  },
);

export const refreshUserStateHandler = (rules: FarmsRules): InstructionHandler =>
  anchorHandler(refreshUserState, 30_000, ({ accounts, remaining }, call) => {
    const before = readFarmPosition(call, accounts);
    rejectRemainingAccounts(remaining);
    const context = readFarmContext(call, before.farm, accounts.scopePrices);
    const after = refreshUser(before, context);
    logIssuance(call, before.farm, { farm: after.farm, context });
    logUserRewards(call, before, after);
    logActivation(call, before, after);
    writeFarmPosition(call, rules, { ...accounts, ...after });
  });
