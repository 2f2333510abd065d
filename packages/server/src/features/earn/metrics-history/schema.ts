import { Type } from 'typebox';
import { DecimalString, IsoInstant } from '../../../http/schemas/primitives.ts';

export const UserVaultPoint = Type.Object(
  {
    createdOn: IsoInstant,
    sharesAmount: DecimalString,
    usdAmount: DecimalString,
    solAmount: DecimalString,
    apy: DecimalString,
    cumulativeInterestEarned: DecimalString,
    cumulativeInterestEarnedUsd: DecimalString,
    cumulativeInterestEarnedSol: DecimalString,
    interestEarnedPerSecond: DecimalString,
    interestEarnedPerSecondUsd: DecimalString,
    interestEarnedPerSecondSol: DecimalString,
  },
  { title: 'UserVaultPoint' },
);

export const UserEarnTotalsPoint = Type.Object(
  {
    createdOn: IsoInstant,
    usdAmount: DecimalString,
    solAmount: DecimalString,
    weightedApy: DecimalString,
    cumulativeInterestEarnedUsd: DecimalString,
    cumulativeInterestEarnedSol: DecimalString,
    interestEarnedPerSecondUsd: DecimalString,
    interestEarnedPerSecondSol: DecimalString,
  },
  { title: 'UserEarnTotalsPoint' },
);
