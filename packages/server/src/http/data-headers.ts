import type { FastifyReply } from 'fastify';

/**
 * Headers with which a response says what its data lacks. A cached response stores them.
 *
 * - `x-omitted`: items that a list leaves out, with the reason.
 * - `x-stale-prices`: prices older than the limit of their reserve, with their age.
 * - `x-estimated`: fields that were not computed over their own period.
 * - `x-unmodeled-rules`: active rules of the programs that no figure includes.
 */
const DATA_HEADERS = ['x-omitted', 'x-stale-prices', 'x-estimated', 'x-unmodeled-rules'] as const;

export type DataHeader = (typeof DATA_HEADERS)[number];

/** Sets no header for an empty list. */
export function setDataHeader(
  reply: FastifyReply,
  name: DataHeader,
  items: readonly string[],
): void {
  if (items.length > 0) reply.header(name, items.join(', '));
}

/** Name, value, name, value. */
export function listDataHeaders(reply: FastifyReply): string[] {
  return DATA_HEADERS.flatMap((name) => {
    const value = reply.getHeader(name);
    return value === undefined ? [] : [name, String(value)];
  });
}

/** For a reply whose data is read again. */
export function clearDataHeaders(reply: FastifyReply): void {
  for (const name of DATA_HEADERS) reply.removeHeader(name);
}
