import {
  bytesToHex,
  CodedError,
  encodeBase58,
  type TimeRange,
  toUnixSeconds,
  type UnixSeconds,
} from '@tidegate/core/base';
import type { EventPageQuery } from '../../history/queries/event-pages.ts';
import type { HistoryReader } from '../../history/queries/history-reader.ts';
import { readRawTransactionsBySignature } from '../../history/queries/raw-transactions.ts';
import type { EventTable } from '../../history/schema/event-tables.ts';
import { parseTimeRange } from '../../http/time-range-parameters.ts';
import { parsePageToken } from './event-page-token.ts';

type Asked = {
  readonly start?: string | number | undefined;
  readonly end?: string | number | undefined;
  readonly paginationToken?: string | undefined;
};

/** The times that a body asks for, and where the page before ended; without an end, up to the newest event. */
export function parseEventPageQuery(
  { start, end, paginationToken }: Asked,
  now: UnixSeconds,
): Pick<EventPageQuery<EventTable>, 'from' | 'to' | 'after'> {
  const parsed = parseTimeRange({ start: textOf(start), end: textOf(end) }, { now });
  if ('issues' in parsed) throw new CodedError('INVALID_BODY', { issues: parsed.issues });
  const after = parsePageToken(paginationToken, 'INVALID_BODY');
  const { range } = parsed;
  return {
    from: range.start,
    ...(end === undefined ? {} : { to: range.end }),
    ...(after === undefined ? {} : { after }),
  };
}

/** The times that such a page can be of. */
export const timeRangeOfPage = (
  { from, to }: Pick<EventPageQuery<EventTable>, 'from' | 'to'>,
  now: UnixSeconds,
): TimeRange => ({ start: from ?? toUnixSeconds(0n), end: to ?? toUnixSeconds(now + 1n) });

const textOf = (given: string | number | undefined): string | undefined =>
  given === undefined ? undefined : String(given);

/** By the text of a signature, where what the node told is still kept. */
export async function readRawTransactionJson(
  history: HistoryReader,
  signatures: readonly Uint8Array[],
): Promise<(signature: string) => string | undefined> {
  const raw = await readRawTransactionsBySignature(history, signatures);
  const texts = new Map(
    signatures.map((bytes) => [encodeBase58(bytes), raw.get(bytesToHex(bytes))]),
  );
  return (signature) => texts.get(signature);
}
