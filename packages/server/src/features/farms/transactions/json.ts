import {
  type Address,
  encodeBase58,
  formatInstant,
  mulRatio,
  type Ratio,
  type UnixSeconds,
  ZERO_RATIO,
} from '@tidegate/core/base';
import type { ClusterReader } from '@tidegate/core/state';
import { farmPurposes } from '@tidegate/core/views/portfolio';
import { samplePrice, sampleSharePrices, usdPerShare } from '@tidegate/core/views/series';
import {
  type FarmEventToken,
  farmEventAmount,
  farmEventInstructions,
  farmEventKinds,
  resolveFarmEventToken,
  sampleCollateralPrice,
} from '@tidegate/core/views/transactions';
import type { HistoryReader } from '../../../history/queries/history-reader.ts';
import { readPointAsOf } from '../../../history/queries/time-series.ts';
import type { EventRow } from '../../../history/schema/event-tables.ts';
import { formatSeriesRatio } from '../../decimal-format/series-decimals.ts';
import {
  createHistoricalPriceLookup,
  type HistoricalPriceLookup,
} from '../../history-query/historical-price-lookup.ts';

/** Events of farms of which nothing is known any more are left out. */
export async function enrichFarmEvents(
  rows: readonly EventRow<'farmEvent'>[],
  reader: ClusterReader,
  history: HistoryReader,
) {
  const reserves = reader.markets().flatMap(({ address }) => reader.reservesOf(address));
  const purposes = farmPurposes({ reserves, vaults: reader.vaults() });
  const worth = createWorth(history);
  const told = [];
  for (const row of rows) {
    const kind = farmEventKinds[row.kind];
    const purpose = purposes.get(row.farm) ?? { kind: 'token' };
    if (kind === undefined) continue;
    const { mint, amount, farm } = row;
    const token = resolveFarmEventToken({ kind, mint }, reader.farm(farm)?.fields, purpose);
    if (token === undefined) continue;
    const tokens = farmEventAmount({ kind, amount }, token);
    told.push({
      createdOn: formatInstant(row.at),
      transactionSignature: encodeBase58(row.signature),
      instruction: farmEventInstructions[kind],
      tokenAmount: formatSeriesRatio(tokens),
      usdAmount: formatSeriesRatio(mulRatio(tokens, await worth(row, token))),
      farm,
      token: token.mint,
    });
  }
  return told;
}

/** USD for a whole one of what the amount is counted in, at the time; zero where nobody knows. */
function createWorth(history: HistoryReader) {
  const past = createHistoricalPriceLookup(history);
  return async ({ at, priceSf }: EventRow<'farmEvent'>, { mint, worth }: FarmEventToken) => {
    switch (worth.kind) {
      case 'token':
        return priceSf === null ? await past.priceAt(mint, at) : samplePrice(priceSf);
      case 'debt':
        return await past.priceAt(mint, at);
      case 'shares':
        return await sharePriceAt(past, worth.vault, at);
      case 'collateral':
        return await collateralPriceAt(history, worth.reserve, at);
    }
  };
}

async function sharePriceAt(
  past: HistoricalPriceLookup,
  vault: Address,
  at: UnixSeconds,
): Promise<Ratio> {
  const row = await past.sharesAt(vault, at);
  return row === undefined ? ZERO_RATIO : usdPerShare(sampleSharePrices(row));
}

async function collateralPriceAt(
  history: HistoryReader,
  reserve: Address,
  at: UnixSeconds,
): Promise<Ratio> {
  for (const resolution of ['minute', 'hour'] as const) {
    const point = await readPointAsOf(
      history,
      { kind: 'reserve', resolution, subject: reserve },
      at,
    );
    if (point !== undefined) return sampleCollateralPrice(point);
  }
  return ZERO_RATIO;
}
