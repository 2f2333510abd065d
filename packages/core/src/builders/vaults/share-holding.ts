import { CodedError } from '../../base/errors.ts';
import { WAD } from '../../base/numbers/decimal-wad.ts';
import { farmTime, isSlotBased } from '../../protocol/farms/math/farm-time.ts';
import { amountOfShares, stakedAmount } from '../../protocol/farms/math/stake-shares.ts';
import { lockedUntil } from '../../protocol/farms/math/withdrawal-penalty.ts';
import type { FarmPosition } from '../../protocol/farms/operations/farm-position.ts';
import type { BuildContext } from '../build.ts';
import { decodeFarm, readStake, type StakeContext } from '../farms/stake-context.ts';
import { readWalletToken } from '../wallet/token-accounts.ts';
import { formatVaultShares, type VaultActionContext } from './vault-action-context.ts';

/** Shares of a vault that a wallet can withdraw, in smallest units. */
export type ShareHolding = {
  /** In its own account. */
  readonly loose: bigint;
  /** Unstaked earlier, and since then free to be taken out of the farm. */
  readonly due: bigint;
  readonly staked: bigint;
  /** All of these. */
  readonly total: bigint;
  /** On their way into the farm or out of it: they cannot be withdrawn yet. */
  readonly waiting: bigint;
  readonly stake: (StakeContext & { readonly position: FarmPosition }) | undefined;
};

/** How shares that the wallet itself lacks come out of the farm. */
export type UnstakePlan = {
  readonly stake: StakeContext;
  /** The farm refuses to unstake more while something is due, so that comes first. */
  readonly takesDue: boolean;
  /** Stake shares times 10^18; 0 for none. */
  readonly sharesScaled: bigint;
};

/** The stake that a wallet has or could have in the farm of a vault's shares. */
export function createShareStake({
  wallet,
  farm,
  shares,
}: VaultActionContext): StakeContext | undefined {
  return farm && { wallet, farm, delegatee: wallet, label: shares.label };
}

export function readShareHolding(place: VaultActionContext, scene: BuildContext): ShareHolding {
  const loose = readWalletToken(place.shares, scene)?.amount ?? 0n;
  const stake = createShareStake(place);
  const user = stake && readStake(stake, scene);
  if (stake === undefined || user === undefined) {
    return { loose, due: 0n, staked: 0n, total: loose, waiting: 0n, stake: undefined };
  }
  const position = { farm: decodeFarm(stake), user };
  const isDue = user.pendingWithdrawalUnstakeTs <= farmTime(position.farm, scene.state.at());
  const leaving = pendingShares(position, user.pendingWithdrawalUnstakeScaled);
  const entering = pendingShares(position, user.pendingDepositStakeScaled);
  const due = isDue ? leaving : 0n;
  const staked = stakedAmount(position);
  return {
    loose,
    due,
    staked,
    total: loose + due + staked,
    waiting: entering + leaving - due,
    stake: { ...stake, position },
  };
}

const pendingShares = ({ farm }: FarmPosition, scaled: bigint): bigint =>
  amountOfShares(
    { sharesScaled: farm.totalPendingStakeScaled, amount: farm.totalPendingAmount },
    scaled,
  );

/**
 * What has to leave the farm for so many shares; undefined where the wallet's own are enough. All that is staked
 * where everything is wanted, else as little as will do. Refused where the farm would keep it back.
 */
export function planUnstake(
  shares: bigint,
  {
    place,
    holding,
    scene,
  }: { place: VaultActionContext; holding: ShareHolding; scene: BuildContext },
): UnstakePlan | undefined {
  const { loose, due, staked, stake } = holding;
  if (stake === undefined || shares <= loose) return undefined;
  const missing = shares - loose - due;
  if (missing <= 0n) return { stake, takesDue: true, sharesScaled: 0n };
  checkFree(missing, { place, holding, scene, position: stake.position });
  const { farm, user } = stake.position;
  const all = missing === staked;
  return {
    stake,
    takesDue: due > 0n,
    sharesScaled: all ? user.activeStakeScaled : stakeShares(farm, missing),
  };
}

/** The fewest stake shares that give so many tokens; one for each in every farm that nobody gave tokens to. */
function stakeShares(
  { totalActiveStakeScaled, totalStakedAmount }: FarmPosition['farm'],
  amount: bigint,
): bigint {
  if (totalStakedAmount === 0n) return amount * WAD;
  return (amount * totalActiveStakeScaled + totalStakedAmount - 1n) / totalStakedAmount;
}

type Check = {
  readonly place: VaultActionContext;
  readonly holding: ShareHolding;
  readonly scene: BuildContext;
  readonly position: FarmPosition;
};

/** One transaction cannot wait, and shares are never given up for leaving early. */
function checkFree(missing: bigint, { place, holding, scene, position }: Check): void {
  const { farm, user } = position;
  const free = `Without unstaking, ${formatVaultShares(place, holding.loose + holding.due)} can be withdrawn now.`;
  const staked = `${formatVaultShares(place, missing)} of those asked for are staked`;
  const unit = isSlotBased(farm) ? 'slots' : 'seconds';
  const cooldown = farm.withdrawalCooldownPeriod;
  if (cooldown > 0) {
    const reason = `${staked}, and the farm keeps them for ${cooldown} ${unit} after they are unstaked. Unstake them first and withdraw after that. ${free}`;
    throw new CodedError('NOTHING_TO_BUILD', { reason });
  }
  const now = farmTime(farm, scene.state.at());
  const end = lockedUntil(farm, user, now);
  if (end === undefined) return;
  const reason = `${staked} and locked for ${end - now} more ${unit}: leaving early is refused or costs shares. ${free}`;
  throw new CodedError('NOTHING_TO_BUILD', { reason });
}
