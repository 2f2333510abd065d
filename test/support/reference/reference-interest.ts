import { type Address, ZERO_ADDRESS } from '#core/base/encoding/address.ts';
import type { ChainTime } from '#core/base/time.ts';
import { type Obligation, obligation } from '#core/protocol/klend/layout/obligation.ts';
import { type Reserve, reserve } from '#core/protocol/klend/layout/reserve.ts';
import type { ClusterStep } from '#localnet/simulation/cluster-step.ts';
import { type ReferenceTime, referenceRefresh } from './reference-accrual.ts';

type EarnedAndPaid<Value> = { readonly earned: Value; readonly paid: Value };

/** In base units times 2^60. */
type Sum = {
  readonly interest: bigint;
  /** The most that the interest may be off if it is computed from samples. */
  readonly tolerance: bigint;
};

/** By reserve. */
type Interest = EarnedAndPaid<Map<Address, Sum>>;

/**
 * The interest of loans: the final value minus inflows plus outflows, each valued with the reserve account in its slot.
 * Samples enter only the tolerance.
 *
 * An API that has samples values an inflow or outflow with the last sample, accrued to its slot. It is off by the
 * difference to the account, for three reasons. They grow with the amount that moves, not with the interest:
 * - The program rounds against the user: a deposit takes, and a repayment pays, up to a base unit more, and a withdrawal
 *   pays up to a base unit less. The rest stays in the reserve, so each such instruction raises the value of `c` cTokens
 *   by less than `c / mintTotalSupply` base units. The account has this already for the instruction that moves them.
 * - Other users have changed the utilization, and so the rate, since the sample.
 * - A sample is accrued to its slot, so interest compounds there. The program compounds at refreshes only.
 *
 * A debt that remains has its own rate, which is exact. The rate of a debt that was repaid in full is accrued too.
 */
export class ReferenceInterest {
  #reserves = new Map<Address, Reserve>();
  readonly #loans = new Map<Address, Obligation>();
  readonly #interest = new Map<Address, Interest>();
  #sampled: ReadonlyMap<Address, Reserve> = new Map();

  observe({ at, slots, sample }: ClusterStep): void {
    for (const { accounts } of slots) {
      const loans: [Address, Obligation][] = [];
      const closed: Address[] = [];
      for (const { address, account } of accounts) {
        if (account?.data.length === reserve.size) {
          this.#reserves.set(address, reserve.decode(account));
        } else if (account?.data.length === obligation.size) {
          loans.push([address, obligation.decode(account)]);
        } else if (account === undefined && this.#loans.has(address)) {
          closed.push(address);
        }
      }
      for (const [address, loan] of loans) this.#change(address, loan);
      for (const address of closed) this.#empty(address);
    }
    if (sample !== undefined) this.#sampled = this.#accrueAll(at);
  }

