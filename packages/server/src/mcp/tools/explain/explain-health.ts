import {
  addRatio,
  divRatioOrZero,
  mulRatio,
  type Ratio,
  untrustedSymbol,
} from '@tidegate/core/base';
import { percentRatio, short, shortRatio, sum, toRatio } from '../../answer/figures.ts';
import type { ApiReading } from '../../api/api-reading.ts';
import { LiquidationRows, type LoanFigures, LoanRow } from '../../api/api-schemas.ts';
import { healthLine } from '../inspect/inspect-loan.ts';
import { type Inspection, notFound } from '../inspect/inspection.ts';

const ZERO: Ratio = { numerator: 0n, denominator: 1n };

export async function explainHealth(address: string, reading: ApiReading): Promise<Inspection> {
  const loan = await reading.find(LoanRow, `/klend/loans/${address}`);
  if (loan === undefined) throw notFound('loan', address);
  const now = await reading.get(LiquidationRows, `/klend/loans/${address}/liquidations`);
  const { collateral, debt } = loan.loanInfo;
  const deposits = sum(collateral.deposits.map((each) => each.tokenValue));
  const adjusted = weighted(
    debt.borrows.map(({ tokenValue, borrowFactor }) => [tokenValue, borrowFactor]),
  );
  const threshold = weighted(
    collateral.deposits.map(({ tokenValue, liquidationLtv }) => [tokenValue, liquidationLtv]),
  );
  return {
    lines: [
      healthLine(loan),
      `Adjusted debt = sum of debt value times borrow factor = ${debtTerms(loan)} = ${shortRatio(adjusted)} USD.`,
      `Deposits = ${shortRatio(deposits)} USD, so loan-to-value = adjusted debt / deposits = ${percentRatio(divRatioOrZero(adjusted, deposits))}.`,
      `Liquidation begins when the adjusted debt reaches ${thresholdTerms(loan)} = ${shortRatio(threshold)} USD, which is ${percentRatio(divRatioOrZero(threshold, deposits))} of the deposits.`,
      'Health = liquidation loan-to-value / loan-to-value. Prices and accrued interest change it in every slot.',
      now.isLiquidatable
        ? `The program accepts a liquidation NOW: ${now.liquidations.map(({ reason }) => reason).join(', ')}.`
        : 'The program accepts no liquidation of it now.',
      `One liquidation can repay up to ${percentRatio(toRatio(loan.loanInfo.closeFactor))} of the debt.`,
    ],
    data: {
      loan: address,
      depositsUsd: shortRatio(deposits),
      adjustedDebtUsd: shortRatio(adjusted),
      liquidationAtDebtUsd: shortRatio(threshold),
      isLiquidatable: now.isLiquidatable,
      liquidations: now.liquidations.map((each) => ({
        repay: `${short(each.repayAmount)} ${untrustedSymbol(each.repayToken)}`,
        seized: `${short(each.seizedAmount)} ${untrustedSymbol(each.withdrawToken)}`,
        reason: each.reason,
        bonus: short(each.bonus),
      })),
    },
    next: ['To lower the risk: preview a repay or a deposit for this wallet.'],
  };
}

const weighted = (parts: readonly (readonly [string, number])[]): Ratio =>
  parts.map(([value, factor]) => mulRatio(toRatio(value), toRatio(factor))).reduce(addRatio, ZERO);

const terms = (parts: readonly string[]): string => (parts.length === 0 ? '0' : parts.join(' + '));

const debtTerms = ({ loanInfo }: LoanFigures): string =>
  terms(
    loanInfo.debt.borrows.map(
      ({ tokenName, tokenValue, borrowFactor }) =>
        `${short(tokenValue)} (${untrustedSymbol(tokenName)}) * ${short(borrowFactor)}`,
    ),
  );

const thresholdTerms = ({ loanInfo }: LoanFigures): string =>
  terms(
    loanInfo.collateral.deposits.map(
      ({ tokenName, tokenValue, liquidationLtv }) =>
        `${short(tokenValue)} (${untrustedSymbol(tokenName)}) * ${short(liquidationLtv)}`,
    ),
  );
