import { Type } from 'typebox';
import { AddressText, DecimalText, IsoInstant } from '../../../http/schemas/primitives.ts';
import { ObligationStats } from '../user-obligations/schema.ts';

const ObligationPosition = Type.Object(
  { amount: DecimalText, mintAddress: AddressText, marketValueRefreshed: DecimalText },
  { title: 'ObligationPosition' },
);

const ObligationSolValues = Type.Object(
  {
    netValueSol: DecimalText,
    collateralValueSol: DecimalText,
    debtValueSol: DecimalText,
    solPrice: DecimalText,
    timestampSolPrice: IsoInstant,
    timestampObligation: IsoInstant,
  },
  { title: 'ObligationSolValues' },
);

export const ObligationSnapshot = Type.Object(
  {
    timestamp: IsoInstant,
    refreshedStats: ObligationStats,
    deposits: Type.Array(ObligationPosition),
    borrows: Type.Array(ObligationPosition),
    tag: Type.Integer({ minimum: 0, maximum: 3 }),
    obligationSolValues: ObligationSolValues,
  },
  { title: 'ObligationSnapshot' },
);

export const ObligationHistory = Type.Object(
  { obligation: AddressText, history: Type.Array(ObligationSnapshot) },
  { title: 'ObligationHistory' },
);
