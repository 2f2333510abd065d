import type { Address } from '#core/base/encoding/address.ts';
import { lendingMarket } from '#core/protocol/klend/layout/lending-market.ts';
import { type Obligation, obligation } from '#core/protocol/klend/layout/obligation.ts';
import { decodeStakePool } from '#core/protocol/spl/stake-pool.ts';
import {
  over,
  sum,
  type TextbookLoan,
  type TextbookPosition,
  textbookLoan,
  times,
  toWide,
  type Wide,
} from '../reference/reference-lending.ts';
import type { Ledger, Moment } from './account-ledger.ts';
import type { ReservesThen } from './ledger-reserves.ts';

export type LoanBook = {
  readonly ledger: Ledger;
  readonly reserves: ReservesThen;
  /** Pool by the mint of its token. */
  readonly stakePools: ReadonlyMap<Address, Address>;
};

export type LoanThen = TextbookLoan & { readonly fields: Obligation };

/** A loan with its positions brought to a moment; undefined where it is not there, or has none. */
export function loanThen(
  { ledger, reserves }: LoanBook,
  address: Address,
  at: Moment,
): LoanThen | undefined {
  const fields = ledger.find(obligation, address, at);
  if (fields === undefined) return undefined;
  const market = ledger.get(lendingMarket, fields.lendingMarket, at);
  const loan = textbookLoan(fields, { market, reserves: reserves.at(at) });
  return loan.deposits.length + loan.borrows.length === 0 ? undefined : { ...loan, fields };
}

/** SEMANTICS 6, as it is printed there. */
export function statsOf({ deposits, borrows }: TextbookLoan) {
  const total = (
    positions: readonly TextbookPosition[],
    of: (position: TextbookPosition) => Wide,
  ): Wide => sum(positions.map(of));
  const userTotalDeposit = total(deposits, ({ usd }) => usd);
  const userTotalBorrow = total(borrows, ({ usd }) => usd);
  const adjusted = total(borrows, ({ usd, borrowFactor }) => times(usd, borrowFactor));
  const collateral = total(deposits, ({ usd, maxLtv }) => (maxLtv === 0n ? 0n : usd));
  const liquidatable = total(deposits, (each) => (each.liquidationLtv === 0n ? 0n : each.usd));
  const borrowLimit = total(deposits, ({ usd, maxLtv }) => times(usd, maxLtv));
  const liquidationLimit = total(deposits, (each) => times(each.usd, each.liquidationLtv));
  const netAccountValue = userTotalDeposit - userTotalBorrow;
  return {
    userTotalDeposit,
    userTotalBorrow,
    userTotalBorrowBorrowFactorAdjusted: adjusted,
    userTotalCollateralDeposit: collateral,
    userTotalLiquidatableDeposit: liquidatable,
    borrowLimit,
    borrowLiquidationLimit: liquidationLimit,
    netAccountValue,
    loanToValue: over(adjusted, collateral),
    liquidationLtv: over(liquidationLimit, liquidatable),
    borrowUtilization: over(adjusted, borrowLimit),
    leverage: over(userTotalDeposit, netAccountValue),
  };
}

/** SOL for a whole token; undefined for one of no pool. */
export function stakeRateThen(
  { ledger, stakePools }: LoanBook,
  mint: Address,
  at: Moment,
): Wide | undefined {
  const pool = stakePools.get(mint);
  const account = pool && ledger.account(pool, at);
  if (account === undefined) return undefined;
  const { totalLamports, poolTokenSupply } = decodeStakePool(account);
  return toWide(totalLamports, poolTokenSupply);
}

/** What positions are in SOL: by their price, or by their pool where that is asked for and they have one. */
export function inSol(
  book: LoanBook,
  positions: readonly TextbookPosition[],
  { at, useStakeRate }: { readonly at: Moment; readonly useStakeRate: boolean },
): Wide {
  const solPrice = book.reserves.solPrice(at);
  return sum(
    positions.map(({ reserve, tokens, usd }) => {
      const mint = book.reserves.at(at).get(reserve)?.mint;
      const rate = useStakeRate && mint ? stakeRateThen(book, mint, at) : undefined;
      return rate === undefined ? over(usd, solPrice) : times(tokens, rate);
    }),
  );
}
