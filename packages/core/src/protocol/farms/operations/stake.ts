import { checkBits } from '../../../base/numbers/decimal-wad.ts';
import type { RejectionFigures } from '../../../base/solana/rejection-figures.ts';
import { farmsRejection } from '../errors.ts';
import type { FarmState } from '../layout/farm-state.ts';
import { type FarmContext, farmTime } from '../math/farm-time.ts';
import { applyOraclePrice, hasOracle, isDelegated } from '../math/issuance.ts';
import type { FarmPosition } from './farm-position.ts';
import { refreshStake, refreshUserRewards } from './refresh-user-state.ts';
import { addActiveStake, addPendingDeposit } from './stake-accounting.ts';

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
