import { isEmptyRange, type Ratio, type TimeRange } from '@tidegate/core/base';
import type { PerCurrency, VaultPnl as Pnl } from '@tidegate/core/views/vaults';
import type { Static } from 'typebox';
import { toEpochMillis } from '../../../support/decimals/live-decimals.ts';
import { formatSeriesRatio } from '../../../support/decimals/series-decimals.ts';
import type { VaultPnl, VaultPnlHistory } from './schema.ts';

export const userVaultPnlJson = ({ totalPnl, totalCostBasis }: Pnl): Static<typeof VaultPnl> => ({
  totalPnl: amountsJson(totalPnl),
  totalCostBasis: amountsJson(totalCostBasis),
});

/** Omits entries before the start of the range; the totals include them. */
export const userVaultPnlHistoryJson = (
  pnl: Pnl,
  range: TimeRange,
): Static<typeof VaultPnlHistory> => ({
  history: pnl.history
    .filter(({ at }) => at >= range.start && !isEmptyRange(range))
    .map(({ at, type, position, quantity, ...amounts }) => ({
      timestamp: toEpochMillis(at),
      type,
      position: formatSeriesRatio(position),
      quantity: formatSeriesRatio(quantity),
      tokenPrice: amountsJson(amounts.tokenPrice),
      sharePrice: amountsJson(amounts.sharePrice),
      costBasis: amountsJson(amounts.costBasis),
      realizedPnl: amountsJson(amounts.realizedPnl),
      pnl: amountsJson(amounts.pnl),
      positionValue: amountsJson(amounts.positionValue),
      investment: amountsJson(amounts.investment),
    })),
  ...userVaultPnlJson(pnl),
});

const amountsJson = ({ usd, sol, token }: PerCurrency<Ratio>) => ({
  usd: formatSeriesRatio(usd),
  sol: formatSeriesRatio(sol),
  token: formatSeriesRatio(token),
});
