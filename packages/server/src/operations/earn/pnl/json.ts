import { formatRatio, isEmptyRange, type Ratio, type TimeRange } from '@tidegate/core/base';
import type {
  VaultPnlBreakdown as Breakdown,
  PerCurrency,
  VaultPnl as Pnl,
} from '@tidegate/core/views/vaults';
import type { Static } from 'typebox';
import { toEpochMillis } from '../../../support/decimals/live-decimals.ts';
import { formatSeriesRatio } from '../../../support/decimals/series-decimals.ts';
import type { VaultPnl, VaultPnlBreakdown, VaultPnlHistory } from './schema.ts';

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

const NOTHING: Static<typeof VaultPnlBreakdown> = {
  profitUsd: '0',
  yield: { usd: '0', token: '0' },
  priceUsd: '0',
  averageTokenPrice: null,
  tokenPrice: null,
};

export const vaultPnlBreakdownJson = (
  breakdown: Breakdown | undefined,
): Static<typeof VaultPnlBreakdown> =>
  breakdown === undefined
    ? NOTHING
    : {
        profitUsd: exactDecimal(breakdown.profitUsd),
        yield: {
          usd: exactDecimal(breakdown.yieldUsd),
          token: exactDecimal(breakdown.yieldTokens),
        },
        priceUsd: exactDecimal(breakdown.priceUsd),
        averageTokenPrice: priceOrNull(breakdown.averageTokenPrice),
        tokenPrice: priceOrNull(breakdown.tokenPrice),
      };

/** More digits than an amount of 30 decimals has: the parts add up to the last one. */
const EXACT_DIGITS = 80;

const exactDecimal = (value: Ratio): string => formatRatio(value, EXACT_DIGITS);

const priceOrNull = (price: Ratio): string | null =>
  price.numerator === 0n ? null : formatSeriesRatio(price);
