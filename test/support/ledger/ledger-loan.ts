import type { Address } from '#core/base/encoding/address.ts';
import { lendingMarket } from '#core/protocol/klend/layout/lending-market.ts';
import { type Obligation, obligation } from '#core/protocol/klend/layout/obligation.ts';
import { decodeStakePool } from '#core/protocol/spl/stake-pool.ts';
import {
  type Decimal50,
  divide,
  multiply,
  type ReferenceLoan,
  type ReferencePosition,
  referenceLoan,
  sum,
  toDecimal50,
} from '../reference/reference-lending.ts';
import type { AccountLedger, LedgerTime } from './account-ledger.ts';
import type { LedgerReserves } from './ledger-reserves.ts';

export type LoanLedger = {
  readonly ledger: AccountLedger;
  readonly reserves: LedgerReserves;
  /** Stake pools by the mint of their token. */
  readonly stakePools: ReadonlyMap<Address, Address>;
};

export type LedgerLoan = ReferenceLoan & { readonly fields: Obligation };

/** A loan with interest accrued to a time; undefined if it does not exist or has no positions. */
export function ledgerLoanAt(
  { ledger, reserves }: LoanLedger,
  address: Address,
  at: LedgerTime,
): LedgerLoan | undefined {
  const fields = ledger.find(obligation, address, at);
  if (fields === undefined) return undefined;
  const market = ledger.get(lendingMarket, fields.lendingMarket, at);
  const loan = referenceLoan(fields, { market, reserves: reserves.at(at) });
  return loan.deposits.length + loan.borrows.length === 0 ? undefined : { ...loan, fields };
}

/** SEMANTICS 6. */
export function loanStats({ deposits, borrows }: ReferenceLoan) {
  const total = (
    positions: readonly ReferencePosition[],
    of: (position: ReferencePosition) => Decimal50,
  ): Decimal50 => sum(positions.map(of));
  const userTotalDeposit = total(deposits, ({ usd }) => usd);
  const userTotalBorrow = total(borrows, ({ usd }) => usd);
  const adjusted = total(borrows, ({ usd, borrowFactor }) => multiply(usd, borrowFactor));
  const collateral = total(deposits, ({ usd, maxLtv }) => (maxLtv === 0n ? 0n : usd));
  const liquidatable = total(deposits, (each) => (each.liquidationLtv === 0n ? 0n : each.usd));
  const borrowLimit = total(deposits, ({ usd, maxLtv }) => multiply(usd, maxLtv));
  const liquidationLimit = total(deposits, (each) => multiply(each.usd, each.liquidationLtv));
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
    loanToValue: divide(adjusted, collateral),
    liquidationLtv: divide(liquidationLimit, liquidatable),
    borrowUtilization: divide(adjusted, borrowLimit),
    leverage: divide(userTotalDeposit, netAccountValue),
  };
}

/** SOL per whole token; undefined if the token has no stake pool. */
export function stakeRateAt(
  { ledger, stakePools }: LoanLedger,
  mint: Address,
  at: LedgerTime,
): Decimal50 | undefined {
  const pool = stakePools.get(mint);
  const account = pool && ledger.account(pool, at);
  if (account === undefined) return undefined;
  const { totalLamports, poolTokenSupply } = decodeStakePool(account);
  return toDecimal50(totalLamports, poolTokenSupply);
}

/** The SOL value of positions, by price or, on request, by stake rate. */
export function inSol(
  loanLedger: LoanLedger,
  positions: readonly ReferencePosition[],
  { at, useStakeRate }: { readonly at: LedgerTime; readonly useStakeRate: boolean },
): Decimal50 {
  const solPrice = loanLedger.reserves.solPrice(at);
  return sum(
    positions.map(({ reserve, tokens, usd }) => {
      const mint = loanLedger.reserves.at(at).get(reserve)?.mint;
      const rate = useStakeRate && mint ? stakeRateAt(loanLedger, mint, at) : undefined;
      return rate === undefined ? divide(usd, solPrice) : multiply(tokens, rate);
    }),
  );
}
