import type { RedisReply } from '../redis/redis-connection.ts';
import { malformed } from './header-codec.ts';

export type StreamEntry = { readonly id: string; readonly fields: ReadonlyMap<string, Buffer> };

/** The text of a string reply; undefined for a missing key. */
export const replyText = (reply: RedisReply | undefined): string | undefined =>
  typeof reply === 'string' || Buffer.isBuffer(reply) ? reply.toString() : undefined;

/** Entries of the only stream of an `XREAD`; empty if there are none. */
export function readStreamEntries(reply: RedisReply): StreamEntry[] {
  const [stream] = listOf(reply);
  const [, entries] = listOf(stream);
  return rangeEntries(entries);
}

/** Entries of an `XRANGE` or `XREVRANGE`. */
export function rangeEntries(reply: RedisReply | undefined): StreamEntry[] {
  return listOf(reply).map((entry) => {
    const [id, pairs] = listOf(entry);
    const idText = replyText(id);
    if (idText === undefined) throw malformed('an entry of the stream has no id');
    const values = listOf(pairs);
    const fields = new Map<string, Buffer>();
    for (let i = 0; i < values.length; i += 2) {
      const value = values[i + 1];
      if (Buffer.isBuffer(value)) fields.set(replyText(values[i]) ?? '', value);
    }
    return { id: idText, fields };
  });
}

const listOf = (reply: RedisReply | undefined): readonly RedisReply[] =>
  Array.isArray(reply) ? reply : [];

/** Ids of messages are their positions. */
export const idOfPosition = (position: number): string => `${position}-0`;
export const positionOfId = (id: string): number => Number(id.split('-')[0]);
