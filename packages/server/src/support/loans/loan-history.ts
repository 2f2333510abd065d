import {
  type Address,
  intersectRanges,
  isEmptyRange,
  ratioOfSf,
  sfFromBits,
  type TimeRange,
  type UnixSeconds,
} from '@tidegate/core/base';
import { WRAPPED_SOL_MINT } from '@tidegate/core/protocol/spl';
import { reservesOfObligation } from '@tidegate/core/views/lending';
import type {
  ByBucket,
  ObligationHistoryInput,
  SampledPrice,
  SampledReserve,
  SampledStakeRate,
  SampleFrequency,
} from '@tidegate/core/views/series';
import type { Cluster } from '../../clusters/served-clusters.ts';
import type { HistoryReader } from '../../history/queries/history-reader.ts';
import type { ObligationSnapshotRow } from '../../history/queries/obligation-snapshots.ts';
import { readReserveSnapshots } from '../../history/queries/reserve-snapshots.ts';
import { readSeries } from '../../history/queries/time-series.ts';
import { bucketsOf } from '../../history/schema/series-tables.ts';

export type LoanHistoryQuery = {
  readonly market: Address;
  /** All states before the end of the range, oldest first. */
  readonly states: readonly ObligationSnapshotRow[];
  readonly frequency: SampleFrequency;
  readonly range: TimeRange;
  readonly useStakeRates: boolean;
};

type BucketRange = { readonly from: UnixSeconds; readonly to: UnixSeconds };

/** The samples of one frequency in a range of buckets. */
type Samples = { readonly frequency: SampleFrequency; readonly buckets: BucketRange };

/** `range` is the part of the requested range since the first snapshot. */
type RecordedObligation = { readonly input: ObligationHistoryInput; readonly range: TimeRange };

/** Reads each series once. Undefined if the obligation has no snapshots in the range or is in another market. */
export async function readLoanHistory(
  { reader: state }: Cluster,
  history: HistoryReader,
  { market: address, states, frequency, range, useStakeRates }: LoanHistoryQuery,
): Promise<RecordedObligation | undefined> {
  const [first] = states;
  if (first === undefined || !isInMarket(address, states)) return undefined;
  const recordedRange = intersectRanges(range, { start: first.at, end: range.end });
  const market = state.market(address);
  if (isEmptyRange(recordedRange) || market === undefined) return undefined;
  const samples = { frequency, buckets: bucketsOf(recordedRange, frequency) };
  // In parallel: rows of one series are decoded while the next is read.
  const [solPrices, ...series] = await Promise.all([
    readSolPrices(history, samples),
    ...[...reservesOf(states)].map((reserve) => readReserve(history, reserve, samples)),
  ]);
  const reserves = new Map(series);
  const mints = new Set([...reserves.values()].flatMap(mintsIn));
  const stakeRates = new Map<Address, ByBucket<SampledStakeRate>>();
  for (const mint of useStakeRates ? mints : []) {
    stakeRates.set(mint, await readStakeRates(history, mint, samples));
  }
  const { rulesAt } = state;
  const slotMs = state.slotMs();
  const input = { frequency, states, reserves, solPrices, stakeRates, market, slotMs, rulesAt };
  return { input, range: recordedRange };
}

/** An obligation cannot change its market, so one snapshot is enough. */
const isInMarket = (market: Address, states: readonly ObligationSnapshotRow[]): boolean =>
  states.find(({ fields }) => fields !== undefined)?.fields?.lendingMarket === market;

function reservesOf(states: readonly ObligationSnapshotRow[]): ReadonlySet<Address> {
  return new Set(states.flatMap(({ fields }) => (fields ? [...reservesOfObligation(fields)] : [])));
}

const readReserve = async (
  history: HistoryReader,
  reserve: Address,
  { frequency: resolution, buckets }: Samples,
): Promise<[Address, ByBucket<SampledReserve>]> => [
  reserve,
  await byBucket(readReserveSnapshots(history, { reserve, resolution }, buckets)),
];

const mintsIn = (samples: ByBucket<SampledReserve>): Address[] =>
  [...samples.values()].slice(0, 1).map(({ fields }) => fields.liquidity.mintPubkey);

export async function readSolPrices(
  history: HistoryReader,
  { frequency: resolution, buckets }: Samples,
): Promise<ByBucket<SampledPrice>> {
  const series = { kind: 'price', resolution, subject: WRAPPED_SOL_MINT } as const;
  const rows = await byBucket(readSeries(history, series, buckets));
  const prices = [...rows].map(([bucket, { at, priceSf }]): [UnixSeconds, SampledPrice] => [
    bucket,
    { at, price: ratioOfSf(sfFromBits(priceSf)) },
  ]);
  return new Map(prices);
}

function readStakeRates(
  history: HistoryReader,
  mint: Address,
  { frequency: resolution, buckets }: Samples,
): Promise<ByBucket<SampledStakeRate>> {
  const series = { kind: 'stakeRate', resolution, subject: mint } as const;
  return byBucket(readSeries(history, series, buckets));
}

async function byBucket<Row extends { readonly bucket: UnixSeconds }>(
  batches: AsyncIterable<readonly Row[]>,
): Promise<ByBucket<Row>> {
  const rowsByBucket = new Map<UnixSeconds, Row>();
  for await (const rows of batches) for (const row of rows) rowsByBucket.set(row.bucket, row);
  return rowsByBucket;
}
