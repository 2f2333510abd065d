import { median } from '../compare/median.ts';
import type { IngestRates } from './ingest-rate.ts';
import { medianTime, ratiosOf, type Times } from './interleaved-timing.ts';
import type { StorageSize } from './storage-size.ts';

/** What is told in one row. */
export type ReportRow = {
  readonly what: string;
  readonly value: string;
  readonly against?: string;
  readonly ratios?: readonly number[];
  readonly bound?: string;
  /** Undefined where nothing is bound. */
  readonly isHeld?: boolean;
};

type Bound = { readonly least: number } | { readonly most: number };

export function toTableRow({ what, value, against = '', ratios, bound = '', isHeld }: ReportRow) {
  return {
    what,
    value,
    against,
    ratio: ratios === undefined ? '' : digits(median(ratios)),
    'lowest, highest':
      ratios === undefined ? '' : `${digits(Math.min(...ratios))}, ${digits(Math.max(...ratios))}`,
    bound: isHeld === false ? `${bound} NOT HELD` : bound,
  };
}

export function ingestRow({ rows, ours, plain }: IngestRates): ReportRow {
  return {
    what: `append ${rows} rows`,
    value: `${median(ours).toFixed(0)} rows/s`,
    against: `plain INSERT ${median(plain).toFixed(0)} rows/s`,
    ratios: ours.map((perSecond, round) => perSecond / (plain[round] ?? Number.NaN)),
  };
}

type Compared = {
  readonly what: string;
  readonly times: Times;
  readonly one: string;
  readonly other: string;
  readonly bound?: Bound;
};

/** How many times as fast the one is as the other, or, where a bound says how slow it may be, as slow. */
export function readRow({ what, times, one, other, bound }: Compared): ReportRow {
  const isSlowness = bound !== undefined && 'most' in bound;
  const ratios = isSlowness ? ratiosOf(times, one, other) : ratiosOf(times, other, one);
  const ratio = median(ratios);
  return {
    what,
    value: `${digits(medianTime(times, one))} ms`,
    against: `${other} ${digits(medianTime(times, other))} ms`,
    ratios,
    ...(bound === undefined ? {} : held(ratio, bound)),
  };
}

function held(ratio: number, bound: Bound): Pick<ReportRow, 'bound' | 'isHeld'> {
  if ('least' in bound) return { bound: `≥ ${bound.least}`, isHeld: ratio >= bound.least };
  return { bound: `≤ ${bound.most}`, isHeld: ratio <= bound.most };
}

export const storageRows = ({
  reserveYear,
  event,
  transaction,
  state,
}: StorageSize): ReportRow[] => [
  { what: 'a year of a reserve, hours and days', value: `${reserveYear.toFixed(0)} bytes` },
  { what: 'an event', value: `${event.toFixed(0)} bytes` },
  { what: 'its transaction as the node told it', value: `${transaction.toFixed(0)} bytes` },
  { what: 'a state of a position', value: `${state.toFixed(0)} bytes` },
];

const digits = (value: number): number => Number(value.toPrecision(3));
