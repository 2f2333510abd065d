import { Type } from 'typebox';
import { describe } from '../../http/schemas/describe.ts';
import { DecimalString } from '../../http/schemas/primitives.ts';

export const ObligationStats = Type.Object(
  {
    leverage: describe(
      DecimalString,
      'Value of the deposits divided by the net value; 0 if there is none',
    ),
    borrowLimit: describe(DecimalString, 'Debt that the deposits allow, in USD'),
    loanToValue: describe(
      DecimalString,
      'Debt with borrow factors divided by the deposits that count as collateral, as a fraction',
    ),
    liquidationLtv: describe(
      DecimalString,
      'Loan-to-value at which liquidation starts, as a fraction',
    ),
    netAccountValue: describe(DecimalString, 'Deposits minus debts, in USD'),
    userTotalBorrow: describe(DecimalString, 'Value of all debts in USD, without borrow factors'),
    userTotalDeposit: describe(DecimalString, 'Value of all deposits in USD'),
    borrowUtilization: describe(
      DecimalString,
      'Debt with borrow factors divided by the borrow limit, as a fraction',
    ),
    borrowLiquidationLimit: describe(
      DecimalString,
      'Debt with borrow factors at which liquidation starts, in USD',
    ),
    userTotalCollateralDeposit: describe(
      DecimalString,
      'Value of the deposits with a maximum loan-to-value above 0, in USD',
    ),
    userTotalLiquidatableDeposit: describe(
      DecimalString,
      'Value of the deposits with a liquidation threshold above 0, in USD',
    ),
    userTotalBorrowBorrowFactorAdjusted: describe(
      DecimalString,
      'Value of all debts times their borrow factors, in USD',
    ),
    potentialElevationGroupUpdate: Type.Number({ description: 'Always 0' }),
  },
  { title: 'ObligationStats' },
);
