import { median } from '../compare/median.ts';
import { reportCost } from '../report-cost.ts';
import type { IngestRates } from './ingest-rate.ts';
import { medianTime, ratiosOf, type Times } from './interleaved-timing.ts';
import type { StorageSize } from './storage-size.ts';

/** One row of the report. */
export type ReportRow = {
  readonly label: string;
  readonly value: string;
  readonly against?: string;
  readonly ratios?: readonly number[];
  readonly bound?: string;
  /** Undefined without a bound. */
  readonly isWithinBound?: boolean;
  /** Its work in the table of costs, if it is part of it. */
  readonly cost?: string;
};

/** Of the ratio, or of the time in milliseconds. */
type Bound = { readonly least: number } | { readonly most: number } | { readonly mostMs: number };

export function toTableRow({
  label,
  value,
  against = '',
  ratios,
  bound = '',
  isWithinBound,
}: ReportRow) {
  return {
    what: label,
    value,
    against,
    ratio: ratios === undefined ? '' : digits(median(ratios)),
    'lowest, highest':
      ratios === undefined ? '' : `${digits(Math.min(...ratios))}, ${digits(Math.max(...ratios))}`,
    bound: isWithinBound === false ? `${bound} EXCEEDED` : bound,
  };
}

/** Adds a row to the table of costs. */
export function reportRow(engine: string, row: ReportRow): void {
  const { cost, value, against, ratios = [], bound = '', isWithinBound = true } = row;
  if (cost === undefined) return;
  reportCost({
    work: `${cost}, ${engine}`,
    measured: `${value} (${against}, ratio ${digits(median(ratios))})`,
    budget: bound,
    isWithinBudget: isWithinBound,
  });
}

export function ingestRow({ rows, ours, plain }: IngestRates): ReportRow {
  return {
    label: `append ${rows} rows`,
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
  readonly cost?: string;
};

/** Ratio of speeds, or of times if the bound limits slowness. */
export function readRow({ what, times, one, other, bound, cost }: Compared): ReportRow {
  const isSlowness = bound !== undefined && 'most' in bound;
  const ratios = isSlowness ? ratiosOf(times, one, other) : ratiosOf(times, other, one);
  const ms = medianTime(times, one);
  return {
    label: what,
    value: `${digits(ms)} ms`,
    against: `${other} ${digits(medianTime(times, other))} ms`,
    ratios,
    ...(bound === undefined ? {} : checkBound({ ratio: median(ratios), ms }, bound)),
    ...(cost === undefined ? {} : { cost }),
  };
}

function checkBound(
  { ratio, ms }: { readonly ratio: number; readonly ms: number },
  bound: Bound,
): Pick<ReportRow, 'bound' | 'isWithinBound'> {
  if ('mostMs' in bound)
    return { bound: `≤ ${bound.mostMs} ms`, isWithinBound: ms <= bound.mostMs };
  if ('least' in bound) return { bound: `≥ ${bound.least}`, isWithinBound: ratio >= bound.least };
  return { bound: `≤ ${bound.most}`, isWithinBound: ratio <= bound.most };
}

export const storageRows = ({
  reserveYear,
  event,
  transaction,
  state,
}: StorageSize): ReportRow[] => [
  { label: 'one reserve-year, hours and days', value: `${reserveYear.toFixed(0)} bytes` },
  { label: 'one event', value: `${event.toFixed(0)} bytes` },
  { label: 'its raw transaction', value: `${transaction.toFixed(0)} bytes` },
  { label: 'one position state', value: `${state.toFixed(0)} bytes` },
];

const digits = (value: number): number => Number(value.toPrecision(3));
