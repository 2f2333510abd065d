import { type Address, type Ratio, ZERO_RATIO } from '@tidegate/core/base';
import { keptPrice, keptTokensPerShare } from '@tidegate/core/views/series';
import { type VaultKind, vaultKinds } from '@tidegate/core/views/transactions';
import { type SharePrices, SOL_MINT } from '@tidegate/core/views/vaults';
import type { EventRow } from '../../history/schema/event-tables.ts';
import type { PastPrices } from '../history-query/historical-price-lookup.ts';
import type { VaultFacts } from './vault-token-info.ts';

export type VaultEventRow = EventRow<'vaultEvent'>;

/** With everything by which it can be told. */
export type ToldVaultEvent = {
  readonly row: VaultEventRow;
  readonly kind: VaultKind;
  readonly facts: VaultFacts;
  readonly prices: SharePrices;
};

/** Events of vaults that are not known, or of kinds that a newer program wrote, are left out. */
export async function tellVaultEvents(
  rows: readonly VaultEventRow[],
  facts: ReadonlyMap<Address, VaultFacts>,
  past: PastPrices,
): Promise<readonly ToldVaultEvent[]> {
  const told: ToldVaultEvent[] = [];
  for (const row of rows) {
    const known = facts.get(row.vault);
    const kind = vaultKinds[row.kind];
    if (known === undefined || kind === undefined) continue;
    told.push({ row, kind, facts: known, prices: await pricesOf(row, known, past) });
  }
  return told;
}

/** What the event was written with; what it lacks, by the snapshots before it. */
async function pricesOf(
  { vault, at, priceSf, solPriceSf, tokensPerShare }: VaultEventRow,
  { mint }: VaultFacts,
  past: PastPrices,
): Promise<SharePrices> {
  return {
    tokensPerShare: tokensPerShare ?? (await lastTokensPerShare(vault, at, past)),
    tokenPrice: priceSf === null ? await past.priceAt(mint, at) : keptPrice(priceSf),
    solPrice: solPriceSf === null ? await past.priceAt(SOL_MINT, at) : keptPrice(solPriceSf),
  };
}

async function lastTokensPerShare(
  ...[vault, at, past]: [...Parameters<PastPrices['sharesAt']>, PastPrices]
): Promise<Ratio> {
  const row = await past.sharesAt(vault, at);
  return row === undefined ? ZERO_RATIO : keptTokensPerShare(row);
}
