import { checkStoredWad, mulWad } from '../../../base/numbers/decimal-wad.ts';
import { type Lamports, toLamports } from '../../../base/numbers/lamports.ts';
import type { FarmState } from '../layout/farm-state.ts';
import { amountOfShares, type StakeSharePool, sharesOfAmount } from '../math/stake-shares.ts';
import { type FarmPosition, updateTallies } from './farm-position.ts';

type StakeMove = FarmPosition & { readonly amount: Lamports };

/** Converts tokens to shares. The tallies are set so that the new shares have earned nothing yet. */
export function addActiveStake({ farm, user }: FarmPosition, amount: bigint): FarmPosition {
  const gained = sharesOfAmount(activePool(farm), amount);
  const after = {
    farm: withActive(farm, gained, amount),
    user: { ...user, activeStakeScaled: checkStoredWad(user.activeStakeScaled + gained) },
  };
  const tallied = updateTallies(after, (tally, rewardPerShareScaled) =>
    checkStoredWad(tally + mulWad(gained, rewardPerShareScaled)),
  );
  return { ...after, user: tallied };
}

export function removeActiveStake({ farm, user }: FarmPosition, shares: bigint): StakeMove {
  const amount = amountOfShares(activePool(farm), shares);
  return {
    farm: withActive(farm, -shares, -amount),
    user: { ...user, activeStakeScaled: checkStoredWad(user.activeStakeScaled - shares) },
    amount,
  };
}

export function addPendingDeposit({ farm, user }: FarmPosition, amount: bigint): FarmPosition {
  const gained = sharesOfAmount(pendingPool(farm), amount);
  const pendingDepositStakeScaled = checkStoredWad(user.pendingDepositStakeScaled + gained);
  return {
    farm: withPending(farm, gained, amount),
    user: { ...user, pendingDepositStakeScaled },
  };
}

export function activatePendingDeposit({ farm, user }: FarmPosition): FarmPosition {
  const shares = user.pendingDepositStakeScaled;
  const amount = amountOfShares(pendingPool(farm), shares);
  const removed = {
    farm: withPending(farm, -shares, -amount),
    user: { ...user, pendingDepositStakeScaled: 0n },
  };
  return addActiveStake(removed, amount);
}

export function addPendingWithdrawal({ farm, user }: FarmPosition, amount: bigint): FarmPosition {
  const gained = sharesOfAmount(pendingPool(farm), amount);
  const unstake = checkStoredWad(user.pendingWithdrawalUnstakeScaled + gained);
  return {
    farm: withPending(farm, gained, amount),
    user: { ...user, pendingWithdrawalUnstakeScaled: unstake },
  };
}

export function removePendingWithdrawal({ farm, user }: FarmPosition): StakeMove {
  const shares = user.pendingWithdrawalUnstakeScaled;
  const amount = amountOfShares(pendingPool(farm), shares);
  return {
    farm: withPending(farm, -shares, -amount),
    user: { ...user, pendingWithdrawalUnstakeScaled: 0n },
    amount,
  };
}

const activePool = (farm: FarmState): StakeSharePool => ({
  sharesScaled: farm.totalActiveStakeScaled,
  amount: farm.totalStakedAmount,
});

/** Deposits in warmup and withdrawals in cooldown share one pool. */
const pendingPool = (farm: FarmState): StakeSharePool => ({
  sharesScaled: farm.totalPendingStakeScaled,
  amount: farm.totalPendingAmount,
});

const withActive = (farm: FarmState, shares: bigint, amount: bigint): FarmState => ({
  ...farm,
  totalActiveStakeScaled: checkStoredWad(farm.totalActiveStakeScaled + shares),
  totalStakedAmount: toLamports(farm.totalStakedAmount + amount),
});

const withPending = (farm: FarmState, shares: bigint, amount: bigint): FarmState => ({
  ...farm,
  totalPendingStakeScaled: checkStoredWad(farm.totalPendingStakeScaled + shares),
  totalPendingAmount: toLamports(farm.totalPendingAmount + amount),
});
