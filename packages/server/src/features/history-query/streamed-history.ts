import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type TSchema, Type } from 'typebox';
import { matchesEtag } from '../../http/cache/etag.ts';

/** A serialized response: complete, or a stream if it is long. Undefined for a 304. */
export type StreamedJson = Buffer | Readable | undefined;

/** Documents a response that is serialized already. */
export const streamedJsonSchema = (schema: TSchema) => Type.Unsafe<StreamedJson>(schema);

export type StreamedHistory = {
  /** Quoted; the same for all encodings. */
  readonly etag: string;
  /** JSON before and after the items. */
  readonly prefix: string;
  readonly suffix: string;
  /** JSON items, each preceded by a comma. */
  readonly items: AsyncIterable<Buffer>;
};

/** Appends the items of the current state, as JSON. */
export async function* withPresent(
  items: AsyncIterable<Buffer>,
  present: readonly string[],
): AsyncGenerator<Buffer> {
  yield* items;
  for (const item of present) yield Buffer.from(`,${item}`);
}

/** Longer responses are streamed in parts of about this size. */
const PART_BYTES = 256 * 1024;

/** Time that a slow client has to read a response. */
export const STREAM_TIMEOUT_MS = 300_000;

export async function sendStreamedHistory(
  request: FastifyRequest,
  reply: FastifyReply,
  history: StreamedHistory,
): Promise<StreamedJson> {
  const { etag } = history;
  reply.header('etag', `W/${etag}`).header('cache-control', 'no-cache');
  if (matchesEtag(request.headers['if-none-match'], [etag])) {
    reply.code(304).header('vary', 'accept-encoding');
    return undefined;
  }
  reply.type('application/json; charset=utf-8');
  const parts = createParts(history)[Symbol.asyncIterator]();
  // Await the first part, so that an early failure still becomes an error response.
  const first = await parts.next();
  if (first.done) return Buffer.alloc(0);
  const second = await parts.next();
  if (second.done) return first.value;
  return Readable.from(concat([first.value, second.value], parts), { objectMode: false });
}

async function* concat(
  first: readonly Buffer[],
  rest: AsyncIterable<Buffer> & AsyncIterator<Buffer>,
): AsyncGenerator<Buffer> {
  yield* first;
  yield* rest;
}

/** Joins items to larger parts, which are cheaper to send. */
async function* createParts({ prefix, suffix, items }: StreamedHistory): AsyncGenerator<Buffer> {
  let part: Buffer[] = [Buffer.from(prefix)];
  let size = 0;
  let isFirst = true;
  for await (const bytes of items) {
    if (bytes.length === 0) continue;
    part.push(isFirst ? bytes.subarray(1) : bytes);
    isFirst = false;
    size += bytes.length;
    if (size < PART_BYTES) continue;
    yield Buffer.concat(part);
    part = [];
    size = 0;
  }
  yield Buffer.concat([...part, Buffer.from(suffix)]);
}
