import type { Loan, LoanBorrow, LoanDeposit } from '@tidegate/core/views/lending';
import type { Static } from 'typebox';
import { epochMs, liveNumber, liveSfText, liveText } from '../decimal-format/live-decimals.ts';
import type { LoanReport } from './loan-report-schema.ts';

type Report = Static<typeof LoanReport>;

export function loanJson(loan: Loan): Report {
  return {
    loanId: loan.address,
    marketId: loan.market,
    user: loan.owner,
    timestamp: epochMs(loan.at.unix),
    solanaSlot: Number(loan.at.slot),
    elevationGroup: loan.elevationGroup,
    leverage: liveNumber(loan.leverage),
    loanInfo: {
      collateral: { deposits: loan.deposits.map(depositJson) },
      debt: { borrows: loan.borrows.map(borrowJson) },
      currentLtv: liveNumber(loan.currentLtv),
      maxLtv: liveNumber(loan.maxLtv),
      liquidationLtv: liveNumber(loan.liquidationLtv),
      closeFactor: liveNumber(loan.closeFactor),
    },
  };
}

function depositJson(deposit: LoanDeposit): Report['loanInfo']['collateral']['deposits'][number] {
  return {
    tokenMint: deposit.reserve.mint,
    tokenName: deposit.reserve.symbol,
    tokenAmount: liveText(deposit.tokens),
    tokenValue: liveSfText(deposit.value),
    maxLtv: liveNumber(deposit.maxLtv),
    liquidationLtv: liveNumber(deposit.liquidationLtv),
    maxWithdrawableAmount: liveNumber(deposit.maxWithdrawableTokens),
    maxWithdrawableValue: liveText(deposit.maxWithdrawableValue),
    tokenPrice: liveNumber(deposit.reserve.exactPrice),
  };
}

function borrowJson(borrow: LoanBorrow): Report['loanInfo']['debt']['borrows'][number] {
  return {
    tokenMint: borrow.reserve.mint,
    tokenName: borrow.reserve.symbol,
    tokenAmount: liveText(borrow.tokens),
    tokenValue: liveSfText(borrow.value),
    maxBorrowableAmount: liveNumber(borrow.maxBorrowableTokens),
    maxBorrowableValue: liveText(borrow.maxBorrowableValue),
    tokenPrice: liveNumber(borrow.reserve.exactPrice),
    borrowFactor: liveNumber(borrow.borrowFactor),
  };
}
