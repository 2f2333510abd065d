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
import { reservesOfObligation } from '@tidegate/core/views/lending';
import type {
  ByDay,
  DailyPriceSample,
  DailyReserveSample,
  DailyStakeRateSample,
  ObligationHistoryInput,
} from '@tidegate/core/views/series';
import { WRAPPED_SOL_MINT } from '@tidegate/core/views/vaults';
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

type Days = { readonly from: UnixSeconds; readonly to: UnixSeconds };

/** What there was of an obligation, and of the range the part in which there can be something. */
type FoundPast = { readonly past: ObligationHistoryInput; readonly range: TimeRange };

/** What the days of a range are made from, each series read once; undefined where there is nothing in that market. */
export async function readObligationHistory(
  { reader: state }: Cluster,
  history: HistoryReader,
  asked: ObligationHistoryQuery & { readonly range: TimeRange },
): Promise<FoundPast | undefined> {
  const { market: address, obligation, range, useStakeRates } = asked;
  const states = await readObligationSnapshots(history, obligation, range.end);
  const [first] = states;
  if (first === undefined || !isOf(address, states)) return undefined;
  const known = intersectRanges(range, { start: first.at, end: range.end });
  if (isEmptyRange(known)) return undefined;
  const days = { from: dayBefore(known.start), to: dayBefore(known.end) };
  // asked for at once: one is put together while the next is read
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
  const past = { states, reserves, solPrices, stakeRates, market, slotMs: state.slotMs() };
  return { past, range: known };
}

const dayBefore = (at: UnixSeconds): UnixSeconds => toUnixSeconds(at - DAY_SECONDS);

/** An obligation stays in its market. */
const isOf = (market: Address, states: readonly ObligationSnapshotRow[]): boolean =>
  states.find(({ fields }) => fields !== undefined)?.fields?.lendingMarket === market;

function reservesOf(states: readonly ObligationSnapshotRow[]): ReadonlySet<Address> {
  return new Set(states.flatMap(({ fields }) => (fields ? [...reservesOfObligation(fields)] : [])));
}

const readDays = async (
  history: HistoryReader,
  reserve: Address,
  days: Days,
): Promise<[Address, ByDay<DailyReserveSample>]> => [
  reserve,
  await byDay(readReserveSnapshots(history, { reserve, resolution: 'day' }, days)),
];

const mintsIn = (days: ByDay<DailyReserveSample>): Address[] =>
  [...days.values()].slice(0, 1).map(({ fields }) => fields.liquidity.mintPubkey);

async function readSolPrices(history: HistoryReader, days: Days): Promise<ByDay<DailyPriceSample>> {
  const ask = { kind: 'price', resolution: 'day', subject: WRAPPED_SOL_MINT } as const;
  const rows = await byDay(readSeries(history, ask, days));
  const prices = [...rows].map(([day, { at, priceSf }]): [UnixSeconds, DailyPriceSample] => [
    day,
    { at, price: ratioOfSf(sfFromBits(priceSf)) },
  ]);
  return new Map(prices);
}

function readStakeRates(
  history: HistoryReader,
  mint: Address,
  days: Days,
): Promise<ByDay<DailyStakeRateSample>> {
  const ask = { kind: 'stakeRate', resolution: 'day', subject: mint } as const;
  return byDay(readSeries(history, ask, days));
}

async function byDay<Row extends { readonly bucket: UnixSeconds }>(
  pieces: AsyncIterable<readonly Row[]>,
): Promise<ByDay<Row>> {
  const found = new Map<UnixSeconds, Row>();
  for await (const rows of pieces) for (const row of rows) found.set(row.bucket, row);
  return found;
}
