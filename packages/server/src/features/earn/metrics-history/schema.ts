import { Type } from 'typebox';
import { DecimalText, EpochMillis, IsoInstant } from '../../../http/schemas/primitives.ts';

export const UserVaultPoint = Type.Object(
  {
    createdOn: IsoInstant,
    sharesAmount: DecimalText,
    usdAmount: DecimalText,
    solAmount: DecimalText,
    apy: DecimalText,
    cumulativeInterestEarned: DecimalText,
    cumulativeInterestEarnedUsd: DecimalText,
    cumulativeInterestEarnedSol: DecimalText,
    interestEarnedPerSecond: DecimalText,
    interestEarnedPerSecondUsd: DecimalText,
    interestEarnedPerSecondSol: DecimalText,
  },
  { title: 'UserVaultPoint' },
);

export const UserEarnTotalsPoint = Type.Object(
  {
    createdOn: IsoInstant,
    usdAmount: DecimalText,
    solAmount: DecimalText,
    weightedApy: DecimalText,
    cumulativeInterestEarnedUsd: DecimalText,
    cumulativeInterestEarnedSol: DecimalText,
    interestEarnedPerSecondUsd: DecimalText,
    interestEarnedPerSecondSol: DecimalText,
  },
  { title: 'UserEarnTotalsPoint' },
);

const TriAmount = Type.Object(
  { usd: DecimalText, sol: DecimalText, token: DecimalText },
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
    position: DecimalText,
    quantity: DecimalText,
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
