import type { LoanReport as LoanReportView } from '@tidegate/core/views/lending';
import type { Static } from 'typebox';
import {
  formatLiveRatio,
  formatLiveSf,
  toEpochMillis,
  toLiveNumber,
  toLiveNumberDown,
} from '../decimals/live-decimals.ts';
import type { LoanReport } from './loan-report-schema.ts';

type Report = Static<typeof LoanReport>;

export function loanReportJson(loan: LoanReportView): Report {
  return {
    loanId: loan.address,
    marketId: loan.market,
    user: loan.owner,
    timestamp: toEpochMillis(loan.at.unix),
    solanaSlot: Number(loan.at.slot),
    elevationGroup: loan.elevationGroup,
    leverage: toLiveNumber(loan.leverage),
    loanInfo: {
      collateral: { deposits: loan.deposits.map(depositJson) },
      debt: { borrows: loan.borrows.map(borrowJson) },
      currentLtv: toLiveNumber(loan.currentLtv),
      maxLtv: toLiveNumber(loan.maxLtv),
      liquidationLtv: toLiveNumber(loan.liquidationLtv),
      closeFactor: toLiveNumber(loan.closeFactor),
    },
  };
}

function depositJson(
  deposit: LoanReportView['deposits'][number],
): Report['loanInfo']['collateral']['deposits'][number] {
  return {
    tokenMint: deposit.reserve.mint,
    tokenName: deposit.reserve.symbol,
    tokenAmount: formatLiveRatio(deposit.tokens),
    tokenValue: formatLiveSf(deposit.value),
    maxLtv: toLiveNumber(deposit.maxLtv),
    liquidationLtv: toLiveNumber(deposit.liquidationLtv),
    maxWithdrawableAmount: toLiveNumberDown(deposit.maxWithdrawableTokens),
    maxWithdrawableValue: formatLiveRatio(deposit.maxWithdrawableValue),
    tokenPrice: toLiveNumber(deposit.reserve.exactPrice),
  };
}

function borrowJson(
  borrow: LoanReportView['borrows'][number],
): Report['loanInfo']['debt']['borrows'][number] {
  return {
    tokenMint: borrow.reserve.mint,
    tokenName: borrow.reserve.symbol,
    tokenAmount: formatLiveRatio(borrow.tokens),
    tokenValue: formatLiveSf(borrow.value),
    maxBorrowableAmount: toLiveNumberDown(borrow.maxBorrowableTokens),
    maxBorrowableValue: formatLiveRatio(borrow.maxBorrowableValue),
    tokenPrice: toLiveNumber(borrow.reserve.exactPrice),
    borrowFactor: toLiveNumber(borrow.borrowFactor),
  };
}
