import { type Address, floorSf, ZERO_ADDRESS } from '@tidegate/core/base';
import { FARMS_PROGRAM } from '@tidegate/core/protocol/farms';
import { setStakeDelegated } from '@tidegate/core/protocol/farms/instructions';
import { userState } from '@tidegate/core/protocol/farms/layout';
import { klendRefuses } from '@tidegate/core/protocol/klend';
import { COLLATERAL_FARM, DEBT_FARM } from '@tidegate/core/protocol/klend/instructions';
import {
  obligation as obligationLayout,
  type Reserve,
  reserve as reserveLayout,
} from '@tidegate/core/protocol/klend/layout';
import type { Call } from '../../runtime/program.ts';
import { ProgramFailure } from '../../runtime/transaction-errors.ts';
import { readFields } from '../../runtime/typed-accounts.ts';
import { requireActive } from './lending-constraints.ts';

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
