import { type Address, type Ratio, ZERO_RATIO } from '@tidegate/core/base';
import { samplePrice, sampleTokensPerShare } from '@tidegate/core/views/series';
import { type VaultEventKind, vaultEventKinds } from '@tidegate/core/views/transactions';
import { type SharePrices, WRAPPED_SOL_MINT } from '@tidegate/core/views/vaults';
import type { EventRow } from '../../history/schema/event-tables.ts';
import type { HistoricalPriceLookup } from '../history-query/historical-price-lookup.ts';
import type { VaultTokenInfo } from './vault-token-info.ts';

export type VaultEventRow = EventRow<'vaultEvent'>;

/** With everything by which it can be told. */
export type EnrichedVaultEvent = {
  readonly row: VaultEventRow;
  readonly kind: VaultEventKind;
  readonly facts: VaultTokenInfo;
  readonly prices: SharePrices;
};

/** Events of vaults that are not known, or of kinds that a newer program wrote, are left out. */
export async function enrichVaultEvents(
  rows: readonly VaultEventRow[],
  facts: ReadonlyMap<Address, VaultTokenInfo>,
  past: HistoricalPriceLookup,
): Promise<readonly EnrichedVaultEvent[]> {
  const told: EnrichedVaultEvent[] = [];
  for (const row of rows) {
    const known = facts.get(row.vault);
    const kind = vaultEventKinds[row.kind];
    if (known === undefined || kind === undefined) continue;
    told.push({ row, kind, facts: known, prices: await pricesOf(row, known, past) });
  }
  return told;
}

/** What the event was written with; what it lacks, by the snapshots before it. */
async function pricesOf(
  { vault, at, priceSf, solPriceSf, tokensPerShare }: VaultEventRow,
  { mint }: VaultTokenInfo,
  past: HistoricalPriceLookup,
): Promise<SharePrices> {
  return {
    tokensPerShare: tokensPerShare ?? (await lastTokensPerShare(vault, at, past)),
    tokenPrice: priceSf === null ? await past.priceAt(mint, at) : samplePrice(priceSf),
    solPrice:
      solPriceSf === null ? await past.priceAt(WRAPPED_SOL_MINT, at) : samplePrice(solPriceSf),
  };
}

async function lastTokensPerShare(
  ...[vault, at, past]: [...Parameters<HistoricalPriceLookup['sharesAt']>, HistoricalPriceLookup]
): Promise<Ratio> {
  const row = await past.sharesAt(vault, at);
  return row === undefined ? ZERO_RATIO : sampleTokensPerShare(row);
}
