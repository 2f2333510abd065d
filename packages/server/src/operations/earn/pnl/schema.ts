import { Type } from 'typebox';
import { describe } from '../../../http/schemas/describe.ts';
import { DecimalString, EpochMillis } from '../../../http/schemas/primitives.ts';

const TriAmount = Type.Object(
  {
    usd: describe(DecimalString, 'In USD'),
    sol: describe(DecimalString, 'In SOL'),
    token: describe(DecimalString, 'In whole tokens of the vault'),
  },
  { title: 'TriAmount' },
);

const totals = {
  totalPnl: describe(TriAmount, 'Profit, realized and unrealized'),
  totalCostBasis: describe(TriAmount, 'Average cost of the shares that are still held'),
};

export const VaultPnl = Type.Object(totals, { title: 'VaultPnl' });

const VaultPnlEvent = Type.Object(
  {
    timestamp: describe(EpochMillis, 'Time of the event, epoch ms'),
    type: describe(
      Type.Unsafe<'buy' | 'sell' | 'mark-to-market'>({
        type: 'string',
        enum: ['buy', 'sell', 'mark-to-market'],
      }),
      'Purchase, sale, or valuation at the end of the range',
    ),
    position: describe(DecimalString, 'Shares held after the event, in whole shares'),
    quantity: describe(
      DecimalString,
      'Shares of the event; for mark-to-market, the whole position',
    ),
    tokenPrice: describe(
      TriAmount,
      'USD value of one unit of each denomination: 1, USD per SOL, USD per token',
    ),
    sharePrice: describe(TriAmount, 'Price of a whole share in each denomination'),
    costBasis: describe(TriAmount, 'Average cost of the shares held after the event'),
    realizedPnl: describe(TriAmount, 'Profit of all sales up to the event'),
    pnl: describe(TriAmount, 'Value of the position minus its cost basis, plus realized profit'),
    positionValue: describe(TriAmount, 'Value of the shares held after the event'),
    investment: describe(TriAmount, 'Purchases minus sales up to the event'),
  },
  { title: 'VaultPnlEvent' },
);

export const VaultPnlHistory = Type.Object(
  { history: describe(Type.Array(VaultPnlEvent), 'Oldest first'), ...totals },
  { title: 'VaultPnlHistory' },
);

const BreakdownPart = Type.Object(
  {
    usd: describe(DecimalString, 'In USD'),
    token: describe(DecimalString, 'In whole tokens of the vault'),
  },
  { title: 'VaultYieldPart' },
);

export const VaultPnlBreakdown = Type.Object(
  {
    profitUsd: describe(DecimalString, 'Profit in USD: exactly `yield.usd` plus `priceUsd`'),
    yield: describe(
      BreakdownPart,
      'What the shares earned after fees, in tokens; in USD at the price of each sale, and at the present price for shares that are still held',
    ),
    priceUsd: describe(
      DecimalString,
      'What the price of the token added or took since the purchases',
    ),
    averageTokenPrice: describe(
      Type.Union([DecimalString, Type.Null()]),
      'USD per token at the purchases of the shares that are still held; null without shares',
    ),
    tokenPrice: describe(
      Type.Union([DecimalString, Type.Null()]),
      'USD per token now; null for a wallet that never had shares',
    ),
  },
  { title: 'VaultPnlBreakdown' },
);
