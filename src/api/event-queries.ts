import { encodeBase58 } from '../base/base58.ts';
import { bytesToHex } from '../base/bytes.ts';
import { CodedError } from '../base/errors.ts';
import { toUnixSeconds, type UnixSeconds } from '../base/time.ts';
import type { EventTable } from '../history/event-tables.ts';
import type { EventsPage } from '../history/queries/position-events.ts';
import { readRawTransactions } from '../history/queries/raw-transactions.ts';
import type { HistoryReader } from '../history/queries/reader.ts';
import { parseTimeRange } from '../views/range-text.ts';
import type { TimeRange } from '../views/time-range.ts';
import { placeOfToken } from './event-pages.ts';

type Asked = {
  readonly start?: string | number | undefined;
  readonly end?: string | number | undefined;
  readonly paginationToken?: string | undefined;
};

/** The times that a body asks for, and where the page before ended; without an end, up to the newest event. */
export function askedPage(
  { start, end, paginationToken }: Asked,
  now: UnixSeconds,
): Pick<EventsPage<EventTable>, 'from' | 'to' | 'after'> {
  const parsed = parseTimeRange({ start: textOf(start), end: textOf(end) }, { now });
  if ('issues' in parsed) throw new CodedError('INVALID_BODY', { issues: parsed.issues });
  const after = placeOfToken(paginationToken, 'INVALID_BODY');
  const { range } = parsed;
  return {
    from: range.start,
    ...(end === undefined ? {} : { to: range.end }),
    ...(after === undefined ? {} : { after }),
  };
}

/** The times that such a page can be of. */
export const rangeOfPage = (
  { from, to }: Pick<EventsPage<EventTable>, 'from' | 'to'>,
  now: UnixSeconds,
): TimeRange => ({ start: from ?? toUnixSeconds(0n), end: to ?? toUnixSeconds(now + 1n) });

const textOf = (given: string | number | undefined): string | undefined =>
  given === undefined ? undefined : String(given);

/** By the text of a signature, where what the node told is still kept. */
export async function readRawJson(
  history: HistoryReader,
  signatures: readonly Uint8Array[],
): Promise<(signature: string) => string | undefined> {
  const raw = await readRawTransactions(history, signatures);
  const texts = new Map(
    signatures.map((bytes) => [encodeBase58(bytes), raw.get(bytesToHex(bytes))]),
  );
  return (signature) => texts.get(signature);
}
