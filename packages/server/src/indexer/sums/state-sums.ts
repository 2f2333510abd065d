import type { Address } from '@tidegate/core/base';
import type { ClusterState, PackedWalk } from '@tidegate/core/state';
import { debtRounding, LoanSums } from '@tidegate/core/views/lending';
import { StakeSums } from '@tidegate/core/views/rewards';

/** What a reserve or a farm counts. */
export type SumOf = 'debts' | 'deposits' | 'activeStakes' | 'pendingStakes';

/** A sum over positions that is not what a reserve or farm says. */
export type SumDifference = {
  readonly of: SumOf;
  /** The reserve or the farm. */
  readonly address: Address;
  /** What it says, less the sum over the positions: lamports times 2^60 of debts, cTokens, or units of a stake. */
  readonly difference: bigint;
};

/** Rows that are visited between two looks at the clock. */
const ROWS = 32;

/** The positions behind a sum. */
export const positionsOf = (of: SumOf): 'obligation' | 'farmUser' =>
  of === 'debts' || of === 'deposits' ? 'obligation' : 'farmUser';

/** Sums all loans and stakes of a state, a part at a time. Then the sums are those of the state until it is stopped. */
export class StateSums {
  readonly #state: ClusterState;
  readonly #loans = new LoanSums();
  readonly #stakes = new StakeSums();
  readonly #walks: readonly Pick<PackedWalk<never>, 'visit' | 'isThrough' | 'stop'>[];

  constructor(state: ClusterState) {
    this.#state = state;
    this.#walks = [state.walkObligations(this.#loans), state.walkFarmUsers(this.#stakes)];
  }

  /** Visits positions until the time is used up. Returns whether all are summed. */
  visitFor(ms: number, now: () => number): boolean {
    const end = now() + ms;
    for (const walk of this.#walks) {
      while (!walk.isThrough) {
        walk.visit(ROWS);
        if (now() >= end) return this.#walks.every(({ isThrough }) => isThrough);
      }
    }
    return true;
  }

  stop(): void {
    for (const walk of this.#walks) walk.stop();
  }

  /** Sums that differ by more than rounding explains. Deposits are compared with the vaults' balances by the caller. */
  differences(): SumDifference[] {
    return [...this.#ofReserves(), ...this.#ofFarms()];
  }

  /** cTokens that loans have deposited, by reserve. */
  deposits(): Map<Address, bigint> {
    return new Map(
      this.#state
        .reserves()
        .map(({ address }) => [address, this.#loans.totalsOf(address, 0n).deposited]),
    );
  }

  #ofReserves(): SumDifference[] {
    const { slot } = this.#state.at();
    return this.#state.reserves().flatMap(({ address, fields }): SumDifference[] => {
      const { borrowedAmountSf, cumulativeBorrowRateBsf } = fields.liquidity;
      const { debtSf, debts } = this.#loans.totalsOf(address, cumulativeBorrowRateBsf.value);
      const { above, below } = debtRounding(fields, debts, slot);
      const difference = borrowedAmountSf - debtSf;
      const isRounding = difference <= above && difference >= -below;
      return isRounding ? [] : [{ of: 'debts', address, difference }];
    });
  }

  #ofFarms(): SumDifference[] {
    return this.#state.farms().flatMap(({ address, fields }): SumDifference[] => {
      const { active, pending } = this.#stakes.totalsOf(address);
      const ofActive = fields.totalActiveStakeScaled - active;
      const ofPending = fields.totalPendingStakeScaled - pending;
      return [
        ...differing('activeStakes', address, ofActive),
        ...differing('pendingStakes', address, ofPending),
      ];
    });
  }
}

export const differing = (of: SumOf, address: Address, difference: bigint): SumDifference[] =>
  difference === 0n ? [] : [{ of, address, difference }];