  loans = (): readonly Address[] => [...this.#interest.keys()];

  marketOf = (address: Address): Address | undefined => this.#loans.get(address)?.lendingMarket;

  /** Call once at the end: it withdraws everything. */
  interestAt(time: ChainTime): ReadonlyMap<Address, Interest> {
    this.#reserves = this.#accrueAll(time);
    this.#sampled = this.#reserves;
    for (const address of this.#loans.keys()) this.#empty(address);
    return this.#interest;
  }

  #accrueAll = (time: ReferenceTime): Map<Address, Reserve> =>
    new Map([...this.#reserves].map(([address, fields]) => [address, accrueTo(fields, time)]));

  #empty(address: Address): void {
    const loan = this.#loans.get(address);
    if (loan === undefined) return;
    this.#change(address, {
      ...loan,
      deposits: loan.deposits.map((each) => ({ ...each, depositedAmount: 0n })),
      borrows: loan.borrows.map((each) => ({
        ...each,
        borrowedAmountSf: 0n as typeof each.borrowedAmountSf,
      })),
    });
  }

  #change(address: Address, loan: Obligation): void {
    const before = this.#loans.get(address);
    const interest = this.#interest.get(address) ?? { earned: new Map(), paid: new Map() };
    this.#interest.set(address, interest);
    this.#loans.set(address, loan);
    for (const reserveAddress of reservesOf(loan, before)) {
      const now = this.#reserves.get(reserveAddress);
      if (now === undefined) throw new Error(`no reserve ${reserveAddress}`);
      const sampled = accrueTo(this.#sampled.get(reserveAddress) ?? now, updatedAt(now));
      const moved = depositIn(loan, reserveAddress) - depositIn(before, reserveAddress);
      const value = worth(now, moved);
      const tolerance = distance(value, worth(sampled, moved));
      add(interest.earned, reserveAddress, { interest: -value, tolerance });
      const debt = debtIn(before, reserveAddress);
      const after = debtIn(loan, reserveAddress);
      // a debt that was not refreshed is unchanged
      if (debt.owed === after.owed && debt.since === after.since) continue;
      const grown = debtAtRateOf(now, debt);
      const isRepaid = after.owed === 0n;
      add(interest.paid, reserveAddress, {
        interest: grown - debt.owed,
        tolerance: isRepaid ? distance(grown, debtAtRateOf(sampled, debt)) : 0n,
      });
    }
  }
}

function add(sums: Map<Address, Sum>, reserve: Address, { interest, tolerance }: Sum): void {
  const sum = sums.get(reserve);
  sums.set(reserve, {
    interest: (sum?.interest ?? 0n) + interest,
    tolerance: (sum?.tolerance ?? 0n) + tolerance,
  });
}

const distance = (a: bigint, b: bigint): bigint => (a > b ? a - b : b - a);

function reservesOf(...loans: readonly (Obligation | undefined)[]): ReadonlySet<Address> {
  const found = new Set<Address>();
  for (const loan of loans) {
    for (const { depositReserve } of loan?.deposits ?? []) found.add(depositReserve);
    for (const { borrowReserve } of loan?.borrows ?? []) found.add(borrowReserve);
  }
  found.delete(ZERO_ADDRESS);
  return found;
}

const depositIn = (loan: Obligation | undefined, reserve: Address): bigint =>
  loan?.deposits.find(({ depositReserve }) => depositReserve === reserve)?.depositedAmount ?? 0n;

type Debt = { readonly owed: bigint; readonly since: bigint };

function debtIn(loan: Obligation | undefined, reserve: Address): Debt {
  const debt = loan?.borrows.find(({ borrowReserve }) => borrowReserve === reserve);
  return {
    owed: debt?.borrowedAmountSf ?? 0n,
    since: debt?.cumulativeBorrowRateBsf.value ?? 0n,
  };
}

const debtAtRateOf = ({ liquidity }: Reserve, { owed, since }: Debt): bigint =>
  since === 0n ? 0n : (owed * liquidity.cumulativeBorrowRateBsf.value) / since;

/** The first deposit of a reserve has the rate 1. */
function worth({ liquidity, collateral }: Reserve, cTokens: bigint): bigint {
  if (collateral.mintTotalSupply === 0n) return cTokens << 60n;
  const fees =
    liquidity.accumulatedProtocolFeesSf +
    liquidity.accumulatedReferrerFeesSf +
    liquidity.pendingReferrerFeesSf;
  const supply = (liquidity.totalAvailableAmount << 60n) + liquidity.borrowedAmountSf - fees;
  return (cTokens * supply) / collateral.mintTotalSupply;
}

const updatedAt = ({ lastUpdate }: Reserve): ReferenceTime => ({
  slot: lastUpdate.slot,
  unix: BigInt(lastUpdate.timestamp),
});

/** Without the fees of referrers and without rewards, which the simulated markets do not have. */
const accrueTo = (fields: Reserve, time: ReferenceTime): Reserve =>
  referenceRefresh(fields, time, { referralFeeBps: 0, reserveRewardsMaxAprBps: 0 });
