import type { LoanReport } from '@tidegate/client';
import { compareDecimals, multiplyDecimals, subtractDecimals } from '@tidegate/client';
import { divide, sum } from '../format/decimal.ts';

/**
 * The health of a loan by the rule of the server and the lending program: a loan can be liquidated as soon as its debts,
 * each times its borrow factor, reach its deposits, each times its liquidation LTV. All sums and products are exact.
 */

type LoanInfo = LoanReport['loanInfo'];
type Deposit = LoanInfo['collateral']['deposits'][number];
type Debt = LoanInfo['debt']['borrows'][number];

export type LoanHealth = {
  /** In USD. */
  readonly deposits: string;
  readonly debts: string;
  readonly netValue: string;
  /** Debts times borrow factors, in USD. */
  readonly adjustedDebts: string;
  /** Adjusted debts at which the loan can be liquidated, in USD. */
  readonly liquidationLimit: string;
  /** Fractions; undefined without deposits. */
  readonly ltv: string | undefined;
  readonly liquidationLtv: string | undefined;
  /** The limit over the debts: 1 or less can be liquidated. Undefined without debts. */
  readonly health: string | undefined;
  readonly isLiquidatable: boolean;
};

/** What the price of a token is multiplied by. */
export type PriceFactor = (mint: string) => string;

export function loanHealth(loan: LoanInfo, factorOf: PriceFactor = () => '1'): LoanHealth {
  const depositValues = loan.collateral.deposits.map((deposit) => ({
    value: multiplyDecimals(deposit.tokenValue, factorOf(deposit.tokenMint)),
    weight: String(deposit.liquidationLtv),
  }));
  const debtValues = loan.debt.borrows.map((debt) => ({
    value: multiplyDecimals(debt.tokenValue, factorOf(debt.tokenMint)),
    weight: String(debt.borrowFactor),
  }));
  const deposits = sum(depositValues.map(({ value }) => value));
  const debts = sum(debtValues.map(({ value }) => value));
  const liquidationLimit = weightedSum(depositValues);
  const adjustedDebts = weightedSum(debtValues);
  const hasDebt = compareDecimals(adjustedDebts, '0') > 0;
  return {
    deposits,
    debts,
    netValue: subtractDecimals(deposits, debts),
    adjustedDebts,
    liquidationLimit,
    ltv: divide(adjustedDebts, deposits),
    liquidationLtv: divide(liquidationLimit, deposits),
    health: divide(liquidationLimit, adjustedDebts),
    isLiquidatable: hasDebt && compareDecimals(adjustedDebts, liquidationLimit) >= 0,
  };
}

type WeightedValue = { readonly value: string; readonly weight: string };

const weightedSum = (parts: readonly WeightedValue[]): string =>
  sum(parts.map(({ value, weight }) => multiplyDecimals(value, weight)));

export type LoanToken = {
  readonly mint: string;
  readonly symbol: string;
  /** USD per token. */
  readonly price: string;
  /** Its deposits times liquidation LTV less its debts times borrow factor, in USD. */
  readonly weight: string;
  readonly isDeposit: boolean;
};

/** Each token of the loan once, deposits first. */
export function tokensOf({ collateral, debt }: LoanInfo): LoanToken[] {
  const tokens = new Map<string, LoanToken>();
  const add = (position: Deposit | Debt, weight: string, isDeposit: boolean): void => {
    const { tokenMint: mint, tokenName: symbol, tokenPrice } = position;
    const known = tokens.get(mint);
    tokens.set(mint, {
      mint,
      symbol,
      price: String(tokenPrice),
      weight: sum([known?.weight ?? '0', weight]),
      isDeposit: isDeposit || known?.isDeposit === true,
    });
  };
  for (const deposit of collateral.deposits) {
    add(deposit, multiplyDecimals(deposit.tokenValue, String(deposit.liquidationLtv)), true);
  }
  for (const borrow of debt.borrows) {
    add(
      borrow,
      subtractDecimals('0', multiplyDecimals(borrow.tokenValue, String(borrow.borrowFactor))),
      false,
    );
  }
  return [...tokens.values()];
}
