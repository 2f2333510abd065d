import { Type } from 'typebox';
import { AddressText, DecimalText, EpochMillis } from '../../http/schemas/primitives.ts';

const LoanDeposit = Type.Object(
  {
    tokenMint: AddressText,
    tokenName: Type.String(),
    tokenAmount: DecimalText,
    tokenValue: DecimalText,
    maxLtv: Type.Number(),
    liquidationLtv: Type.Number(),
    maxWithdrawableAmount: Type.Number(),
    maxWithdrawableValue: DecimalText,
    tokenPrice: Type.Number(),
  },
  { title: 'LoanDeposit' },
);

const LoanBorrow = Type.Object(
  {
    tokenMint: AddressText,
    tokenName: Type.String(),
    tokenAmount: DecimalText,
    tokenValue: DecimalText,
    maxBorrowableAmount: Type.Number(),
    maxBorrowableValue: DecimalText,
    tokenPrice: Type.Number(),
    borrowFactor: Type.Number(),
  },
  { title: 'LoanBorrow' },
);

export const LoanReport = Type.Object(
  {
    loanId: AddressText,
    marketId: AddressText,
    user: AddressText,
    timestamp: EpochMillis,
    solanaSlot: Type.Number(),
    elevationGroup: Type.Number(),
    leverage: Type.Number(),
    loanInfo: Type.Object({
      collateral: Type.Object({ deposits: Type.Array(LoanDeposit) }),
      debt: Type.Object({ borrows: Type.Array(LoanBorrow) }),
      currentLtv: Type.Number(),
      maxLtv: Type.Number(),
      liquidationLtv: Type.Number(),
      closeFactor: Type.Number(),
    }),
  },
  { title: 'LoanReport' },
);
