import { untrustedName, untrustedSymbol } from '@tidegate/core/base';
import { percent, short, shortRatio, sum } from '../../answer/figures.ts';
import type { ApiReading } from '../../api/api-reading.ts';
import { type LoanFigures, LoanRow } from '../../api/api-schemas.ts';
import { loanHealth } from '../loan-health.ts';
import { type Inspection, notFound } from './inspection.ts';

export async function inspectLoan(address: string, reading: ApiReading): Promise<Inspection> {
  const loan = await reading.find(LoanRow, `/klend/loans/${address}`);
  if (loan === undefined) throw notFound('loan', address);
  const { collateral, debt } = loan.loanInfo;
  const values = {
    deposits: shortRatio(sum(collateral.deposits.map((each) => each.tokenValue))),
    debts: shortRatio(sum(debt.borrows.map((each) => each.tokenValue))),
  };
  return {
    lines: [
      `Loan ${address} of wallet ${loan.user}: deposits ${values.deposits} USD, debts ${values.debts} USD.`,
      healthLine(loan),
      ...collateral.deposits.map(
        (each) =>
          `Deposit: ${short(each.tokenAmount)} ${untrustedSymbol(each.tokenName)} (${short(each.tokenValue)} USD); up to ${short(each.maxWithdrawableAmount)} can be withdrawn now.`,
      ),
      ...debt.borrows.map(
        (each) =>
          `Debt: ${short(each.tokenAmount)} ${untrustedSymbol(each.tokenName)} (${short(each.tokenValue)} USD); up to ${short(each.maxBorrowableAmount)} more can be borrowed now.`,
      ),
    ],
    data: loanData(loan),
    next: ['Call explain with topic health and this address for the formula and the distance.'],
  };
}

export function healthLine(loan: LoanFigures): string {
  const { currentLtv, maxLtv, liquidationLtv } = loan.loanInfo;
  const { health, fall, isLiquidatable } = loanHealth(loan.loanInfo);
  const limits = `loan-to-value ${percent(currentLtv)}, borrow limit ${percent(maxLtv)}, liquidation from ${percent(liquidationLtv)}`;
  if (health === undefined) return `The loan has no debt, so it cannot be liquidated (${limits}).`;
  if (isLiquidatable) return `The loan is above its liquidation threshold: ${limits}.`;
  return `Health ${health} (below 1 can be liquidated): ${limits}. Liquidation begins if all deposits lose ${fall} of their value against the debts.`;
}

const loanData = (loan: LoanFigures) => ({
  loan: loan.loanId,
  wallet: loan.user,
  market: loan.marketId,
  elevationGroup: loan.elevationGroup,
  leverage: short(loan.leverage),
  currentLtv: short(loan.loanInfo.currentLtv),
  maxLtv: short(loan.loanInfo.maxLtv),
  liquidationLtv: short(loan.loanInfo.liquidationLtv),
  health: loanHealth(loan.loanInfo).health ?? null,
  deposits: loan.loanInfo.collateral.deposits.map((each) => ({
    untrustedSymbol: untrustedName(each.tokenName),
    tokenMint: each.tokenMint,
    tokens: short(each.tokenAmount),
    valueUsd: short(each.tokenValue),
    maxLtv: short(each.maxLtv),
    liquidationLtv: short(each.liquidationLtv),
    maxWithdrawableTokens: short(each.maxWithdrawableAmount),
  })),
  debts: loan.loanInfo.debt.borrows.map((each) => ({
    untrustedSymbol: untrustedName(each.tokenName),
    tokenMint: each.tokenMint,
    tokens: short(each.tokenAmount),
    valueUsd: short(each.tokenValue),
    borrowFactor: short(each.borrowFactor),
    maxBorrowableTokens: short(each.maxBorrowableAmount),
  })),
});
