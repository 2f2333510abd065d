import { Type } from 'typebox';
import { DecimalString, EpochMillis } from '../../../http/schemas/primitives.ts';

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
