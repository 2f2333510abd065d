import type { Address } from '../../base/encoding/address.ts';
import type { Ratio } from '../../base/numbers/decimal.ts';
import {
  addFixedDecimals,
  type FixedDecimal,
  fixedDecimalFromRatio,
  fixedDecimalToRatio,
  ZERO_FIXED_DECIMAL,
} from '../../base/numbers/fixed-decimal.ts';
import { divRatioOrZero, mulRatio, ratioOfSf } from '../../base/numbers/ratio.ts';
import type { Slot, UnixSeconds } from '../../base/time.ts';
import type { Obligation } from '../../protocol/klend/layout/obligation.ts';
import { positionsInReserves } from '../lending/obligation-positions.ts';
import type { ReserveSnapshot } from '../lending/reserve-snapshot.ts';

type Reserves = ReadonlyMap<Address, ReserveSnapshot>;

/** What a loan is from a slot on; without fields once it was closed. */
export type LoanStateChange = {
  readonly slot: Slot;
  readonly fields: Obligation | undefined;
  /** As they were in that slot, as far as they are known. */
  readonly reserves: Reserves;
};

/** A snapshot up to which interest is told. */
export type InterestSample = {
  readonly slot: Slot;
  readonly at: UnixSeconds;
  readonly reserves: Reserves;
  /** USD; zero where there is none. */
  readonly solPrice: Ratio;
};

export type InterestKind = 'deposits' | 'borrows';

type ReserveInterest = {
  readonly reserve: Address;
  /** Whole tokens, and their worth at the mark. */
  readonly tokens: Ratio;
  readonly usd: Ratio;
  readonly sol: Ratio;
};

/** What came in since the mark before, of each reserve that there was a position in. */
export type InterestPoint = {
  readonly at: UnixSeconds;
  readonly parts: readonly ReserveInterest[];
};

export type ObligationInterest = {
  readonly points: readonly InterestPoint[];
  readonly usd: Ratio;
  readonly sol: Ratio;
};

type LoanPast = {
  /** All that became of the loan; they ascend. */
  readonly changes: readonly LoanStateChange[];
  /** They ascend; the first one is where counting begins. */
  readonly marks: readonly InterestSample[];
};

/**
 * Interest on the deposits or on the debts of a loan: what its positions of each time grew by until they changed or
 * a mark came. Nothing that was paid in or out enters, so that a payment that nobody saw is no interest.
 */
export function viewObligationInterest(past: LoanPast, side: InterestKind): ObligationInterest {
  const [first, ...marks] = past.marks;
  if (first === undefined) return { points: [], ...totals([]) };
  const walk = new InterestWalk(side);
  const changes = [...past.changes];
  const changeUpTo = (slot: Slot): void => {
    while ((changes[0]?.slot ?? slot + 1n) <= slot) walk.change(changes.shift());
  };
  changeUpTo(first.slot);
  walk.begin(first);
  const points: InterestPoint[] = [];
  for (const mark of marks) {
    changeUpTo(mark.slot);
    const parts = walk.mark(mark);
    if (parts.length > 0) points.push({ at: mark.at, parts });
  }
  return { points, ...totals(points) };
}

function totals(points: readonly InterestPoint[]): { readonly usd: Ratio; readonly sol: Ratio } {
  let usd: FixedDecimal = ZERO_FIXED_DECIMAL;
  let sol: FixedDecimal = ZERO_FIXED_DECIMAL;
  for (const part of points.flatMap(({ parts }) => parts)) {
    usd = addFixedDecimals(usd, fixedDecimalFromRatio(part.usd));
    sol = addFixedDecimals(sol, fixedDecimalFromRatio(part.sol));
  }
  return { usd: fixedDecimalToRatio(usd), sol: fixedDecimalToRatio(sol) };
}

class InterestWalk {
  readonly #side: InterestKind;
  readonly #grown = new Map<Address, bigint>();
  /** Up to which growth was counted. */
  #known = new Map<Address, ReserveSnapshot>();
  #loan: Obligation | undefined;

  constructor(side: InterestKind) {
    this.#side = side;
  }

  /** From here on it counts. */
  begin({ reserves }: Pick<InterestSample, 'reserves'>): void {
    this.#grown.clear();
    this.#known = new Map(reserves);
  }

  change(change: LoanStateChange | undefined): void {
    if (change === undefined) return;
    const { fields } = change;
    const reserves = withRatesOf(change, this.#loan);
    this.#grow(reserves);
    // of a reserve that is not known here, nothing can be counted until it is
    this.#known = new Map(reserves);
    this.#loan = fields;
  }

  mark({ reserves, solPrice }: InterestSample): ReserveInterest[] {
    this.#grow(reserves);
    for (const [address, reserve] of reserves) this.#known.set(address, reserve);
    const parts = [...this.#grown].flatMap(([address, grown]) => {
      const reserve = reserves.get(address);
      return reserve === undefined ? [] : [worth(reserve, grown, solPrice)];
    });
    this.#grown.clear();
    return parts;
  }

  #grow(now: Reserves): void {
    const before = this.#amounts(this.#known);
    for (const [address, amount] of this.#amounts(now)) {
      const from = before.get(address);
      if (from === undefined) continue;
      this.#grown.set(address, (this.#grown.get(address) ?? 0n) + amount - from);
    }
  }

  #amounts(reserves: Reserves): ReadonlyMap<Address, bigint> {
    if (this.#loan === undefined) return new Map();
    const positions = positionsInReserves(this.#loan, notBefore(reserves, this.#loan))[this.#side];
    return new Map(positions.map(({ reserve, amount }) => [reserve.address, amount]));
  }
}

/** Whoever brought a debt to its slot knew the reserve's rate better than a snapshot before it tells. */
function withRatesOf(
  { fields, reserves }: LoanStateChange,
  before: Obligation | undefined,
): Reserves {
  const exact = new Map(reserves);
  for (const { borrowReserve, cumulativeBorrowRateBsf } of fields?.borrows ?? []) {
    const reserve = reserves.get(borrowReserve);
    const { value } = cumulativeBorrowRateBsf;
    const isSame = before?.borrows.some(
      (old) => old.borrowReserve === borrowReserve && old.cumulativeBorrowRateBsf.value === value,
    );
    if (reserve === undefined || isSame) continue;
    exact.set(borrowReserve, { ...reserve, cumulativeBorrowRate: value });
  }
  return exact;
}

/** A snapshot of before a debt was last brought to its slot: there is no interest on it yet. */
function notBefore(reserves: Reserves, { borrows }: Obligation): Reserves {
  const known = new Map(reserves);
  for (const { borrowReserve, cumulativeBorrowRateBsf } of borrows) {
    const reserve = reserves.get(borrowReserve);
    const { value } = cumulativeBorrowRateBsf;
    if (reserve !== undefined && reserve.cumulativeBorrowRate < value) {
      known.set(borrowReserve, { ...reserve, cumulativeBorrowRate: value });
    }
  }
  return known;
}

/** Below zero where a loss was shared among those who lend. */
function worth(reserve: ReserveSnapshot, grown: bigint, solPrice: Ratio): ReserveInterest {
  const tokens = { numerator: grown, denominator: reserve.priceDivisor };
  const usd = mulRatio(tokens, ratioOfSf(reserve.price));
  return { reserve: reserve.address, tokens, usd, sol: divRatioOrZero(usd, solPrice) };
}
