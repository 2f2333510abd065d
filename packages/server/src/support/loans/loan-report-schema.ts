import { Type } from 'typebox';
import { describe } from '../../http/schemas/describe.ts';
import { AddressString, DecimalString, EpochMillis } from '../../http/schemas/primitives.ts';

const LoanDeposit = Type.Object(
  {
    tokenMint: describe(AddressString, 'Mint of the deposited token'),
    tokenName: Type.String({ description: 'Symbol of the token' }),
    tokenAmount: describe(DecimalString, 'Deposit with interest, in whole tokens'),
    tokenValue: describe(DecimalString, 'Value of the deposit in USD'),
    maxLtv: Type.Number({ description: 'Maximum loan-to-value of the deposit, as a fraction' }),
    liquidationLtv: Type.Number({
      description: 'Loan-to-value at which liquidation starts, as a fraction',
    }),
    maxWithdrawableAmount: Type.Number({
      description:
        'Largest withdrawal that keeps the loan within its borrow limit, in whole tokens',
    }),
    maxWithdrawableValue: describe(DecimalString, 'Value of the largest withdrawal in USD'),
    tokenPrice: Type.Number({ description: 'USD per whole token' }),
  },
  { title: 'LoanDeposit' },
);

const LoanBorrow = Type.Object(
  {
    tokenMint: describe(AddressString, 'Mint of the borrowed token'),
    tokenName: Type.String({ description: 'Symbol of the token' }),
    tokenAmount: describe(DecimalString, 'Debt with interest, in whole tokens'),
    tokenValue: describe(DecimalString, 'Value of the debt in USD'),
    maxBorrowableAmount: Type.Number({
      description: 'Largest further borrow of this token within the borrow limit, in whole tokens',
    }),
    maxBorrowableValue: describe(DecimalString, 'Value of the largest further borrow in USD'),
    tokenPrice: Type.Number({ description: 'USD per whole token' }),
    borrowFactor: Type.Number({
      description:
        'Factor by which the debt counts against the borrow limit; 1 in an elevation group',
    }),
  },
  { title: 'LoanBorrow' },
);

export const LoanReport = Type.Object(
  {
    loanId: describe(AddressString, 'Address of the obligation account'),
    marketId: describe(AddressString, 'Address of the lending market'),
    user: describe(AddressString, 'Address of the owner'),
    timestamp: describe(EpochMillis, 'Block time of the state, epoch ms'),
    solanaSlot: Type.Number({ description: 'Slot of the state' }),
    elevationGroup: Type.Number({ description: 'Number of the elevation group; 0 for none' }),
    leverage: Type.Number({ description: 'Value of the deposits divided by the net value' }),
    loanInfo: describe(
      Type.Object({
        collateral: describe(
          Type.Object({ deposits: describe(Type.Array(LoanDeposit), 'One entry per deposit') }),
          'Collateral of the loan',
        ),
        debt: describe(
          Type.Object({ borrows: describe(Type.Array(LoanBorrow), 'One entry per debt') }),
          'Debt of the loan',
        ),
        currentLtv: Type.Number({
          description: 'Debt with borrow factors divided by deposits, as a fraction',
        }),
        maxLtv: Type.Number({
          description:
            'Mean of the maximum loan-to-value of the deposits, weighted by value, as a fraction',
        }),
        liquidationLtv: Type.Number({
          description:
            'Mean of the liquidation thresholds of the deposits, weighted by value, as a fraction',
        }),
        closeFactor: Type.Number({
          description: 'Part of the debt that one liquidation can repay, as a fraction',
        }),
      }),
      'Deposits, debts and limits',
    ),
  },
  { title: 'LoanReport' },
);
