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
import { samplePrice, sampleSharePrices, usdPerShare } from '@tidegate/core/views/series';
import {
  type FarmEventKind,
  type FarmEventToken,
  type FarmUserEventKind,
  farmEventAmount,
  farmEventInstructions,
  resolveFarmEventToken,
  sampleCollateralPrice,
} from '@tidegate/core/views/transactions';
import { farmEventKinds } from '../../../history/event-kinds.ts';
import { readSamplesBegin } from '../../../history/queries/event-coverage.ts';
import type { HistoryReader } from '../../../history/queries/history-reader.ts';
import { readPointAsOf } from '../../../history/queries/time-series.ts';
import type { EventRow } from '../../../history/schema/event-tables.ts';
import { formatSeriesRatio } from '../../decimal-format/series-decimals.ts';
import { readFarmPurposes } from '../../farm-purposes/farm-purposes.ts';
import { missingPrice } from '../../history-query/complete-history.ts';
import {
  createHistoricalPriceLookup,
  type HistoricalPriceLookup,
} from '../../history-query/historical-price-lookup.ts';

const isUserKind = (kind: FarmEventKind): kind is FarmUserEventKind =>
  Object.hasOwn(farmEventInstructions, kind);

/** Numbers of the events of users. */
export const farmUserEventKinds = farmEventKinds.flatMap((kind, number) =>
  isUserKind(kind) ? [number] : [],
);

/**
 * Omits events whose token is unknown because the farm was closed. Throws HISTORY_INCOMPLETE for an event from before
 * the first sample.
 */
export async function farmTransactionsJson(
  rows: readonly EventRow<'farmEvent'>[],
  reader: ClusterReader,
  history: HistoryReader,
) {
  const purposes = readFarmPurposes(reader);
  const readPrice = createPriceReader(history);
  const since = await readSamplesBegin(history);
  const transactions = [];
  for (const row of rows) {
    const kind = farmEventKinds[row.kind];
    const purpose = purposes.get(row.farm) ?? { kind: 'token' };
    if (kind === undefined || !isUserKind(kind)) continue;
    const { mint, amount, farm } = row;
    const token = resolveFarmEventToken({ kind, mint }, reader.farm(farm)?.fields, purpose);
    if (token === undefined) continue;
    const tokens = farmEventAmount({ kind, amount }, token);
    const price = await readPrice(row, token);
    if (price.numerator === 0n && row.at < (since?.unix ?? 0n)) {
      throw missingPrice(`the farm ${farm}`, token.mint, row.at);
    }
    transactions.push({
      createdOn: formatInstant(row.at),
      transactionSignature: encodeBase58(row.signature),
      instruction: farmEventInstructions[kind],
      tokenAmount: formatSeriesRatio(tokens),
      usdAmount: formatSeriesRatio(mulRatio(tokens, price)),
      farm,
      token: token.mint,
    });
  }
  return transactions;
}

/** USD price of one unit of an event's amount at the time of the event; zero if unknown. */
function createPriceReader(history: HistoryReader) {
  const lookup = createHistoricalPriceLookup(history);
  return async (
    { at, priceSf }: EventRow<'farmEvent'>,
    { mint, pricing }: FarmEventToken,
  ): Promise<Ratio> => {
    switch (pricing.kind) {
      case 'token':
        return priceSf === null ? await lookup.priceAt(mint, at) : samplePrice(priceSf);
      case 'debt':
        return await lookup.priceAt(mint, at);
      case 'shares':
        return await readSharePrice(lookup, pricing.vault, at);
      case 'collateral':
        return await readCollateralPrice(history, pricing.reserve, at);
    }
  };
}

async function readSharePrice(
  lookup: HistoricalPriceLookup,
  vault: Address,
  at: UnixSeconds,
): Promise<Ratio> {
  const row = await lookup.sharesAt(vault, at);
  return row === undefined ? ZERO_RATIO : usdPerShare(sampleSharePrices(row));
}

async function readCollateralPrice(
  history: HistoryReader,
  reserve: Address,
  at: UnixSeconds,
): Promise<Ratio> {
  for (const resolution of ['minute', 'hour'] as const) {
    const series = { kind: 'reserve', resolution, subject: reserve } as const;
    const point = await readPointAsOf(history, series, at);
    if (point !== undefined) return sampleCollateralPrice(point);
  }
  return ZERO_RATIO;
}
