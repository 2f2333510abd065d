import { Type } from 'typebox';
import { describe } from '../../../http/schemas/describe.ts';
import { DecimalString, IsoInstant, NullableString } from '../../../http/schemas/primitives.ts';

export const NetValuePoint = Type.Object(
  {
    createdOn: describe(IsoInstant, 'Time of the point, UTC'),
    klendUsd: describe(
      DecimalString,
      'Deposits minus debts of all loans that the wallet owns, in all markets of this deployment, in USD. cTokens outside of a loan are not included',
    ),
    strategiesUsd: describe(
      Type.Null(),
      'Value of liquidity strategies; always null, because they are not indexed: it is unknown, not zero',
    ),
    kvaultsUsd: describe(
      DecimalString,
      'Value of all vault shares in USD, staked ones and those of private credit vaults included',
    ),
    stakingUsd: describe(
      NullableString,
      'Value of stakes in farms that belong to neither a vault nor a reserve, in USD, as in the portfolio. Null in points of the past, because the value of these stakes is not recorded, and if the price of a staked token is unknown',
    ),
  },
  { title: 'NetValuePoint' },
);
