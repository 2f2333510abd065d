import type { Address } from '../../base/encoding/address.ts';
import type { UserStateView } from '../../protocol/farms/layout/user-state.ts';

type SummedStake = Pick<
  UserStateView,
  'farmState' | 'activeStakeScaled' | 'pendingDepositStakeScaled' | 'pendingWithdrawalUnstakeScaled'
>;

/** Stakes of a farm in its units: shares times 10^18, or plain amounts in a delegated farm. */
export type StakeTotals = { readonly active: bigint; readonly pending: bigint };

const NOTHING: StakeTotals = { active: 0n, pending: 0n };

/** Sums the stakes of users by farm, while they change. The program adds and subtracts them without rounding. */
export class StakeSums {
  readonly #byFarm = new Map<Address, StakeTotals>();

  add(stake: SummedStake): void {
    this.#change(stake, 1n);
  }

  remove(stake: SummedStake): void {
    this.#change(stake, -1n);
  }

  totalsOf(farm: Address): StakeTotals {
    return this.#byFarm.get(farm) ?? NOTHING;
  }

  #change(stake: SummedStake, sign: 1n | -1n): void {
    const { active, pending } = this.totalsOf(stake.farmState);
    const waiting = stake.pendingDepositStakeScaled + stake.pendingWithdrawalUnstakeScaled;
    this.#byFarm.set(stake.farmState, {
      active: active + sign * stake.activeStakeScaled,
      pending: pending + sign * waiting,
    });
  }
}
