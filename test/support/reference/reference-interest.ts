import { type Address, ZERO_ADDRESS } from '#core/base/encoding/address.ts';
import type { ChainTime, Slot } from '#core/base/time.ts';
import { type Obligation, obligation } from '#core/protocol/klend/layout/obligation.ts';
import { type Reserve, reserve } from '#core/protocol/klend/layout/reserve.ts';
import { accrueReserve } from '#core/protocol/klend/math/accrual.ts';
import type { ClusterStep } from '#localnet/simulation/cluster-step.ts';

type EarnedAndPaid<Value> = { readonly earned: Value; readonly paid: Value };

/** By reserve, in base units times 2^60. */
type Interest = EarnedAndPaid<Map<Address, bigint>>;

/**
 * The interest of loans: the final value minus inflows plus outflows, each valued with the reserve account in its slot.
 * Does not use samples.
 */
export class ReferenceInterest {
  readonly #reserves = new Map<Address, Reserve>();
  readonly #loans = new Map<Address, Obligation>();
  readonly #interest = new Map<Address, Interest>();
  readonly #closed = new Set<Address>();

  observe({ slots }: ClusterStep): void {
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
      for (const address of closed) this.#close(address);
    }
  }

  loans = (): readonly Address[] => [...this.#interest.keys()];

  marketOf = (address: Address): Address | undefined => this.#loans.get(address)?.lendingMarket;

  /** Call once at the end: it withdraws everything. */
  interestAt({ slot }: ChainTime): ReadonlyMap<Address, Interest> {
    for (const [address, fields] of this.#reserves)
      this.#reserves.set(address, accrueToSlot(fields, slot));
    for (const address of this.#loans.keys()) this.#empty(address);
    return this.#interest;
  }

  isClosed = (address: Address): boolean => this.#closed.has(address);

  #close(address: Address): void {
    this.#closed.add(address);
    this.#empty(address);
  }

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
      const fields = this.#reserves.get(reserveAddress);
      if (fields === undefined) throw new Error(`no reserve ${reserveAddress}`);
      const moved = depositIn(loan, reserveAddress) - depositIn(before, reserveAddress);
      add(interest.earned, reserveAddress, -worth(fields, moved));
      const { owed, since } = debtIn(before, reserveAddress);
      const { value: rate } = fields.liquidity.cumulativeBorrowRateBsf;
      const after = debtIn(loan, reserveAddress);
      // a debt that was not refreshed is unchanged
      if (owed === after.owed && since === after.since) continue;
      const grown = since === 0n ? 0n : (owed * rate) / since;
      add(interest.paid, reserveAddress, grown - owed);
    }
  }
}

const add = (sums: Map<Address, bigint>, reserve: Address, amount: bigint): void => {
  sums.set(reserve, (sums.get(reserve) ?? 0n) + amount);
};

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

function debtIn(loan: Obligation | undefined, reserve: Address) {
  const debt = loan?.borrows.find(({ borrowReserve }) => borrowReserve === reserve);
  return {
    owed: debt?.borrowedAmountSf ?? 0n,
    since: debt?.cumulativeBorrowRateBsf.value ?? 0n,
  };
}

function worth({ liquidity, collateral }: Reserve, cTokens: bigint): bigint {
  const fees =
    liquidity.accumulatedProtocolFeesSf +
    liquidity.accumulatedReferrerFeesSf +
    liquidity.pendingReferrerFeesSf;
  const supply = (liquidity.totalAvailableAmount << 60n) + liquidity.borrowedAmountSf - fees;
  return (cTokens * supply) / collateral.mintTotalSupply;
}

function accrueToSlot(fields: Reserve, slot: Slot): Reserve {
  const { cumulativeBorrowRate, ...accrued } = accrueReserve(fields, { slot, referralFeeBps: 0 });
  const { liquidity } = fields;
  const cumulativeBorrowRateBsf = {
    ...liquidity.cumulativeBorrowRateBsf,
    value: cumulativeBorrowRate,
  };
  return { ...fields, liquidity: { ...liquidity, ...accrued, cumulativeBorrowRateBsf } };
}
