import { type Address, ZERO_ADDRESS } from '../../base/encoding/address.ts';
import type { Sf } from '../../base/numbers/scaled-fraction.ts';
import type { ObligationView } from '../../protocol/klend/layout/obligation.ts';
import { collateralWorth } from '../../protocol/klend/math/exchange-rate.ts';
import { debtAt, marketValue } from '../../protocol/klend/math/liquidity.ts';
import { type MarketSnapshot, requireReserveSnapshot } from './market-snapshot.ts';
import type { ReserveSnapshot } from './reserve-snapshot.ts';

/** A deposit or debt with accrued interest, as after a refresh in that slot. */
export type LoanPosition = {
  readonly reserve: ReserveSnapshot;
  /** In lamports. */
  readonly amount: Sf;
  /** In USD, rounded down to 60 bits, without borrow factor. */
  readonly value: Sf;
};

export function depositPositions(
  { deposits }: ObligationView,
  market: MarketSnapshot,
): readonly LoanPosition[] {
  const found: LoanPosition[] = [];
  for (const deposit of deposits) {
    const address = deposit.depositReserve;
    if (address === ZERO_ADDRESS) continue;
    const reserve = requireReserveSnapshot(market, address);
    found.push(collateralPosition(reserve, deposit.depositedAmount));
  }
  return found;
}

/** The value of cTokens. */
export const collateralPosition = (reserve: ReserveSnapshot, ctokens: bigint): LoanPosition =>
  position(reserve, collateralWorth(reserve.rate, ctokens));

export function borrowPositions(
  { borrows }: ObligationView,
  market: MarketSnapshot,
): readonly LoanPosition[] {
  const found: LoanPosition[] = [];
  for (const borrow of borrows) {
    const address = borrow.borrowReserve;
    if (address === ZERO_ADDRESS) continue;
    const reserve = requireReserveSnapshot(market, address);
    found.push(position(reserve, debtAt(borrow, reserve.cumulativeBorrowRate)));
  }
  return found;
}

/** The positions of an obligation, with or without unused slots. */
export type LoanPositionFields = {
  readonly deposits: Iterable<{
    readonly depositReserve: Address;
    readonly depositedAmount: bigint;
  }>;
  readonly borrows: Iterable<{ readonly borrowReserve: Address } & Parameters<typeof debtAt>[0]>;
};

/** Only the positions in the given reserves. */
export function positionsInReserves(
  { deposits, borrows }: LoanPositionFields,
  reserves: ReadonlyMap<Address, ReserveSnapshot>,
): { readonly deposits: readonly LoanPosition[]; readonly borrows: readonly LoanPosition[] } {
  const lent: LoanPosition[] = [];
  for (const { depositReserve, depositedAmount } of deposits) {
    const reserve = reserves.get(depositReserve);
    if (reserve !== undefined) lent.push(collateralPosition(reserve, depositedAmount));
  }
  const owed: LoanPosition[] = [];
  for (const borrow of borrows) {
    const reserve = reserves.get(borrow.borrowReserve);
    if (reserve !== undefined) {
      owed.push(position(reserve, debtAt(borrow, reserve.cumulativeBorrowRate)));
    }
  }
  return { deposits: lent, borrows: owed };
}

/** The reserves of the deposits and debts. */
export function reservesOfObligation({
  deposits,
  borrows,
}: Pick<ObligationView, 'deposits' | 'borrows'>): ReadonlySet<Address> {
  const found = new Set<Address>();
  for (const { depositReserve } of deposits) found.add(depositReserve);
  for (const { borrowReserve } of borrows) found.add(borrowReserve);
  found.delete(ZERO_ADDRESS);
  return found;
}

function position(reserve: ReserveSnapshot, amount: Sf): LoanPosition {
  const { price: marketPriceSf, decimals: mintDecimals } = reserve;
  return { reserve, amount, value: marketValue({ marketPriceSf, mintDecimals }, amount) };
}
