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

/** The state of a loan from a slot on; `fields` is undefined once it is closed. */
export type LoanStateChange = {
  readonly slot: Slot;
  readonly fields: Obligation | undefined;
  /** The known reserves at that slot. */
  readonly reserves: Reserves;
};

/** A sample at which interest is reported. */
export type InterestSample = {
  readonly slot: Slot;
  readonly at: UnixSeconds;
  readonly reserves: Reserves;
  /** USD; zero if unknown. */
  readonly solPrice: Ratio;
};

export type InterestKind = 'deposits' | 'borrows';

type ReserveInterest = {
  readonly reserve: Address;
  /** Whole tokens, and their value at the sample. */
  readonly tokens: Ratio;
  readonly usd: Ratio;
  readonly sol: Ratio;
};

/** Interest since the previous sample, for each reserve with a position. */
export type InterestPoint = {
  readonly at: UnixSeconds;
  readonly parts: readonly ReserveInterest[];
};

export type ObligationInterest = {
  readonly points: readonly InterestPoint[];
  readonly usd: Ratio;
  readonly sol: Ratio;
};

type LoanHistory = {
  /** All state changes of the loan, ascending. */
  readonly changes: readonly LoanStateChange[];
  /** Ascending; interest accrues from the first one. */
  readonly samples: readonly InterestSample[];
};

/**
 * Interest on the deposits or debts of a loan: the growth of its positions between state changes
 * and samples. Payments do not enter, so that an unrecorded payment is not counted as interest.
 */
export function viewObligationInterest(
  history: LoanHistory,
  kind: InterestKind,
): ObligationInterest {
  const [first, ...samples] = history.samples;
  if (first === undefined) return { points: [], ...totals([]) };
  const accrual = new InterestAccrual(kind);
  const changes = [...history.changes];
  const applyChangesUntil = (slot: Slot): void => {
    while ((changes[0]?.slot ?? slot + 1n) <= slot) accrual.apply(changes.shift());
  };
  applyChangesUntil(first.slot);
  accrual.start(first);
  const points: InterestPoint[] = [];
  for (const sample of samples) {
    applyChangesUntil(sample.slot);
    const parts = accrual.report(sample);
    if (parts.length > 0) points.push({ at: sample.at, parts });
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

class InterestAccrual {
  readonly #kind: InterestKind;
  readonly #growth = new Map<Address, bigint>();
  /** The reserves up to which growth was added. */
  #lastReserves = new Map<Address, ReserveSnapshot>();
  #loan: Obligation | undefined;

  constructor(kind: InterestKind) {
    this.#kind = kind;
  }

  /** Discards growth so far. */
  start({ reserves }: Pick<InterestSample, 'reserves'>): void {
    this.#growth.clear();
    this.#lastReserves = new Map(reserves);
  }

  apply(change: LoanStateChange | undefined): void {
    if (change === undefined) return;
    const { fields } = change;
    const reserves = withRefreshedRates(change, this.#loan);
    this.#addGrowth(reserves);
    // An unknown reserve accrues nothing until it is sampled.
    this.#lastReserves = new Map(reserves);
    this.#loan = fields;
  }

  report({ reserves, solPrice }: InterestSample): ReserveInterest[] {
    this.#addGrowth(reserves);
    for (const [address, reserve] of reserves) this.#lastReserves.set(address, reserve);
    const parts = [...this.#growth].flatMap(([address, growth]) => {
      const reserve = reserves.get(address);
      return reserve === undefined ? [] : [valueInterest(reserve, growth, solPrice)];
    });
    this.#growth.clear();
    return parts;
  }

  #addGrowth(now: Reserves): void {
    const before = this.#amounts(this.#lastReserves);
    for (const [address, amount] of this.#amounts(now)) {
      const from = before.get(address);
      if (from === undefined) continue;
      this.#growth.set(address, (this.#growth.get(address) ?? 0n) + amount - from);
    }
  }

  #amounts(samples: Reserves): ReadonlyMap<Address, bigint> {
    if (this.#loan === undefined) return new Map();
    const reserves = withNewerRates(samples, this.#loan);
    const positions = positionsInReserves(this.#loan, reserves)[this.#kind];
    return new Map(positions.map(({ reserve, amount }) => [reserve.address, amount]));
  }
}

/** Uses the cumulative rates of refreshed debts, which are exact at the slot of the change. */
function withRefreshedRates(
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

/**
 * If a debt was refreshed after the reserve was sampled, its rate is newer: there is no interest
 * yet.
 */
function withNewerRates(reserves: Reserves, { borrows }: Obligation): Reserves {
  const current = new Map(reserves);
  for (const { borrowReserve, cumulativeBorrowRateBsf } of borrows) {
    const reserve = reserves.get(borrowReserve);
    const { value } = cumulativeBorrowRateBsf;
    if (reserve !== undefined && reserve.cumulativeBorrowRate < value) {
      current.set(borrowReserve, { ...reserve, cumulativeBorrowRate: value });
    }
  }
  return current;
}

/** Negative if lenders shared a loss. */
function valueInterest(reserve: ReserveSnapshot, growth: bigint, solPrice: Ratio): ReserveInterest {
  const tokens = { numerator: growth, denominator: reserve.priceDivisor };
  const usd = mulRatio(tokens, ratioOfSf(reserve.price));
  return { reserve: reserve.address, tokens, usd, sol: divRatioOrZero(usd, solPrice) };
}
