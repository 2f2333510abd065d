import { type Address, ZERO_ADDRESS } from '../../../base/address.ts';
import { floorSf } from '../../../base/fixed.ts';
import { setStakeDelegated } from '../../../protocol/farms/instructions/set-stake-delegated.ts';
import { userState } from '../../../protocol/farms/layout/user-state.ts';
import { FARMS_PROGRAM } from '../../../protocol/farms/program.ts';
import { klendRefuses } from '../../../protocol/klend/errors.ts';
import {
  COLLATERAL_FARM,
  DEBT_FARM,
} from '../../../protocol/klend/instructions/init-obligation-farms-for-reserve.ts';
import { obligation as obligationLayout } from '../../../protocol/klend/layout/obligation.ts';
import { type Reserve, reserve as reserveLayout } from '../../../protocol/klend/layout/reserve.ts';
import { ProgramFailure } from '../../runtime/failures.ts';
import type { Call } from '../../runtime/program.ts';
import { readFields } from '../../runtime/typed-accounts.ts';
import { requireActive } from './constraints.ts';

/** Which side of a reserve a farm rewards, in the program's words. */
export type FarmKind = 'Collateral' | 'Debt';

export const farmOf = (reserve: Reserve, kind: FarmKind): Address =>
  kind === 'Collateral' ? reserve.farmCollateral : reserve.farmDebt;

/** The argument `mode`; the program stops at any other number. */
export function farmKind(mode: number): FarmKind {
  if (mode === COLLATERAL_FARM) return 'Collateral';
  if (mode === DEBT_FARM) return 'Debt';
  throw new ProgramFailure('ProgramFailedToComplete');
}

export type StakeHolder = {
  readonly obligation: Address;
  readonly lendingMarket: Address;
  readonly lendingMarketAuthority: Address;
};

export type Stake = {
  readonly kind: FarmKind;
  readonly reserve: Address;
  readonly obligationFarmUserState: Address | undefined;
  readonly reserveFarmState: Address | undefined;
};

/** What an operation of the second generation does in the end: tells the farm, where the reserve has one. */
export function refreshFarm(call: Call, holder: StakeHolder, stake: Stake): void {
  const fields = readFields(call, reserveLayout, stake.reserve);
  if (farmOf(fields, stake.kind) === ZERO_ADDRESS) return;
  const { obligationFarmUserState, reserveFarmState } = stake;
  if (obligationFarmUserState === undefined || reserveFarmState === undefined) {
    throw klendRefuses('FarmAccountsMissing', 'the reserve has a farm');
  }
  tellFarm(call, holder, { ...stake, obligationFarmUserState, reserveFarmState });
}

type CompleteStake = Stake & {
  readonly obligationFarmUserState: Address;
  readonly reserveFarmState: Address;
};

/** Sets the stake in the farm to what the obligation has now. */
export function tellFarm(call: Call, holder: StakeHolder, stake: CompleteStake): void {
  const { kind, obligationFarmUserState, reserveFarmState } = stake;
  const reserve = readFields(call, reserveLayout, stake.reserve);
  const isClosed = call.account(holder.obligation).data.length === 0;
  if (!isClosed) requireMarket(call, holder);
  requireActive(reserve);
  const user = readFields(call, userState, obligationFarmUserState);
  if (user.delegatee !== holder.obligation) {
    throw klendRefuses('InvalidAccountInput', 'the stake is not of this obligation');
  }
  call.log(`RefreshObligationFarmsForReserve ${kind}`);
  const farm = farmOf(reserve, kind);
  if (farm === ZERO_ADDRESS) throw klendRefuses('NoFarmForReserve', 'the reserve has none');
  if (farm !== reserveFarmState) {
    throw klendRefuses('InvalidAccountInput', `the farm of the reserve is ${farm}`);
  }
  const newAmount = isClosed ? 0n : stakeOf(call, holder.obligation, stake);
  call.log(`RefreshObligationFarmsForReserve amount ${newAmount} slot ${call.time.slot}`);
  if (user.activeStakeScaled === newAmount) {
    call.log('Farm stake is unchanged, skipping update');
    return;
  }
  const delegateAuthority = holder.lendingMarketAuthority;
  const accounts = { delegateAuthority, userState: obligationFarmUserState, farmState: farm };
  call.invoke(setStakeDelegated.build(FARMS_PROGRAM, { accounts, args: { newAmount } }), [
    delegateAuthority,
  ]);
}

function requireMarket(call: Call, { obligation, lendingMarket }: StakeHolder): void {
  if (readFields(call, obligationLayout, obligation).lendingMarket === lendingMarket) return;
  throw klendRefuses('InvalidAccountInput', 'the obligation is of another market');
}

/** cTokens, or the debt rounded down. */
function stakeOf(call: Call, address: Address, { kind, reserve }: Stake): bigint {
  const { deposits, borrows } = readFields(call, obligationLayout, address);
  if (kind === 'Collateral') {
    return deposits.find((each) => each.depositReserve === reserve)?.depositedAmount ?? 0n;
  }
  const borrow = borrows.find((each) => each.borrowReserve === reserve);
  return borrow === undefined ? 0n : floorSf(borrow.borrowedAmountSf);
}
