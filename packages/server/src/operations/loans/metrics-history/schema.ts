import { Type } from 'typebox';
import { describe } from '../../../http/schemas/describe.ts';
import { AddressString, DecimalString, IsoInstant } from '../../../http/schemas/primitives.ts';
import { ObligationStats } from '../obligation-stats-schema.ts';

const ObligationPosition = Type.Object(
  {
    amount: describe(DecimalString, 'Amount with interest, in lamports with a fraction'),
    mintAddress: describe(AddressString, 'Mint of the token'),
    marketValueRefreshed: describe(DecimalString, 'Value in USD, without the borrow factor'),
  },
  { title: 'ObligationPosition' },
);

const ObligationSolValues = Type.Object(
  {
    netValueSol: describe(DecimalString, 'Net value in SOL'),
    collateralValueSol: describe(DecimalString, 'Value of the deposits in SOL'),
    debtValueSol: describe(DecimalString, 'Value of the debts in SOL'),
    solPrice: describe(DecimalString, 'USD per SOL'),
    timestampSolPrice: describe(IsoInstant, 'Time of the SOL price, UTC'),
    timestampObligation: describe(IsoInstant, 'Time of the state of the loan, UTC'),
  },
  { title: 'ObligationSolValues' },
);

export const ObligationSnapshot = Type.Object(
  {
    timestamp: describe(IsoInstant, 'Time of the point, UTC'),
    refreshedStats: describe(ObligationStats, 'Values and limits of the loan at this time'),
    deposits: describe(Type.Array(ObligationPosition), 'One entry per deposit'),
    borrows: describe(Type.Array(ObligationPosition), 'One entry per debt'),
    tag: describe(
      Type.Integer({ minimum: 0, maximum: 3 }),
      'Kind of loan: 0 Vanilla, 1 Multiply, 2 Lending, 3 Leverage',
    ),
    obligationSolValues: describe(ObligationSolValues, 'Values in SOL'),
  },
  { title: 'ObligationSnapshot' },
);

export const ObligationHistory = Type.Object(
  {
    obligation: describe(AddressString, 'Address of the obligation account'),
    history: describe(Type.Array(ObligationSnapshot), 'Oldest first'),
  },
  { title: 'ObligationHistory' },
);
