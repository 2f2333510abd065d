import type { Address } from '@tidegate/core/base';
import type { UserSharesChange } from '@tidegate/core/views/series';
import { totalShares } from '@tidegate/core/views/vaults';
import type { HistoryReader } from '../../history/queries/history-reader.ts';
import { readTradeRates, type TradesQuery } from '../../history/queries/vault-trades.ts';
import type { StateRow } from '../../history/schema/event-tables.ts';

type TradeRates = ReadonlyMap<string, UserSharesChange['tokensPerShare']>;

const rateKey = (vault: Address, slot: bigint): string => `${vault} ${slot}`;

/**
 * Tokens per share at each purchase and sale of the wallet for tokens. Shares that moved without tokens, in a transfer or
 * for cTokens, earn as before: their published price does not include accrued fees.
 */
export async function readRates(history: HistoryReader, query: TradesQuery): Promise<TradeRates> {
  const rows = await readTradeRates(history, query);
  return new Map(
    rows.map(({ vault, slot, tokensPerShare }) => [
      rateKey(vault, slot),
      tokensPerShare ?? undefined,
    ]),
  );
}

export const toChanges = (
  holdings: readonly StateRow<'vaultHolding'>[],
  rates: TradeRates,
): readonly UserSharesChange[] =>
  holdings.map(({ vault, slot, at, ...shares }) => ({
    slot,
    at,
    shares: totalShares(shares),
    tokensPerShare: rates.get(rateKey(vault, slot)),
  }));
