import { Type } from 'typebox';
import { AddressString, DecimalString, EpochMillis } from '../../http/schemas/primitives.ts';

const LoanDeposit = Type.Object(
  {
    tokenMint: AddressString,
    tokenName: Type.String(),
    tokenAmount: DecimalString,
    tokenValue: DecimalString,
    maxLtv: Type.Number(),
    liquidationLtv: Type.Number(),
    maxWithdrawableAmount: Type.Number(),
    maxWithdrawableValue: DecimalString,
    tokenPrice: Type.Number(),
  },
  { title: 'LoanDeposit' },
);

const LoanBorrow = Type.Object(
  {
    tokenMint: AddressString,
    tokenName: Type.String(),
    tokenAmount: DecimalString,
    tokenValue: DecimalString,
    maxBorrowableAmount: Type.Number(),
    maxBorrowableValue: DecimalString,
    tokenPrice: Type.Number(),
    borrowFactor: Type.Number(),
  },
  { title: 'LoanBorrow' },
);

export const LoanReport = Type.Object(
  {
    loanId: AddressString,
    marketId: AddressString,
    user: AddressString,
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
