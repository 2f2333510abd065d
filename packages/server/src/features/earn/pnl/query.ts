import {
  type Address,
  isEmptyRange,
  type Ratio,
  type TimeRange,
  toUnixSeconds,
  type UnixSeconds,
  ZERO_RATIO,
} from '@tidegate/core/base';
import { sampleSharePrices } from '@tidegate/core/views/series';
import {
  addMissingPurchases,
  shareTradeKinds,
  vaultEventKinds,
} from '@tidegate/core/views/transactions';
import {
  type PerCurrency,
  type VaultPnl as Pnl,
  type SharePrices,
  type ShareTrade,
  snapshotVault,
  viewVaultPnl,
  WRAPPED_SOL_MINT,
} from '@tidegate/core/views/vaults';
import type { Static } from 'typebox';
import type { Cluster } from '../../../clusters/served-clusters.ts';
import { readEventPages } from '../../../history/queries/event-pages.ts';
import type { HistoryReader } from '../../../history/queries/history-reader.ts';
import { toEpochMillis } from '../../decimal-format/live-decimals.ts';
import { formatSeriesRatio } from '../../decimal-format/series-decimals.ts';
import {
  createHistoricalPriceLookup,
  type HistoricalPriceLookup,
} from '../../history-query/historical-price-lookup.ts';
import type { VaultPricingCache } from '../../pricing/vault-pricing-cache.ts';
import { enrichVaultEvents, type VaultEventRow } from '../../vault-events/vault-events.ts';
import { readVaultTokenInfo } from '../../vault-events/vault-token-info.ts';
import type { VaultPnl, VaultPnlHistory } from '../metrics-history/schema.ts';

type PnlAsk = {
  readonly wallet: Address;
  readonly vault: Address;
  /** Exclusive; undefined for now. */
  readonly end: UnixSeconds | undefined;
};

type PnlSource = {
  readonly cluster: Cluster;
  readonly history: HistoryReader;
  readonly termsOf: VaultPricingCache;
};

/** From the first event on, to the end. Nothing where the vault is not known or the wallet never had shares of it. */
export async function readUserVaultPnl(source: PnlSource, ask: PnlAsk): Promise<Pnl> {
  const { cluster, history } = source;
  const past = createHistoricalPriceLookup(history);
  const facts = (await readVaultTokenInfo(cluster, history, [ask.vault])).get(ask.vault);
  const events = facts === undefined ? [] : await readShareEvents(source, ask, past);
  const prices = await pricesAtEnd(source, ask, past);
  const last = events.at(-1)?.at ?? toUnixSeconds(0n);
  const end = ask.end ?? cluster.reader.at().unix;
  // an event can be known before state has come to its slot
  const at = end > last ? end : last;
  return viewVaultPnl(events, { at, prices }, BigInt(facts?.sharesDecimals ?? 0));
}

const moving = vaultEventKinds.flatMap((kind, i) =>
  shareTradeKinds[kind] === undefined ? [] : [i],
);

async function readShareEvents(
  { cluster, history }: PnlSource,
  { wallet, vault, end }: PnlAsk,
  past: HistoricalPriceLookup,
): Promise<readonly ShareTrade[]> {
  const rows: VaultEventRow[] = [];
  const pages = readEventPages(history, {
    ...({ table: 'vaultEvent', of: 'wallet', address: wallet } as const),
    ...{ order: 'oldest first', kinds: moving },
    ...(end === undefined ? {} : { to: end }),
  });
  for await (const page of pages) rows.push(...page.filter((row) => row.vault === vault));
  const facts = await readVaultTokenInfo(cluster, history, [vault]);
  const told = await enrichVaultEvents(rows, facts, past);
  const events = told.flatMap(({ row, kind, prices }): ShareTrade[] => {
    const move = shareTradeKinds[kind];
    if (move === undefined || row.sharesAmount === null || row.sharesAmount === 0n) return [];
    return [{ at: row.at, kind: move, shares: row.sharesAmount, prices }];
  });
  return addMissingPurchases(events);
}

/** By state where it is now, by the last snapshot where it was. */
async function pricesAtEnd(
  { cluster, termsOf }: PnlSource,
  { vault: address, end }: PnlAsk,
  past: HistoricalPriceLookup,
): Promise<SharePrices> {
  const { reader } = cluster;
  if (end === undefined) {
    const terms = termsOf(cluster);
    const vault = reader.vault(address);
    const now = vault && snapshotVault(vault, terms);
    if (now !== undefined) {
      return {
        tokensPerShare: now.tokensPerShare,
        tokenPrice: now.tokenPrice ?? ZERO_RATIO,
        solPrice: terms.tokens(WRAPPED_SOL_MINT)?.price ?? ZERO_RATIO,
      };
    }
  }
  const row = await past.sharesAt(address, end ?? reader.at().unix);
  return row === undefined ? NO_PRICES : sampleSharePrices(row);
}

const NO_PRICES: SharePrices = {
  tokensPerShare: ZERO_RATIO,
  tokenPrice: ZERO_RATIO,
  solPrice: ZERO_RATIO,
};

export const userVaultPnlJson = ({ totalPnl, totalCostBasis }: Pnl): Static<typeof VaultPnl> => ({
  totalPnl: unitsJson(totalPnl),
  totalCostBasis: unitsJson(totalCostBasis),
});

/** Entries from the start on; the sums go by all of them. */
export const userVaultPnlHistoryJson = (
  pnl: Pnl,
  range: TimeRange,
): Static<typeof VaultPnlHistory> => ({
  history: pnl.history
    .filter(({ at }) => at >= range.start && !isEmptyRange(range))
    .map(({ at, type, position, quantity, ...units }) => ({
      timestamp: toEpochMillis(at),
      type,
      position: formatSeriesRatio(position),
      quantity: formatSeriesRatio(quantity),
      tokenPrice: unitsJson(units.tokenPrice),
      sharePrice: unitsJson(units.sharePrice),
      costBasis: unitsJson(units.costBasis),
      realizedPnl: unitsJson(units.realizedPnl),
      pnl: unitsJson(units.pnl),
      positionValue: unitsJson(units.positionValue),
      investment: unitsJson(units.investment),
    })),
  ...userVaultPnlJson(pnl),
});

const unitsJson = ({ usd, sol, token }: PerCurrency<Ratio>) => ({
  usd: formatSeriesRatio(usd),
  sol: formatSeriesRatio(sol),
  token: formatSeriesRatio(token),
});
