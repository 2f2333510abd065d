import { CodedError } from '../../base/errors.ts';
import { WAD } from '../../base/numbers/decimal-wad.ts';
import { farmTime, isSlotBased } from '../../protocol/farms/math/issuance.ts';
import {
  amountOfShares,
  lockedUntil,
  stakedAmount,
} from '../../protocol/farms/math/stake-shares.ts';
import type { FarmPosition } from '../../protocol/farms/operations/refresh.ts';
import type { BuildContext } from '../build.ts';
import { decodeFarm, readStake, type StakeContext } from '../farms/stake-context.ts';
import { readWalletToken } from '../wallet/token-accounts.ts';
import { formatVaultShares, type VaultActionContext } from './vault-action-context.ts';

/** A wallet's withdrawable shares of a vault, in smallest units. */
export type ShareHolding = {
  /** In the wallet's token account. */
  readonly inWallet: bigint;
  /** Unstaked earlier, with the cooldown over. */
  readonly withdrawable: bigint;
  readonly staked: bigint;
  /** `inWallet`, `withdrawable` and `staked` together. */
  readonly total: bigint;
  /** In the warmup or cooldown of the farm, and not withdrawable yet. */
  readonly pending: bigint;
  readonly stake: (StakeContext & { readonly position: FarmPosition }) | undefined;
};

/** How the shares missing in the wallet are taken out of the farm. */
export type UnstakePlan = {
  readonly stake: StakeContext;
  /**
   * The farm rejects further unstaking while unstaked shares are due, so these are withdrawn first.
   */
  readonly withdrawsUnstaked: boolean;
  /** Stake shares times 10^18. */
  readonly sharesScaled: bigint;
};

/** The wallet's actual or possible stake in the farm of a vault's shares. */
export function createShareStake({
  wallet,
  farm,
  shares,
}: VaultActionContext): StakeContext | undefined {
  return farm && { wallet, farm, delegatee: wallet, label: shares.label };
}

export function readShareHolding(target: VaultActionContext, context: BuildContext): ShareHolding {
  const inWallet = readWalletToken(target.shares, context)?.amount ?? 0n;
  const stake = createShareStake(target);
  const user = stake && readStake(stake, context);
  if (stake === undefined || user === undefined) {
    return {
      inWallet,
      withdrawable: 0n,
      staked: 0n,
      total: inWallet,
      pending: 0n,
      stake: undefined,
    };
  }
  const position = { farm: decodeFarm(stake), user };
  const isDue = user.pendingWithdrawalUnstakeTs <= farmTime(position.farm, context.state.at());
  const leaving = pendingShares(position, user.pendingWithdrawalUnstakeScaled);
  const entering = pendingShares(position, user.pendingDepositStakeScaled);
  const withdrawable = isDue ? leaving : 0n;
  const staked = stakedAmount(position);
  return {
    inWallet,
    withdrawable,
    staked,
    total: inWallet + withdrawable + staked,
    pending: entering + leaving - withdrawable,
    stake: { ...stake, position },
  };
}

const pendingShares = ({ farm }: FarmPosition, scaled: bigint): bigint =>
  amountOfShares(
    { sharesScaled: farm.totalPendingStakeScaled, amount: farm.totalPendingAmount },
    scaled,
  );

/**
 * Plans the unstaking for a number of shares; undefined if the wallet holds enough. Unstakes
 * everything if all shares are requested, otherwise the minimum. Throws if the farm locks the
 * shares.
 */
export function planUnstake(
  shares: bigint,
  {
    target,
    holding,
    context,
  }: { target: VaultActionContext; holding: ShareHolding; context: BuildContext },
): UnstakePlan | undefined {
  const { inWallet, withdrawable, staked, stake } = holding;
  if (stake === undefined || shares <= inWallet) return undefined;
  const missing = shares - inWallet - withdrawable;
  if (missing <= 0n) return { stake, withdrawsUnstaked: true, sharesScaled: 0n };
  requireUnlocked(missing, { target, holding, context, position: stake.position });
  const { farm, user } = stake.position;
  const isAll = missing === staked;
  return {
    stake,
    withdrawsUnstaked: withdrawable > 0n,
    sharesScaled: isAll ? user.activeStakeScaled : stakeShares(farm, missing),
  };
}

/** The fewest stake shares for an amount; one per token unless tokens were added to the farm. */
function stakeShares(
  { totalActiveStakeScaled, totalStakedAmount }: FarmPosition['farm'],
  amount: bigint,
): bigint {
  if (totalStakedAmount === 0n) return amount * WAD;
  return (amount * totalActiveStakeScaled + totalStakedAmount - 1n) / totalStakedAmount;
}

type UnlockCheck = {
  readonly target: VaultActionContext;
  readonly holding: ShareHolding;
  readonly context: BuildContext;
  readonly position: FarmPosition;
};

/** A transaction cannot wait, and an early withdrawal must never cost shares. */
function requireUnlocked(
  missing: bigint,
  { target, holding, context, position }: UnlockCheck,
): void {
  const { farm, user } = position;
  const free = `Without unstaking, ${formatVaultShares(target, holding.inWallet + holding.withdrawable)} can be withdrawn now.`;
  const staked = `${formatVaultShares(target, missing)} of the requested amount are staked`;
  const unit = isSlotBased(farm) ? 'slots' : 'seconds';
  const cooldown = farm.withdrawalCooldownPeriod;
  if (cooldown > 0) {
    const reason = `${staked}, and the farm has a cooldown of ${cooldown} ${unit} after unstaking. Unstake them first and withdraw afterwards. ${free}`;
    throw new CodedError('NOTHING_TO_BUILD', { reason });
  }
  const now = farmTime(farm, context.state.at());
  const end = lockedUntil(farm, user, now);
  if (end === undefined) return;
  const reason = `${staked} and locked for ${end - now} more ${unit}; unstaking early fails or costs shares. ${free}`;
  throw new CodedError('NOTHING_TO_BUILD', { reason });
}
