import { type Address, type Frequency, formatInstant } from '@tidegate/core/base';
import { NO_ACCRUAL_TERMS } from '@tidegate/core/protocol/klend/math';
import type { ClusterReader } from '@tidegate/core/state';
import { slotDurations, viewReservePoint } from '@tidegate/core/views/series';
import { trackPrices } from '@tidegate/core/views/vaults';
import {
  type PackedReserveRow,
  type ReserveSnapshotRow,
  readReserveRows,
  unpackReserveRow,
} from '../../../history/queries/reserve-snapshots.ts';
import { bucketSeconds, bucketsOf, bucketTime } from '../../../history/schema/series-tables.ts';
import type {
  HistoryPoints,
  PointsRequest,
  PresentPoints,
} from '../../../support/history/define-history.ts';
import { EMPTY_SERIES_SPAN, labelledSpan } from '../../../support/history/history-chunk-cache.ts';
import { presentReserveRow } from '../../../support/history/present-rows.ts';
import { vaultPricingCache } from '../../../support/pricing/vault-pricing-cache.ts';
import { reservePointJson } from './point-json.ts';

type ReserveOfMarket = { readonly market: Address; readonly reserve: Address };

type Request = PointsRequest<ReserveOfMarket, Frequency>;

/** The history of a reserve that is not in the market is empty. */
export async function openReservePoints(
  request: Request,
): Promise<HistoryPoints<PackedReserveRow>> {
  const { cluster, history, frequency, span } = request;
  const { market, reserve } = request.subject;
  const { env, reader } = cluster;
  const isInMarket = reader.reserve(reserve)?.fields.lendingMarket === market;
  const query = { reserve, resolution: frequency };
  return {
    series: {
      name: `${env} reserve ${frequency}`,
      subject: reserve,
      frequency,
      span: isInMarket && span ? labelledSpan(span, frequency) : EMPTY_SERIES_SPAN,
      read: (range) => readReserveRows(history, query, bucketsOf(range, frequency)),
      timeOf: ({ row }) => bucketTime(row.bucket, frequency),
      itemsOf: (rows) => itemsOf(rows.map(unpackReserveRow), frequency, reader),
    },
    present: () => presentPoints(request),
  };
}

/** The current state; empty for a reserve that is not in the market or cannot be priced. */
function presentPoints({ context, cluster, subject, frequency }: Request): PresentPoints {
  const { market, reserve } = subject;
  const { reader } = cluster;
  if (reader.reserve(reserve)?.fields.lendingMarket !== market) return { items: [] };
  const pricing = trackPrices(vaultPricingCache(context)(cluster));
  const row = presentReserveRow(cluster, pricing, { reserve, resolution: frequency });
  const items = row === undefined ? [] : itemsOf([row], frequency, reader);
  return { items, priceAges: pricing.priceAges() };
}

function itemsOf(
  rows: readonly ReserveSnapshotRow[],
  frequency: Frequency,
  reader: ClusterReader,
): readonly string[] {
  const usual = reader.slotMs();
  const durations = slotDurations(rows, bucketSeconds[frequency], usual);
  return rows.map((row, i) => {
    const point = viewReservePoint(row, {
      // A stored row is accrued to its slot: nothing is left for referrers or from rewards.
      time: { slot: row.slot, unix: row.at },
      rules: reader.rulesAt(row.slot).lending,
      ...NO_ACCRUAL_TERMS,
      slotMs: durations[i] ?? usual,
    });
    const timestamp = formatInstant(bucketTime(row.bucket, frequency));
    return `{"timestamp":"${timestamp}","metrics":${reservePointJson(point)}}`;
  });
}
