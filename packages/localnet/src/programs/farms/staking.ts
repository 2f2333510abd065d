import { type Address, U64_MAX } from '@tidegate/core/base';
import type { FarmsRules } from '@tidegate/core/protocol/farms';
import { farmVaultsAuthority } from '@tidegate/core/protocol/farms';
import {
  stake,
  unstake,
  withdrawUnstakedDeposits,
} from '@tidegate/core/protocol/farms/instructions';
import type { FarmState } from '@tidegate/core/protocol/farms/layout';
import { farmTime } from '@tidegate/core/protocol/farms/math';
import {
  type FarmPosition,
  unstake as release,
  stakeBalance,
  withdrawUnstakedDeposits as withdraw,
} from '@tidegate/core/protocol/farms/operations';
import { TOKEN_PROGRAM } from '@tidegate/core/protocol/spl';
import { mint } from '@tidegate/core/protocol/spl/layout';
import type { InvokeContext } from '../../runtime/program.ts';
import { anchorHandler, type InstructionHandler } from '../framework/anchor-program.ts';
import { readFarmPositionOfOwner, writeFarmPosition } from './farm-accounts.ts';
import { rejectRemainingAccounts, requireConstraint, requireFarmRule } from './farm-constraints.ts';
import {
  formatScaledFraction,
  logIssuance,
  logOperation,
  logTallies,
  logUserRewards,
} from './farm-logs.ts';
import { readFarmContext } from './farm-oracle.ts';
import { decodeOrFail, readStakeAccounts } from './farm-token-accounts.ts';
import { transferStake } from './farm-transfers.ts';

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
