import { type Address, floorSf, ZERO_ADDRESS } from '@tidegate/core/base';
import { FARMS_PROGRAM } from '@tidegate/core/protocol/farms';
import { setStakeDelegated } from '@tidegate/core/protocol/farms/instructions';
import { userState } from '@tidegate/core/protocol/farms/layout';
import { klendRejection } from '@tidegate/core/protocol/klend';
import { COLLATERAL_FARM, DEBT_FARM } from '@tidegate/core/protocol/klend/instructions';
import {
  obligation as obligationLayout,
  type Reserve,
  reserve as reserveLayout,
} from '@tidegate/core/protocol/klend/layout';
import { requireNotObsolete } from '@tidegate/core/protocol/klend/operations';
import type { InvokeContext } from '../../runtime/program.ts';
import { ProgramFailure } from '../../runtime/transaction-errors.ts';
import { readAccount } from '../../runtime/typed-accounts.ts';

/** Whether a farm rewards deposits or borrows; names as in the program. */
export type FarmKind = 'Collateral' | 'Debt';

export const reserveFarm = (reserve: Reserve, kind: FarmKind): Address =>
  kind === 'Collateral' ? reserve.farmCollateral : reserve.farmDebt;

/** Decodes the `mode` argument. The program panics at other values. */
export function farmKindOfMode(mode: number): FarmKind {
  if (mode === COLLATERAL_FARM) return 'Collateral';
  if (mode === DEBT_FARM) return 'Debt';
  throw new ProgramFailure('ProgramFailedToComplete');
}

export type FarmStakeHolder = {
  readonly obligation: Address;
  readonly lendingMarket: Address;
  readonly lendingMarketAuthority: Address;
};

export type ObligationFarmStake = {
  readonly kind: FarmKind;
  readonly reserve: Address;
  readonly obligationFarmUserState: Address | undefined;
  readonly reserveFarmState: Address | undefined;
};

/** The last step of V2 operations: updates the farm stake if the reserve has a farm. */
export function refreshObligationFarm(
  call: InvokeContext,
  holder: FarmStakeHolder,
  stake: ObligationFarmStake,
): void {
  const fields = readAccount(call, reserveLayout, stake.reserve);
  if (reserveFarm(fields, stake.kind) === ZERO_ADDRESS) return;
  const { obligationFarmUserState, reserveFarmState } = stake;
  if (obligationFarmUserState === undefined || reserveFarmState === undefined) {
    throw klendRejection('FarmAccountsMissing', 'the reserve has a farm');
  }
  setFarmStake(call, holder, { ...stake, obligationFarmUserState, reserveFarmState });
}

type CompleteStake = ObligationFarmStake & {
  readonly obligationFarmUserState: Address;
  readonly reserveFarmState: Address;
};

/** Sets the farm stake to the obligation's current amount. */
export function setFarmStake(
  call: InvokeContext,
  holder: FarmStakeHolder,
  stake: CompleteStake,
): void {
  const { kind, obligationFarmUserState, reserveFarmState } = stake;
  const reserve = readAccount(call, reserveLayout, stake.reserve);
  const isClosed = call.account(holder.obligation).data.length === 0;
  if (!isClosed) requireMarket(call, holder);
  requireNotObsolete(reserve);
  const user = readAccount(call, userState, obligationFarmUserState);
  if (user.delegatee !== holder.obligation) {
    throw klendRejection('InvalidAccountInput', 'the stake is not of this obligation');
  }
  call.log(`RefreshObligationFarmsForReserve ${kind}`);
  const farm = reserveFarm(reserve, kind);
  if (farm === ZERO_ADDRESS) throw klendRejection('NoFarmForReserve', 'the reserve has none');
  if (farm !== reserveFarmState) {
    throw klendRejection('InvalidAccountInput', `the farm of the reserve is ${farm}`);
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

function requireMarket(call: InvokeContext, { obligation, lendingMarket }: FarmStakeHolder): void {
  if (readAccount(call, obligationLayout, obligation).lendingMarket === lendingMarket) return;
  throw klendRejection('InvalidAccountInput', 'the obligation is of another market');
}

/** cTokens, or the debt rounded down. */
function stakeOf(
  call: InvokeContext,
  address: Address,
  { kind, reserve }: ObligationFarmStake,
): bigint {
  const { deposits, borrows } = readAccount(call, obligationLayout, address);
  if (kind === 'Collateral') {
    return deposits.find((position) => position.depositReserve === reserve)?.depositedAmount ?? 0n;
  }
  const borrow = borrows.find((position) => position.borrowReserve === reserve);
  return borrow === undefined ? 0n : floorSf(borrow.borrowedAmountSf);
}
