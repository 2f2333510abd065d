import { checkBits, mulWad, WAD } from '../../../base/numbers/decimal-wad.ts';
import { type Lamports, toLamports } from '../../../base/numbers/lamports.ts';
import type { RejectionFigures } from '../../../base/solana/rejection-figures.ts';
import { farmsRejection } from '../errors.ts';
import type { FarmState } from '../layout/farm-state.ts';
import type { UserState } from '../layout/user-state.ts';
import {
  applyOraclePrice,
  type FarmContext,
  farmTime,
  hasOracle,
  isDelegated,
  timeFigures,
} from '../math/issuance.ts';
import { withdrawalPenalty } from '../math/stake-shares.ts';
import {
  addActiveStake,
  addPendingDeposit,
  addPendingWithdrawal,
  type FarmPosition,
  refreshStake,
  refreshUserRewards,
  removeActiveStake,
  removePendingWithdrawal,
  updateTallies,
} from './refresh.ts';

/**
 * The `stake` instruction. `amount` moves from the user's token account to the farm vault. For 2^64 - 1, the full
 * balance, see `stakeBalance`.
 */
export function stake(position: FarmPosition, amount: bigint, context: FarmContext): FarmPosition {
  if (amount === 0n) throw farmsRejection('StakeZero', 'the amount is zero');
  return stakeBalance(position, amount, context);
}

/** Stakes the full balance of a token account. An empty account does not throw. */
export function stakeBalance(
  position: FarmPosition,
  balance: bigint,
  context: FarmContext,
): FarmPosition {
  if (isDelegated(position.farm)) {
    throw farmsRejection('FarmDelegated', 'another program sets its stakes');
  }
  const refreshed = refreshStake(refreshUserRewards(position, context), context);
  checkDepositCap(refreshed.farm, balance, context);
  return addStake(refreshed, balance, context);
}

/** Adds tokens to the stake of a refreshed user: at once, or after the warmup. */
export function addStake(
  { farm, user }: FarmPosition,
  amount: bigint,
  context: FarmContext,
): FarmPosition {
  const now = farmTime(farm, context.at);
  if (farm.depositWarmupPeriod === 0) {
    return addActiveStake({ farm, user: { ...user, lastStakeTs: now } }, amount);
  }
  const due = checkBits(now + BigInt(farm.depositWarmupPeriod), 64, 'end of the warmup');
  const waiting = { ...user, lastStakeTs: now, pendingDepositStakeTs: due };
  return addPendingDeposit({ farm, user: waiting }, amount);
}

/** The cap is in the staked token, or in the currency of the farm's oracle. 0 is no cap. */
export function checkDepositCap(farm: FarmState, added: bigint, context: FarmContext): void {
  const total = checkBits(farm.totalStakedAmount + added, 64, 'total stake');
  const oracleInput = { now: farmTime(farm, context.at), price: context.price };
  const counted = checkBits(
    applyOraclePrice(farm, total, oracleInput),
    64,
    'value of the total stake',
  );
  if (farm.depositCapAmount === 0n || counted <= farm.depositCapAmount) return;
  const reason = `the total stake of ${counted} would exceed the cap of ${farm.depositCapAmount}`;
  throw farmsRejection('DepositCapReached', reason, capFigures(farm, added));
}

/** Without figures if an oracle prices the stake: the cap is then not in the staked token. */
function capFigures(farm: FarmState, added: bigint): RejectionFigures | undefined {
  if (hasOracle(farm)) return undefined;
  const { totalStakedAmount: staked, depositCapAmount: limit } = farm;
  return { unit: 'share', needed: added, available: limit > staked ? limit - staked : 0n, limit };
}

export type UnstakeResult = FarmPosition & {
  /** Can be withdrawn after the cooldown. */
  readonly amount: Lamports;
  readonly penalty: Lamports;
};

/** The `unstake` instruction. `sharesScaled` is shares times 10^18, capped at the active stake. */
export function unstake(
  position: FarmPosition,
  sharesScaled: bigint,
  context: FarmContext,
): UnstakeResult {
  if (sharesScaled === 0n) throw farmsRejection('UnstakeZero', 'the requested shares are zero');
  if (isDelegated(position.farm)) {
    throw farmsRejection('FarmDelegated', 'another program sets its stakes');
  }
  const refreshed = refreshUserRewards(position, context);
  const { activeStakeScaled } = refreshed.user;
  const shares = sharesScaled < activeStakeScaled ? sharesScaled : activeStakeScaled;
  if (shares === 0n) throw farmsRejection('NothingToUnstake', 'the user has no active stake');
  const now = farmTime(refreshed.farm, context.at);
  checkPendingWithdrawal(refreshed.user, now);
  const removed = removeActiveStake(refreshed, shares);
  const { amount } = removed;
  const penalty = withdrawalPenalty(removed.farm, removed.user, { amount, now });
  const left = toLamports(amount - penalty);
  const { farm, user } = addPendingWithdrawal(removed, left);
  const slashed = {
    ...farm,
    slashedAmountCurrent: toLamports(farm.slashedAmountCurrent + penalty),
    slashedAmountCumulative: toLamports(farm.slashedAmountCumulative + penalty),
  };
  const due = checkBits(now + BigInt(farm.withdrawalCooldownPeriod), 64, 'end of the cooldown');
  const cooling = { ...user, pendingWithdrawalUnstakeTs: due };
  const tallied = withoutTallies({ farm: slashed, user: cooling }, shares);
  return { farm: slashed, user: tallied, amount: left, penalty };
}

/** Removed shares take their part of the tallies. Rounding may exceed the tally slightly. */
function withoutTallies(position: FarmPosition, shares: bigint): UserState {
  return updateTallies(position, (tally, rewardPerShareScaled) => {
    const loss = mulWad(shares, rewardPerShareScaled);
    if (tally + WAD <= loss) throw farmsRejection('IntegerOverflow', 'the tally is too small');
    return tally > loss ? tally - loss : 0n;
  });
}

/** A new unstake extends a running cooldown. */
function checkPendingWithdrawal(user: UserState, now: bigint): void {
  if (user.pendingWithdrawalUnstakeScaled === 0n || user.pendingWithdrawalUnstakeTs > now) return;
  const reason = 'an earlier unstake is withdrawable; withdraw it first';
  throw farmsRejection('PendingWithdrawalNotWithdrawnYet', reason);
}

/** The `withdrawUnstakedDeposits` instruction. `amount` moves from the farm vault to the user. Refreshes nothing. */
export function withdrawUnstakedDeposits(
  position: FarmPosition,
  context: FarmContext,
): FarmPosition & { readonly amount: Lamports } {
  const { farm, user } = position;
  if (isDelegated(farm)) throw farmsRejection('FarmDelegated', 'another program sets its stakes');
  const { pendingWithdrawalUnstakeTs, pendingWithdrawalUnstakeScaled } = user;
  if (pendingWithdrawalUnstakeTs > farmTime(farm, context.at)) {
    const reason = `the cooldown ends at ${pendingWithdrawalUnstakeTs}`;
    const figures = timeFigures(farm, { until: pendingWithdrawalUnstakeTs });
    throw farmsRejection('UnstakeNotElapsed', reason, figures);
  }
  if (pendingWithdrawalUnstakeScaled === 0n) {
    throw farmsRejection('NothingToWithdraw', 'nothing was unstaked');
  }
  return removePendingWithdrawal(position);
}
