import {
  type Address,
  aprToApyNumber,
  DAY_SECONDS,
  ratioOfSf,
  ratioToNumber,
  type TimeRange,
  toUnixSeconds,
} from '@tidegate/core/base';
import { interestRateBasis, reserveRates } from '@tidegate/core/protocol/klend/math';
import type { ClusterReader } from '@tidegate/core/state';
import { type RatePoint, slotDurations } from '@tidegate/core/views/series';
import type { HistoryReader } from '../../../history/queries/history-reader.ts';
import {
  type ReserveSnapshotRow,
  readReserveSnapshots,
} from '../../../history/queries/reserve-snapshots.ts';
import { bucketSeconds, bucketsOf, bucketTime } from '../../../history/schema/series-tables.ts';

/** The rates of a reserve on full hours. */
export type HourlyRates = {
  /** Ascending. */
  readonly points: readonly RatePoint[];
  /** Those of the days before yesterday, which no later hour changes. */
  readonly past: PackedRates;
};

/** The present time, and how rates follow from an account. */
export type RatesReader = Pick<ClusterReader, 'at' | 'slotMs' | 'rulesAt'>;

export type RatesQuery = {
  readonly history: HistoryReader;
  readonly reader: RatesReader;
  readonly reserve: Address;
};

/**
 * Reads the rates of a range, or only those after `past`. A year takes a quarter of a second of CPU time: most of it for
 * the rows, and for the two APYs of each.
 */
export async function readHourlyRates(
  query: RatesQuery,
  { start, end }: TimeRange,
  past: PackedRates | undefined,
): Promise<HourlyRates> {
  const points = past === undefined ? [] : unpackRates(past).filter(({ at }) => at >= start);
  const last = points.at(-1);
  const since =
    last === undefined ? start : toUnixSeconds(BigInt(dayOf(last.at) + 1) * DAY_SECONDS);
  const read = await readRates(query, { start: since, end });
  for (const point of read) points.push(point);
  const today = dayOf(points.at(-1)?.at ?? 0);
  // a slot of yesterday can still be rolled back
  const isPast = ({ at }: RatePoint) => dayOf(at) < today - 1;
  return { points, past: packRates(points.filter(isPast)) };
}

async function readRates(
  { history, reader, reserve }: RatesQuery,
  range: TimeRange,
): Promise<RatePoint[]> {
  const points: RatePoint[] = [];
  let day: ReserveSnapshotRow[] = [];
  const addDay = () => {
    for (const point of ratePoints(day, reader)) points.push(point);
    day = [];
  };
  const query = { reserve, resolution: 'hour' } as const;
  for await (const rows of readReserveSnapshots(history, query, bucketsOf(range, 'hour'))) {
    for (const row of rows) {
      const [first] = day;
      if (first !== undefined && dayOf(timeOf(first)) !== dayOf(timeOf(row))) addDay();
      day.push(row);
    }
  }
  addDay();
  return points;
}

const timeOf = ({ bucket }: ReserveSnapshotRow): number => Number(bucketTime(bucket, 'hour'));

const dayOf = (at: number): number => Math.floor(at / Number(DAY_SECONDS));

/** The rates of a day as in the history of the reserve, which measures the slot duration per day too. */
function ratePoints(rows: readonly ReserveSnapshotRow[], reader: RatesReader): RatePoint[] {
  const usual = reader.slotMs();
  const durations = slotDurations(rows, bucketSeconds.hour, usual);
  return rows.map((row, i) => {
    const { config, liquidity } = row.fields;
    const basis = interestRateBasis(config, reader.rulesAt(row.slot).lending);
    const rates = reserveRates({ config, liquidity, basis }, durations[i] ?? usual);
    return {
      at: timeOf(row),
      supplyApy: aprToApyNumber(rates.supplyApr),
      borrowApy: aprToApyNumber(rates.borrowApr),
      utilization: ratioToNumber(ratioOfSf(rates.utilization)),
    };
  });
}

/** Four numbers per point: a year takes 280 KB. */
export type PackedRates = Float64Array;

const NUMBERS_PER_POINT = 4;

function packRates(points: readonly RatePoint[]): PackedRates {
  const packed = new Float64Array(points.length * NUMBERS_PER_POINT);
  let index = 0;
  for (const { at, supplyApy, borrowApy, utilization } of points) {
    for (const value of [at, supplyApy, borrowApy, utilization]) packed[index++] = value;
  }
  return packed;
}

function unpackRates(packed: PackedRates): RatePoint[] {
  const points: RatePoint[] = [];
  for (let index = 0; index < packed.length; index += NUMBERS_PER_POINT) {
    points.push({
      at: packed[index] ?? 0,
      supplyApy: packed[index + 1] ?? 0,
      borrowApy: packed[index + 2] ?? 0,
      utilization: packed[index + 3] ?? 0,
    });
  }
  return points;
}
