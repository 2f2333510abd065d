import { bytesFromHex, bytesToHex, toSlot, toUnixSeconds } from '@tidegate/core/base';
import { CodedError } from '../../errors.ts';
import type { EventCursor } from '../../history/queries/event-pages.ts';

const TOKEN = /^(\d{1,15})-(\d{1,18})-(\d{1,9})-((?:[0-9a-f]{2}){1,64})-(\d{1,4})$/;

/** Sort key of the last event of a page. New events do not shift the next page. */
const formatPageToken = ({ at, slot, transactionIndex, path, eventIndex }: EventCursor): string =>
  `${at}-${slot}-${transactionIndex}-${bytesToHex(path)}-${eventIndex}`;

export function parsePageToken(
  token: string | undefined,
  code: 'INVALID_QUERY' | 'INVALID_BODY',
): EventCursor | undefined {
  if (token === undefined) return undefined;
  const [, at, slot, transactionIndex, path, eventIndex] = TOKEN.exec(token) ?? [];
  if (at === undefined || slot === undefined || path === undefined) {
    const message = 'paginationToken must be the paginationToken of a previous page';
    const issue = { path: ['paginationToken'], code: 'invalid_string', message };
    throw new CodedError(code, { issues: [issue] });
  }
  return {
    at: toUnixSeconds(BigInt(at)),
    slot: toSlot(BigInt(slot)),
    transactionIndex: Number(transactionIndex),
    path: bytesFromHex(path),
    eventIndex: Number(eventIndex),
  };
}

export type EventPage<Row> = { readonly rows: readonly Row[]; readonly paginationToken?: string };

/** Expects one row more than `limit` when there is a next page. */
export function createEventPage<Row extends EventCursor>(
  rows: readonly Row[],
  limit: number,
): EventPage<Row> {
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  if (rows.length <= limit || last === undefined) return { rows: page };
  return { rows: page, paginationToken: formatPageToken(last) };
}

/** Does not split a transaction between two pages, unless it is longer than a page. */
export function createTransactionPage<Row extends EventCursor & { readonly signature: Uint8Array }>(
  rows: readonly Row[],
  limit: number,
): EventPage<Row> {
  const next = rows[limit];
  if (next === undefined) return createEventPage(rows, limit);
  const isOtherTransaction = ({ signature }: Row) =>
    Buffer.compare(signature, next.signature) !== 0;
  const completeRows = rows.slice(0, limit).findLastIndex(isOtherTransaction) + 1;
  return createEventPage(rows, completeRows === 0 ? limit : completeRows);
}
