import {
  type Address,
  bucketStarts,
  CodedError,
  intersectRanges,
  isEmptyRange,
  type Slot,
  type TimeRange,
  toUnixSeconds,
  type UnixSeconds,
} from '@tidegate/core/base';
import { type ReserveSnapshot, reservesOfObligation } from '@tidegate/core/views/lending';
import {
  type InterestSample,
  type LoanStateChange,
  samplePrice,
  snapshotHistoricalReserveAt,
} from '@tidegate/core/views/series';
import { WRAPPED_SOL_MINT } from '@tidegate/core/views/vaults';
import type { Cluster } from '../../../clusters/served-clusters.ts';
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

type Ask = {
  readonly market: Address;
  readonly obligation: Address;
  readonly range: TimeRange;
};

type InterestPast = {
  readonly changes: readonly LoanStateChange[];
  readonly marks: readonly InterestSample[];
};

/** A loan from the start of a range to its end, marked at each start of a day. */
export async function readInterestHistory(
  { reader: state }: Cluster,
  history: HistoryReader,
  { market, obligation, range }: Ask,
): Promise<InterestPast> {
  const states = await readObligationSnapshots(
    history,
    obligation,
    toUnixSeconds(state.at().unix + 1n),
  );
  const named = states.find(({ fields }) => fields !== undefined)?.fields;
  const owner = named?.lendingMarket ?? state.obligation(obligation)?.fields.lendingMarket;
  if (owner !== market) throw new CodedError('NOT_FOUND', { what: 'loan', address: obligation });
  const [first] = states;
  const known = intersectRanges(range, { start: first?.at ?? range.end, end: range.end });
  if (isEmptyRange(known)) return { changes: [], marks: [] };
  const referralFeeBps = state.market(market)?.fields.referralFeeBps ?? 0;
  const parts = { history, reserves: reservesOf(states), referralFeeBps };
  const marks = await readMarks(marksOf(known), parts);
  const [begin] = marks;
  const before = states.findLastIndex(({ slot }) => begin !== undefined && slot <= begin.slot);
  const during = states.slice(Math.max(before, 0)).filter(({ at }) => at < known.end);
  return { changes: await readChanges(during, parts), marks };
}

const reservesOf = (states: readonly ObligationSnapshotRow[]): readonly Address[] => [
  ...new Set(states.flatMap(({ fields }) => (fields ? [...reservesOfObligation(fields)] : []))),
];

/** The start, the starts of days after it, and the end. */
function marksOf({ start, end }: TimeRange): readonly UnixSeconds[] {
  const days = bucketStarts({ start: toUnixSeconds(start + 1n), end }, 'day');
  // a snapshot of the end itself is not in the range
  return [start, ...days, end].map((at, i) => (i === 0 ? at : toUnixSeconds(at - 1n)));
}

type Parts = {
  readonly history: HistoryReader;
  readonly reserves: readonly Address[];
  readonly referralFeeBps: number;
};

/** Reserves are brought to the slot of the change. */
async function readChanges(
  states: readonly ObligationSnapshotRow[],
  parts: Parts,
): Promise<readonly LoanStateChange[]> {
  const sampled = await readSampled(
    states.map(({ at }) => at),
    parts,
  );
  return states.map(({ slot, fields }, i) => ({
    ...{ slot, fields },
    reserves: broughtTo(slot, sampled[i] ?? [], parts),
  }));
}

/** A mark without a snapshot since the one before tells nothing. */
async function readMarks(times: readonly UnixSeconds[], parts: Parts): Promise<InterestSample[]> {
  const sampled = await readSampled(times, parts);
  const asks = times.map((at) => ({ subject: WRAPPED_SOL_MINT, at }));
  const prices = await readSamplesAsOf(parts.history, 'price', asks);
  const marks: InterestSample[] = [];
  for (const [i, rows] of sampled.entries()) {
    const newest = newestOf(rows);
    if (newest === undefined || newest.slot === marks.at(-1)?.slot) continue;
    marks.push({
      ...newest,
      reserves: broughtTo(newest.slot, rows, parts),
      solPrice: samplePrice(prices[i]?.priceSf ?? null),
    });
  }
  return marks;
}

type Sampled = readonly ReserveSample[];

/** For each time the reserves that were known by then. */
async function readSampled(
  times: readonly UnixSeconds[],
  { history, reserves }: Parts,
): Promise<readonly Sampled[]> {
  const asks = times.flatMap((at) => reserves.map((subject) => ({ subject, at })));
  const found = await readReservesAsOf(history, asks);
  return times.map((_, i) =>
    found.slice(i * reserves.length, (i + 1) * reserves.length).filter((row) => row !== undefined),
  );
}

function newestOf(rows: Sampled): Pick<InterestSample, 'slot' | 'at'> | undefined {
  let newest: ReserveSample | undefined;
  for (const row of rows) if (newest === undefined || row.slot > newest.slot) newest = row;
  return newest && { slot: newest.slot, at: newest.at };
}

const broughtTo = (
  slot: Slot,
  rows: Sampled,
  { referralFeeBps }: Parts,
): ReadonlyMap<Address, ReserveSnapshot> =>
  new Map(
    rows.map((row) => [row.address, snapshotHistoricalReserveAt(row, { slot, referralFeeBps })]),
  );
