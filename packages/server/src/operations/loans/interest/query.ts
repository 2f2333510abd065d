import {
  type Address,
  bucketStarts,
  type ChainTime,
  intersectRanges,
  isEmptyRange,
  type TimeRange,
  toUnixSeconds,
  type UnixSeconds,
} from '@tidegate/core/base';
import {
  type AccrualTerms,
  accrualTerms,
  NO_ACCRUAL_TERMS,
} from '@tidegate/core/protocol/klend/math';
import type { RulesAt } from '@tidegate/core/protocol/releases';
import { WRAPPED_SOL_MINT } from '@tidegate/core/protocol/spl';
import { type ReserveSnapshot, reservesOfObligation } from '@tidegate/core/views/lending';
import {
  type InterestSample,
  type LoanStateChange,
  samplePrice,
  snapshotHistoricalReserveAt,
} from '@tidegate/core/views/series';
import type { Cluster } from '../../../clusters/served-clusters.ts';
import { CodedError } from '../../../errors.ts';
import type { HistoryReader } from '../../../history/queries/history-reader.ts';
import {
  type ObligationSnapshotRow,
  readObligationSnapshots,
} from '../../../history/queries/obligation-snapshots.ts';
import {
  type ReserveSample,
  readReservesAsOf,
} from '../../../history/queries/reserve-snapshots.ts';
import { readSamplesAsOf } from '../../../history/queries/samples-as-of.ts';

type InterestQuery = {
  readonly market: Address;
  readonly obligation: Address;
  readonly range: TimeRange;
};

type InterestHistory = {
  readonly changes: readonly LoanStateChange[];
  readonly samples: readonly InterestSample[];
};

/** Reads the changes of a loan in a range, with a sample of its reserves at each start of a day. */
export async function readInterestHistory(
  { reader: state }: Cluster,
  history: HistoryReader,
  { market, obligation, range }: InterestQuery,
): Promise<InterestHistory> {
  const states = await readObligationSnapshots(
    history,
    obligation,
    toUnixSeconds(state.at().unix + 1n),
  );
  const recorded = states.find(({ fields }) => fields !== undefined)?.fields;
  const account = recorded ?? state.obligation(obligation)?.fields;
  if (account?.lendingMarket !== market)
    throw new CodedError('NOT_FOUND', { what: 'loan', address: obligation });
  const [first] = states;
  const recordedRange = intersectRanges(range, { start: first?.at ?? range.end, end: range.end });
  if (isEmptyRange(recordedRange)) return { changes: [], samples: [] };
  const terms = accrualTerms(state.market(market)?.fields ?? NO_ACCRUAL_TERMS);
  const source = { history, reserves: reservesOf(states), terms, rulesAt: state.rulesAt };
  const samples = await readInterestSamples(sampleTimes(recordedRange), source);
  const [begin] = samples;
  const before = states.findLastIndex(({ slot }) => begin !== undefined && slot <= begin.slot);
  const during = states.slice(Math.max(before, 0)).filter(({ at }) => at <= recordedRange.end);
  return { changes: await readChanges(during, source), samples };
}

const reservesOf = (states: readonly ObligationSnapshotRow[]): readonly Address[] => [
  ...new Set(states.flatMap(({ fields }) => (fields ? [...reservesOfObligation(fields)] : []))),
];

/** The start, the starts of days after it, and the end. */
const sampleTimes = ({ start, end }: TimeRange): readonly UnixSeconds[] => [
  start,
  ...bucketStarts({ start: toUnixSeconds(start + 1n), end }, 'day'),
  end,
];

type SampleSource = {
  readonly history: HistoryReader;
  readonly reserves: readonly Address[];
  readonly terms: AccrualTerms;
  readonly rulesAt: RulesAt;
};

/** Accrues the reserves to the slot of each change. */
async function readChanges(
  states: readonly ObligationSnapshotRow[],
  source: SampleSource,
): Promise<readonly LoanStateChange[]> {
  const samples = await readReserveSamples(
    states.map(({ at }) => at),
    source,
  );
  return states.map(({ slot, at, fields }, i) => ({
    slot,
    fields,
    reserves: accrueTo({ slot, unix: at }, samples[i] ?? [], source),
  }));
}

/** Skips times without a new reserve sample since the previous time. */
async function readInterestSamples(
  times: readonly UnixSeconds[],
  source: SampleSource,
): Promise<InterestSample[]> {
  const reserveSamples = await readReserveSamples(times, source);
  const solTimes = times.map((at) => ({ subject: WRAPPED_SOL_MINT, at }));
  const prices = await readSamplesAsOf(source.history, 'price', solTimes);
  const samples: InterestSample[] = [];
  for (const [i, rows] of reserveSamples.entries()) {
    const newest = newestOf(rows);
    if (newest === undefined || newest.slot === samples.at(-1)?.slot) continue;
    samples.push({
      ...newest,
      reserves: accrueTo({ slot: newest.slot, unix: newest.at }, rows, source),
      solPrice: samplePrice(prices[i]?.priceSf ?? null),
    });
  }
  return samples;
}

type ReserveSamples = readonly ReserveSample[];

/** For each time, the last sample of each reserve at or before it. */
async function readReserveSamples(
  times: readonly UnixSeconds[],
  { history, reserves }: SampleSource,
): Promise<readonly ReserveSamples[]> {
  const keys = times.flatMap((at) => reserves.map((subject) => ({ subject, at })));
  const found = await readReservesAsOf(history, keys);
  return times.map((_, i) =>
    found.slice(i * reserves.length, (i + 1) * reserves.length).filter((row) => row !== undefined),
  );
}

function newestOf(rows: ReserveSamples): Pick<InterestSample, 'slot' | 'at'> | undefined {
  let newest: ReserveSample | undefined;
  for (const row of rows) if (newest === undefined || row.slot > newest.slot) newest = row;
  return newest && { slot: newest.slot, at: newest.at };
}

function accrueTo(
  time: ChainTime,
  rows: ReserveSamples,
  { terms, rulesAt }: SampleSource,
): ReadonlyMap<Address, ReserveSnapshot> {
  const input = { time, rules: rulesAt(time.slot).lending, ...terms };
  return new Map(rows.map((row) => [row.address, snapshotHistoricalReserveAt(row, input)]));
}
