import {
  bytesToHex,
  type ChainTime,
  encodeBase58,
  type TimeRange,
  toUnixSeconds,
  type UnixSeconds,
} from '@tidegate/core/base';
import { CodedError } from '../../errors.ts';
import { readEventsFrom } from '../../history/queries/event-coverage.ts';
import type { EventPageQuery } from '../../history/queries/event-pages.ts';
import type { HistoryReader } from '../../history/queries/history-reader.ts';
import { readRawTransactionsBySignature } from '../../history/queries/raw-transactions.ts';
import type { EventTable } from '../../history/schema/event-tables.ts';
import { parseTimeRange } from '../../http/time-range-parameters.ts';
import { parsePageToken } from './event-page-token.ts';

type EventPageParameters = {
  readonly start?: string | number | undefined;
  readonly end?: string | number | undefined;
  readonly paginationToken?: string | undefined;
};

/** Time range and cursor of a request body. Without an end, the range has no upper bound. */
export function parseEventPageQuery(
  { start, end, paginationToken }: EventPageParameters,
  now: UnixSeconds,
): Pick<EventPageQuery<EventTable>, 'from' | 'to' | 'after'> {
  const parsed = parseTimeRange({ start: toText(start), end: toText(end) }, { now });
  if ('issues' in parsed) throw new CodedError('INVALID_BODY', { issues: parsed.issues });
  const after = parsePageToken(paginationToken, 'INVALID_BODY');
  const { range } = parsed;
  return {
    from: range.start,
    ...(end === undefined ? {} : { to: range.end }),
    ...(after === undefined ? {} : { after }),
  };
}

/**
 * Limits a page to the time whose events are all recorded; `x-gaps` names the rest. `since`: the last slot from before
 * the events of this kind were recorded.
 */
export async function limitToRecorded<Query extends Pick<EventPageQuery<EventTable>, 'from'>>(
  history: HistoryReader,
  query: Query,
  since?: ChainTime,
): Promise<Query> {
  const begin = await readEventsFrom(history);
  const from = since === undefined || since.unix < begin ? begin : toUnixSeconds(since.unix + 1n);
  return (query.from ?? 0n) >= from ? query : { ...query, from };
}

/** Time range that the events of a page can be in. */
export const timeRangeOfPage = (
  { from, to }: Pick<EventPageQuery<EventTable>, 'from' | 'to'>,
  now: UnixSeconds,
): TimeRange => ({ start: from ?? toUnixSeconds(0n), end: to ?? toUnixSeconds(now + 1n) });

const toText = (value: string | number | undefined): string | undefined =>
  value === undefined ? undefined : String(value);

/** RPC responses by base58 signature; undefined after the raw transaction was pruned. */
export async function readRawTransactionJson(
  history: HistoryReader,
  signatures: readonly Uint8Array[],
): Promise<(signature: string) => string | undefined> {
  const raw = await readRawTransactionsBySignature(history, signatures);
  const jsonBySignature = new Map(
    signatures.map((bytes) => [encodeBase58(bytes), raw.get(bytesToHex(bytes))]),
  );
  return (signature) => jsonBySignature.get(signature);
}
