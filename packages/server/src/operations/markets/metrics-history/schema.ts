import { Type } from 'typebox';
import { describe } from '../../../http/schemas/describe.ts';
import { AddressString, DecimalString, IsoInstant } from '../../../http/schemas/primitives.ts';

export const MarketPoint = Type.Object(
  {
    market: describe(AddressString, 'Address of the lending market'),
    timestamp: describe(IsoInstant, 'Time of the point, UTC'),
    metrics: describe(
      Type.Object({
        borrowTVL: describe(DecimalString, 'Debts in USD'),
        depositTVL: describe(DecimalString, 'Deposits in USD'),
        obligations: Type.Integer({ description: 'Loans with a deposit or debt' }),
      }),
      'Totals over the reserves of the market',
    ),
  },
  { title: 'MarketPoint' },
);
