import { Type } from 'typebox';
import { DecimalString } from '../../http/schemas/primitives.ts';

export const ObligationStats = Type.Object(
  {
    leverage: DecimalString,
    borrowLimit: DecimalString,
    loanToValue: DecimalString,
    liquidationLtv: DecimalString,
    netAccountValue: DecimalString,
    userTotalBorrow: DecimalString,
    userTotalDeposit: DecimalString,
    borrowUtilization: DecimalString,
    borrowLiquidationLimit: DecimalString,
    userTotalCollateralDeposit: DecimalString,
    userTotalLiquidatableDeposit: DecimalString,
    userTotalBorrowBorrowFactorAdjusted: DecimalString,
    potentialElevationGroupUpdate: Type.Number(),
  },
  { title: 'ObligationStats' },
);
