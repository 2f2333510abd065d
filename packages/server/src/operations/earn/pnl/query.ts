import { type Address, toUnixSeconds, type UnixSeconds, ZERO_RATIO } from '@tidegate/core/base';
import { WRAPPED_SOL_MINT } from '@tidegate/core/protocol/spl';
import type { PriceAge } from '@tidegate/core/views/lending';
import { sampleSharePrices } from '@tidegate/core/views/series';
import { addMissingPurchases, shareTradeKinds } from '@tidegate/core/views/transactions';
import {
  computeVaultSnapshot,
  type SharePrices,
  type ShareTrade,
  trackPrices,
  type VaultPnl,
  viewVaultPnl,
} from '@tidegate/core/views/vaults';
import type { Cluster } from '../../../clusters/served-clusters.ts';
import { vaultEventKinds } from '../../../history/event-kinds.ts';
import { readEventPages } from '../../../history/queries/event-pages.ts';
import type { HistoryReader } from '../../../history/queries/history-reader.ts';
import { enrichVaultEvents, type VaultEventRow } from '../../../support/events/vault-events.ts';
import { readVaultTokenInfo } from '../../../support/events/vault-token-info.ts';
import { missingPrice, requireShareHistory } from '../../../support/history/complete-history.ts';
import {
  createHistoricalPriceLookup,
  type HistoricalPriceLookup,
} from '../../../support/history/historical-price-lookup.ts';
import { requireReadable } from '../../../support/pricing/data-notes.ts';
import {
  requireTokenPrice,
  type VaultPricingCache,
} from '../../../support/pricing/vault-pricing-cache.ts';

type PnlQuery = {
  readonly wallet: Address;
  readonly vault: Address;
  /** Exclusive; undefined for now. */
  readonly end: UnixSeconds | undefined;
};

type PnlSource = {
  readonly cluster: Cluster;
  readonly history: HistoryReader;
  readonly pricingOf: VaultPricingCache;
};

type ValuedPnl = {
  readonly pnl: VaultPnl;
  /** Of the current prices behind the figures. */
  readonly priceAges: readonly PriceAge[];
};

/** From the first trade to the end. Zero for an unknown vault and for a wallet that never had shares. */
export async function readUserVaultPnl(source: PnlSource, query: PnlQuery): Promise<ValuedPnl> {
  const { cluster, history } = source;
  await requireShareHistory(cluster, query.wallet, query.vault);
  const lookup = createHistoricalPriceLookup(history);
  const tokenInfo = (await readVaultTokenInfo(cluster, history, [query.vault])).get(query.vault);
  const trades = tokenInfo === undefined ? [] : await readShareTrades(source, query, lookup);
  const { prices, priceAges } = await readPricesAtEnd(source, query, lookup);
  const lastTradeAt = trades.at(-1)?.at ?? toUnixSeconds(0n);
  const end = query.end ?? cluster.reader.at().unix;
  // the newest trade can be ahead of the cluster state
  const at = end > lastTradeAt ? end : lastTradeAt;
  const pnl = viewVaultPnl(trades, { at, prices }, BigInt(tokenInfo?.sharesDecimals ?? 0));
  return { pnl, priceAges };
}

const tradeKinds = vaultEventKinds.flatMap((kind, i) =>
  shareTradeKinds[kind] === undefined ? [] : [i],
);

async function readShareTrades(
  { cluster, history }: PnlSource,
  { wallet, vault, end }: PnlQuery,
  lookup: HistoricalPriceLookup,
): Promise<readonly ShareTrade[]> {
  const rows: VaultEventRow[] = [];
  const pages = readEventPages(history, {
    ...({ table: 'vaultEvent', subject: 'wallet', address: wallet } as const),
    order: 'oldest first',
    kinds: tradeKinds,
    ...(end === undefined ? {} : { to: end }),
  });
  for await (const page of pages) rows.push(...page.filter((row) => row.vault === vault));
  const tokenInfo = await readVaultTokenInfo(cluster, history, [vault]);
  const events = await enrichVaultEvents(rows, tokenInfo, lookup);
  const trades = events.flatMap(({ row, kind: eventKind, prices }): ShareTrade[] => {
    const kind = shareTradeKinds[eventKind];
    if (kind === undefined || row.sharesAmount === null || row.sharesAmount === 0n) return [];
    requirePrices(prices, { wallet, vault, at: row.at });
    return [{ at: row.at, kind, shares: row.sharesAmount, prices }];
  });
  return addMissingPurchases(trades);
}

type TradePlace = { readonly wallet: Address; readonly vault: Address; readonly at: UnixSeconds };

/** Throws if a price of a trade is not known: the figure would miss the trade. */
function requirePrices(prices: SharePrices, { wallet, vault, at }: TradePlace): void {
  const what = `the shares of ${wallet} in the vault ${vault}`;
  if (prices.tokensPerShare.numerator === 0n) throw missingPrice(what, 'a share', at);
  if (prices.tokenPrice.numerator === 0n) throw missingPrice(what, 'the token', at);
  if (prices.solPrice.numerator === 0n) throw missingPrice(what, 'SOL', at);
}

/** Current prices without an end, else those of the last sample before it. */
async function readPricesAtEnd(
  { cluster, pricingOf }: PnlSource,
  { vault: address, end }: PnlQuery,
  lookup: HistoricalPriceLookup,
): Promise<{ readonly prices: SharePrices; readonly priceAges: readonly PriceAge[] }> {
  const { reader } = cluster;
  if (end === undefined) {
    const pricing = pricingOf(cluster);
    const tracked = trackPrices(pricing);
    const vault = reader.vault(address);
    requireReadable(reader, address);
    if (vault !== undefined) {
      const prices = {
        tokensPerShare: computeVaultSnapshot(vault, pricing).tokensPerShare,
        tokenPrice: requireTokenPrice(tracked, vault.fields.tokenMint),
        solPrice: requireTokenPrice(tracked, WRAPPED_SOL_MINT),
      };
      return { prices, priceAges: tracked.priceAges() };
    }
  }
  const row = await lookup.sharesAt(address, end ?? reader.at().unix);
  return { prices: row === undefined ? NO_PRICES : sampleSharePrices(row), priceAges: [] };
}

const NO_PRICES: SharePrices = {
  tokensPerShare: ZERO_RATIO,
  tokenPrice: ZERO_RATIO,
  solPrice: ZERO_RATIO,
};
