import { type Address, type Ratio, type UnixSeconds, ZERO_RATIO } from '@tidegate/core/base';
import { WRAPPED_SOL_MINT } from '@tidegate/core/protocol/spl';
import { samplePrice, sampleTokensPerShare } from '@tidegate/core/views/series';
import type { VaultEventKind } from '@tidegate/core/views/transactions';
import type { SharePrices } from '@tidegate/core/views/vaults';
import { vaultEventKinds } from '../../history/event-kinds.ts';
import type { EventRow } from '../../history/schema/event-tables.ts';
import type { HistoricalPriceLookup } from '../history/historical-price-lookup.ts';
import type { VaultTokenInfo } from './vault-token-info.ts';

export type VaultEventRow = EventRow<'vaultEvent'>;

/** Event with the token info and prices that its JSON needs. */
export type EnrichedVaultEvent = {
  readonly row: VaultEventRow;
  readonly kind: VaultEventKind;
  readonly tokenInfo: VaultTokenInfo;
  readonly prices: SharePrices;
};

/** Omits events of unknown vaults and events of kinds that a newer version recorded. */
export async function enrichVaultEvents(
  rows: readonly VaultEventRow[],
  tokenInfoByVault: ReadonlyMap<Address, VaultTokenInfo>,
  lookup: HistoricalPriceLookup,
): Promise<readonly EnrichedVaultEvent[]> {
  const events: EnrichedVaultEvent[] = [];
  for (const row of rows) {
    const tokenInfo = tokenInfoByVault.get(row.vault);
    const kind = vaultEventKinds[row.kind];
    if (tokenInfo === undefined || kind === undefined) continue;
    events.push({ row, kind, tokenInfo, prices: await readPrices(row, tokenInfo, lookup) });
  }
  return events;
}

/** Prices stored with the event; the last sample before it has the missing ones. */
async function readPrices(
  { vault, at, priceSf, solPriceSf, tokensPerShare }: VaultEventRow,
  { mint }: VaultTokenInfo,
  lookup: HistoricalPriceLookup,
): Promise<SharePrices> {
  return {
    tokensPerShare: tokensPerShare ?? (await readTokensPerShare(lookup, vault, at)),
    tokenPrice: priceSf === null ? await lookup.priceAt(mint, at) : samplePrice(priceSf),
    solPrice:
      solPriceSf === null ? await lookup.priceAt(WRAPPED_SOL_MINT, at) : samplePrice(solPriceSf),
  };
}

async function readTokensPerShare(
  lookup: HistoricalPriceLookup,
  vault: Address,
  at: UnixSeconds,
): Promise<Ratio> {
  const row = await lookup.sharesAt(vault, at);
  return row === undefined ? ZERO_RATIO : sampleTokensPerShare(row);
}
