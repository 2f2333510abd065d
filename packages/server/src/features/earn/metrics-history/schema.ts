import { Type } from 'typebox';
import { DecimalString, EpochMillis, IsoInstant } from '../../../http/schemas/primitives.ts';

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

const TriAmount = Type.Object(
  { usd: DecimalString, sol: DecimalString, token: DecimalString },
  { title: 'TriAmount' },
);

const totals = { totalPnl: TriAmount, totalCostBasis: TriAmount };

export const VaultPnl = Type.Object(totals, { title: 'VaultPnl' });

const VaultPnlEvent = Type.Object(
  {
    timestamp: EpochMillis,
    type: Type.Unsafe<'buy' | 'sell' | 'mark-to-market'>({
      type: 'string',
      enum: ['buy', 'sell', 'mark-to-market'],
    }),
    position: DecimalString,
    quantity: DecimalString,
    tokenPrice: TriAmount,
    sharePrice: TriAmount,
    costBasis: TriAmount,
    realizedPnl: TriAmount,
    pnl: TriAmount,
    positionValue: TriAmount,
    investment: TriAmount,
  },
  { title: 'VaultPnlEvent' },
);

export const VaultPnlHistory = Type.Object(
  { history: Type.Array(VaultPnlEvent), ...totals },
  { title: 'VaultPnlHistory' },
);
