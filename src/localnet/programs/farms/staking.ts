import type { Address } from '../../../base/address.ts';
import { U64_MAX } from '../../../base/lamports.ts';
import { stake } from '../../../protocol/farms/instructions/stake.ts';
import { unstake } from '../../../protocol/farms/instructions/unstake.ts';
import { withdrawUnstakedDeposits } from '../../../protocol/farms/instructions/withdraw-unstaked-deposits.ts';
import type { FarmState } from '../../../protocol/farms/layout/farm-state.ts';
import { farmNow } from '../../../protocol/farms/math/farm-moment.ts';
import type { FarmPosition } from '../../../protocol/farms/operations/farm-position.ts';
import { stakeBalance } from '../../../protocol/farms/operations/stake.ts';
import { unstake as release } from '../../../protocol/farms/operations/unstake.ts';
import { withdrawUnstakedDeposits as withdraw } from '../../../protocol/farms/operations/withdraw-unstaked-deposits.ts';
import { farmVaultsAuthority } from '../../../protocol/farms/pda.ts';
import { mint } from '../../../protocol/spl/layout/mint.ts';
import { TOKEN_PROGRAM } from '../../../protocol/spl/programs.ts';
import type { Call } from '../../runtime/program.ts';
import { type Handler, handles } from '../anchor-program.ts';
import { constrain, refuseMore, requires } from './constraints.ts';
import { readOwnPosition, writePosition } from './farm-accounts.ts';
import { logIssuance, logOperation, logTallies, logUserRewards, wadText } from './farm-logs.ts';
import type { FarmsRules } from './farms-rules.ts';
import { momentOf } from './oracle.ts';
import { readable, readStakeAccounts } from './token-accounts.ts';
import { moveStake } from './token-moves.ts';

export const stakeHandler = (rules: FarmsRules): Handler =>
  handles(stake, 62_800, ({ accounts, args, remaining }, call) => {
    const { userAta, farmVault, owner } = accounts;
    const before = readOwnPosition(call, accounts);
    const { user: source } = readStakeAccounts(call, before.farm, accounts);
    const balance = source.amount;
    checkStakedMint(call, before.farm, accounts.tokenMint);
    requires(args.amount !== 0n, 'StakeZero', 'there is nothing to stake');
    refuseMore(remaining);
    const moment = momentOf(call, before.farm, accounts.scopePrices);
    const amount = args.amount === U64_MAX ? balance : args.amount;
    logOperation(call, `stake amount=${amount}`);
    const after = stakeBalance(before, amount, moment);
    logIssuance(call, before.farm, { farm: after.farm, moment });
    logUserRewards(call, before, after);
    logStake(call, before, after);
    writePosition(call, rules, { ...accounts, ...after });
    call.log(`Stake ${amount} ts ${farmNow(before.farm, call.time)}`);
    if (amount === 0n) return;
    moveStake(call, { source: userAta, destination: farmVault, authority: owner, amount });
    call.log('Transferred Ok(())');
  });

export const unstakeHandler = (rules: FarmsRules): Handler =>
  handles(unstake, 110_000, ({ accounts, args, remaining }, call) => {
    const before = readOwnPosition(call, accounts);
    refuseMore(remaining);
    const moment = momentOf(call, before.farm, accounts.scopePrices);
    logOperation(call, `unstake amount of stake=${wadText(args.stakeSharesScaled)}`);
    const after = release(before, args.stakeSharesScaled, moment);
    logIssuance(call, before.farm, { farm: after.farm, moment });
    logUserRewards(call, before, after);
    const pending = ({ user }: FarmPosition) => user.pendingWithdrawalUnstakeScaled;
    const added = wadText(pending(after) - pending(before));
    const amounts = `added_pending_withdrawal_unstake=${added}, token_amount_unstaked=`;
    logOperation(call, `unstake ${amounts}${after.amount}`);
    writePosition(call, rules, { ...accounts, ...after });
  });

export const withdrawUnstakedDepositsHandler = (rules: FarmsRules): Handler =>
  handles(withdrawUnstakedDeposits, 20_900, ({ accounts, remaining }, call) => {
    const { farmState, farmVault, userAta, farmVaultsAuthority: authority } = accounts;
    const before = readOwnPosition(call, accounts);
    const isAuthority = before.farm.farmVaultsAuthority === authority;
    constrain(call, isAuthority, ['ConstraintHasOne', 'farmState']);
    readStakeAccounts(call, before.farm, accounts);
    const derived = farmVaultsAuthority(farmState, call.program);
    constrain(call, authority === derived, ['ConstraintSeeds', 'farmVaultsAuthority']);
    refuseMore(remaining);
    const after = withdraw(before, { at: call.time });
    writePosition(call, rules, { ...accounts, ...after });
    const { amount } = after;
    if (amount > 0n)
      moveStake(call, { source: farmVault, destination: userAta, authority, amount });
  });

function checkStakedMint(call: Call, farm: FarmState, address: Address): void {
  const account = call.account(address);
  readable(() => mint.view(account));
  constrain(call, account.owner === TOKEN_PROGRAM, ['AccountOwnedByWrongProgram', 'tokenMint']);
  const reason = 'the mint is not the one of the farm';
  requires(address === farm.token.mint, 'TokenFarmTokenMintMissmatch', reason);
}

function logStake(call: Call, before: FarmPosition, { farm, user }: FarmPosition): void {
  if (farm.depositWarmupPeriod > 0) {
    const gained = user.pendingDepositStakeScaled - before.user.pendingDepositStakeScaled;
    const due = `pending_user_stake_ts=${user.pendingDepositStakeTs}`;
    logOperation(call, `stake AFTER: ${due},pending_stake_gained=${wadText(gained)}`);
    return;
  }
  const gained = user.activeStakeScaled - before.user.activeStakeScaled;
  const active = `active_user_stake_scaled=${user.activeStakeScaled}`;
  logOperation(call, `stake AFTER: ${active}, active_stake_gained=${wadText(gained)}`);
  logTallies(call, { farm, user }, gained);
}
