import { Type } from 'typebox';
import { describe } from '../../../http/schemas/describe.ts';
import { DecimalString, IsoInstant } from '../../../http/schemas/primitives.ts';

export const UserVaultPoint = Type.Object(
  {
    createdOn: describe(IsoInstant, 'Time of the point, UTC'),
    sharesAmount: describe(DecimalString, 'Shares held, staked ones included, in whole shares'),
    usdAmount: describe(DecimalString, 'Value of the shares in USD'),
    solAmount: describe(DecimalString, 'Value of the shares in SOL at the price of that time'),
    apy: describe(DecimalString, 'Yearly yield of the vault without rewards, as a fraction'),
    cumulativeInterestEarned: describe(
      DecimalString,
      'Interest since the first purchase, in whole tokens of the vault',
    ),
    cumulativeInterestEarnedUsd: describe(
      DecimalString,
      'Interest since the first purchase in USD, each interval at its own price',
    ),
    cumulativeInterestEarnedSol: describe(
      DecimalString,
      'Interest since the first purchase in SOL, each interval at its own price',
    ),
    interestEarnedPerSecond: describe(
      DecimalString,
      'Interest per second at this time, in whole tokens of the vault',
    ),
    interestEarnedPerSecondUsd: describe(DecimalString, 'Interest per second at this time, in USD'),
    interestEarnedPerSecondSol: describe(DecimalString, 'Interest per second at this time, in SOL'),
  },
  { title: 'UserVaultPoint' },
);

export const UserEarnTotalsPoint = Type.Object(
  {
    createdOn: describe(IsoInstant, 'Time of the point, UTC'),
    usdAmount: describe(DecimalString, 'Value of all vault shares in USD'),
    solAmount: describe(
      DecimalString,
      'Value of all vault shares in SOL at the price of that time',
    ),
    weightedApy: describe(
      DecimalString,
      'Mean of the yields of the vaults, weighted by USD value, as a fraction',
    ),
    cumulativeInterestEarnedUsd: describe(
      DecimalString,
      'Interest since the first purchase in USD, each interval at its own price',
    ),
    cumulativeInterestEarnedSol: describe(
      DecimalString,
      'Interest since the first purchase in SOL, each interval at its own price',
    ),
    interestEarnedPerSecondUsd: describe(DecimalString, 'Interest per second at this time, in USD'),
    interestEarnedPerSecondSol: describe(DecimalString, 'Interest per second at this time, in SOL'),
  },
  { title: 'UserEarnTotalsPoint' },
);
