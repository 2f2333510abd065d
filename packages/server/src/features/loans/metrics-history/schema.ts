import { Type } from 'typebox';
import { AddressString, DecimalString, IsoInstant } from '../../../http/schemas/primitives.ts';
import { ObligationStats } from '../obligation-stats-schema.ts';

const ObligationPosition = Type.Object(
  { amount: DecimalString, mintAddress: AddressString, marketValueRefreshed: DecimalString },
  { title: 'ObligationPosition' },
);

const ObligationSolValues = Type.Object(
  {
    netValueSol: DecimalString,
    collateralValueSol: DecimalString,
    debtValueSol: DecimalString,
    solPrice: DecimalString,
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
  { obligation: AddressString, history: Type.Array(ObligationSnapshot) },
  { title: 'ObligationHistory' },
);
