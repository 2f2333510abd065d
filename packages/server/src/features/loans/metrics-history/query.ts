import {
  type Address,
  DAY_SECONDS,
  intersectRanges,
  isEmptyRange,
  ratioOfSf,
  sfFromBits,
  type TimeRange,
  toUnixSeconds,
  type UnixSeconds,
} from '@tidegate/core/base';
import { WRAPPED_SOL_MINT } from '@tidegate/core/protocol/spl';
import { reservesOfObligation } from '@tidegate/core/views/lending';
import type {
  ByDay,
  DailyPriceSample,
  DailyReserveSample,
  DailyStakeRateSample,
  ObligationHistoryInput,
} from '@tidegate/core/views/series';
import type { Cluster } from '../../../clusters/served-clusters.ts';
import type { HistoryReader } from '../../../history/queries/history-reader.ts';
import {
  type ObligationSnapshotRow,
  readObligationSnapshots,
} from '../../../history/queries/obligation-snapshots.ts';
import { readReserveSnapshots } from '../../../history/queries/reserve-snapshots.ts';
import { readSeries } from '../../../history/queries/time-series.ts';

export type ObligationHistoryQuery = {
  readonly market: Address;
  readonly obligation: Address;
  readonly useStakeRates: boolean;
};

type DayRange = { readonly from: UnixSeconds; readonly to: UnixSeconds };

/** `range` is the part of the requested range since the first snapshot. */
type RecordedObligation = { readonly input: ObligationHistoryInput; readonly range: TimeRange };

/** Reads each series once. Undefined if the obligation has no snapshots in the range or is in another market. */
export async function readObligationHistory(
  { reader: state }: Cluster,
  history: HistoryReader,
  query: ObligationHistoryQuery & { readonly range: TimeRange },
): Promise<RecordedObligation | undefined> {
  const { market: address, obligation, range, useStakeRates } = query;
  const states = await readObligationSnapshots(history, obligation, range.end);
  const [first] = states;
  if (first === undefined || !isInMarket(address, states)) return undefined;
  const recordedRange = intersectRanges(range, { start: first.at, end: range.end });
  if (isEmptyRange(recordedRange)) return undefined;
  const days = { from: dayBefore(recordedRange.start), to: dayBefore(recordedRange.end) };
  // In parallel: rows of one series are decoded while the next is read.
  const [solPrices, ...series] = await Promise.all([
    readSolPrices(history, days),
    ...[...reservesOf(states)].map((reserve) => readDays(history, reserve, days)),
  ]);
  const reserves = new Map(series);
  const mints = new Set([...reserves.values()].flatMap(mintsIn));
  const stakeRates = new Map<Address, ByDay<DailyStakeRateSample>>();
  for (const mint of useStakeRates ? mints : []) {
    stakeRates.set(mint, await readStakeRates(history, mint, days));
  }
  const market = state.market(address);
  if (market === undefined) return undefined;
  const input = { states, reserves, solPrices, stakeRates, market, slotMs: state.slotMs() };
  return { input, range: recordedRange };
}

const dayBefore = (at: UnixSeconds): UnixSeconds => toUnixSeconds(at - DAY_SECONDS);

/** An obligation cannot change its market, so one snapshot is enough. */
const isInMarket = (market: Address, states: readonly ObligationSnapshotRow[]): boolean =>
  states.find(({ fields }) => fields !== undefined)?.fields?.lendingMarket === market;

function reservesOf(states: readonly ObligationSnapshotRow[]): ReadonlySet<Address> {
  return new Set(states.flatMap(({ fields }) => (fields ? [...reservesOfObligation(fields)] : [])));
}

const readDays = async (
  history: HistoryReader,
  reserve: Address,
  days: DayRange,
): Promise<[Address, ByDay<DailyReserveSample>]> => [
  reserve,
  await byDay(readReserveSnapshots(history, { reserve, resolution: 'day' }, days)),
];

const mintsIn = (days: ByDay<DailyReserveSample>): Address[] =>
  [...days.values()].slice(0, 1).map(({ fields }) => fields.liquidity.mintPubkey);

async function readSolPrices(
  history: HistoryReader,
  days: DayRange,
): Promise<ByDay<DailyPriceSample>> {
  const series = { kind: 'price', resolution: 'day', subject: WRAPPED_SOL_MINT } as const;
  const rows = await byDay(readSeries(history, series, days));
  const prices = [...rows].map(([day, { at, priceSf }]): [UnixSeconds, DailyPriceSample] => [
    day,
    { at, price: ratioOfSf(sfFromBits(priceSf)) },
  ]);
  return new Map(prices);
}

function readStakeRates(
  history: HistoryReader,
  mint: Address,
  days: DayRange,
): Promise<ByDay<DailyStakeRateSample>> {
  const series = { kind: 'stakeRate', resolution: 'day', subject: mint } as const;
  return byDay(readSeries(history, series, days));
}

async function byDay<Row extends { readonly bucket: UnixSeconds }>(
  batches: AsyncIterable<readonly Row[]>,
): Promise<ByDay<Row>> {
  const byBucket = new Map<UnixSeconds, Row>();
  for await (const rows of batches) for (const row of rows) byBucket.set(row.bucket, row);
  return byBucket;
}
