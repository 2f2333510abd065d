import { createHash } from 'node:crypto';
import {
  type Address,
  bucketStart,
  intersectRanges,
  isEmptyRange,
  type Ratio,
  type TimeRange,
  toUnixSeconds,
} from '@tidegate/core/base';
import type { UserSharesChange, UserVaultPoint } from '@tidegate/core/views/series';
import type { HistoryReader } from '../../history/queries/history-reader.ts';
import { readSeriesSpan, type SeriesSpan } from '../../history/queries/time-series.ts';
import type { HistoryPoints } from '../history/define-history.ts';
import { alignToChunks, EMPTY_SERIES_SPAN, labelledSpan } from '../history/history-chunk-cache.ts';
import { readShareHistory, type ShareHistoryQuery, type TimedPoint } from './share-history.ts';

type SharePoint = TimedPoint<UserVaultPoint>;

type ShareSeriesQuery = ShareHistoryQuery & {
  readonly vault: Address;
  readonly itemOf: (point: SharePoint) => string;
};

/**
 * The shares of a wallet in a vault as a series of chunks. Points depend on all changes before them, so that the changes
 * are part of the name. Points of whole chunks are computed, also those outside of the range.
 */
export async function openShareSeries(
  history: HistoryReader,
  { vault, itemOf, ...query }: ShareSeriesQuery,
): Promise<HistoryPoints<SharePoint>> {
  const { env, wallet, frequency } = query;
  // before the points, which may be newer
  const span = await readSeriesSpan(history, { kind: 'vault', resolution: 'hour', subject: vault });
  const labelled = span === undefined ? EMPTY_SERIES_SPAN : spanOfPoints(span, frequency);
  const range = computedRange(query, labelled);
  const { changes, points, present } = await readShareHistory(history, vault, { ...query, range });
  const now = query.present?.at;
  const current = now === undefined || present === undefined ? [] : [itemOf([now, present])];
  return {
    present: () => ({ items: current }),
    series: {
      name: `${env} shares ${frequency} ${wallet} ${hashOf(changes)}`,
      subject: vault,
      frequency,
      span: labelled,
      async *read({ start, end }) {
        yield points.filter(([at]) => at >= start && at < end);
      },
      timeOf: ([at]) => at,
      itemsOf: (rows) => rows.map(itemOf),
    },
  };
}

/** The point of a day is that of its last hour, also if the first sample is later than the start of the day. */
const spanOfPoints = ({ first, newest }: SeriesSpan, frequency: 'hour' | 'day'): SeriesSpan =>
  labelledSpan({ first: bucketStart(first, frequency), newest }, frequency);

/**
 * Whole chunks, up to the newest sample. A range with the current state ends now: that state continues from the last
 * complete hour, as in the totals of a wallet.
 */
function computedRange(
  { range, frequency, present }: ShareHistoryQuery,
  { newest }: SeriesSpan,
): TimeRange {
  if (isEmptyRange(range)) return range;
  const chunks = alignToChunks(range, frequency);
  if (present !== undefined) return { start: chunks.start, end: range.end };
  const end = toUnixSeconds(newest.unix + 1n);
  return intersectRanges(chunks, { start: chunks.start, end });
}

function hashOf(changes: readonly UserSharesChange[]): string {
  const hash = createHash('sha256');
  for (const { slot, at, shares, tokensPerShare } of changes) {
    hash.update(`${slot} ${at} ${shares} ${textOf(tokensPerShare)};`);
  }
  return hash.digest('base64url');
}

const textOf = (value: Ratio | undefined): string =>
  value === undefined ? '' : `${value.numerator}/${value.denominator}`;
