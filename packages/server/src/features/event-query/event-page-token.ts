import { bytesFromHex, bytesToHex, CodedError, toSlot, toUnixSeconds } from '@tidegate/core/base';
import type { EventCursor } from '../../history/queries/event-pages.ts';

const TOKEN = /^(\d{1,15})-(\d{1,18})-(\d{1,9})-((?:[0-9a-f]{2}){1,64})-(\d{1,4})$/;

/** Where a page ended, by what events are ordered by: what happens since changes nothing about the next one. */
const pageToken = ({ at, slot, place, path, leg }: EventCursor): string =>
  `${at}-${slot}-${place}-${bytesToHex(path)}-${leg}`;

export function parsePageToken(
  token: string | undefined,
  code: 'INVALID_QUERY' | 'INVALID_BODY',
): EventCursor | undefined {
  if (token === undefined) return undefined;
  const [, at, slot, place, path, leg] = TOKEN.exec(token) ?? [];
  if (at === undefined || slot === undefined || path === undefined) {
    const message = 'paginationToken must be one that a page before has given';
    const issue = { path: ['paginationToken'], code: 'invalid_string', message };
    throw new CodedError(code, { issues: [issue] });
  }
  return {
    at: toUnixSeconds(BigInt(at)),
    slot: toSlot(BigInt(slot)),
    place: Number(place),
    path: bytesFromHex(path),
    leg: Number(leg),
  };
}

export type EventPage<Row> = { readonly rows: readonly Row[]; readonly paginationToken?: string };

/** Read one more than is told: it tells whether there is a next page. */
export function createEventPage<Row extends EventCursor>(
  rows: readonly Row[],
  limit: number,
): EventPage<Row> {
  const told = rows.slice(0, limit);
  const last = told.at(-1);
  if (rows.length <= limit || last === undefined) return { rows: told };
  return { rows: told, paginationToken: pageToken(last) };
}

/** The same with whole transactions: one that goes on behind the page is left to the next, unless it is all of it. */
export function createTransactionPage<Row extends EventCursor & { readonly signature: Uint8Array }>(
  rows: readonly Row[],
  limit: number,
): EventPage<Row> {
  const next = rows[limit];
  if (next === undefined) return createEventPage(rows, limit);
  const isOther = ({ signature }: Row) => Buffer.compare(signature, next.signature) !== 0;
  const whole = rows.slice(0, limit).findLastIndex(isOther) + 1;
  return createEventPage(rows, whole === 0 ? limit : whole);
}
