import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type TSchema, Type } from 'typebox';
import { matchesEtag } from '../../http/cache/representation.ts';

/** An answer that is JSON already: as a whole, or in parts if it is long. Nothing if the caller has it. */
export type StreamedJson = Buffer | Readable | undefined;

/** The schema of an answer that comes as JSON. */
export const streamedJsonSchema = (schema: TSchema) => Type.Unsafe<StreamedJson>(schema);

export type StreamedHistory = {
  /** What tells it from any other answer to this request. */
  readonly etag: string;
  /** What stands before and after the items. */
  readonly prefix: string;
  readonly suffix: string;
  /** Items with a comma before each. */
  readonly items: AsyncIterable<Buffer>;
};

/** Longer answers are sent while they are made. */
const WHOLE_BYTES = 256 * 1024;

/** How long a slow caller may take to read one. */
export const STREAM_TIMEOUT_MS = 300_000;

export async function sendStreamedHistory(
  request: FastifyRequest,
  reply: FastifyReply,
  answer: StreamedHistory,
): Promise<StreamedJson> {
  // one tag for all encodings
  const tag = `"${answer.etag}"`;
  reply.header('etag', `W/${tag}`).header('cache-control', 'no-cache');
  if (matchesEtag(request.headers['if-none-match'], [tag])) {
    reply.code(304).header('vary', 'accept-encoding');
    return undefined;
  }
  reply.type('application/json; charset=utf-8');
  const parts = partsOf(answer)[Symbol.asyncIterator]();
  // what fails at once is still told as an error
  const first = await parts.next();
  if (first.done) return Buffer.alloc(0);
  const second = await parts.next();
  if (second.done) return first.value;
  return Readable.from(continued([first.value, second.value], parts), { objectMode: false });
}

async function* continued(
  begun: readonly Buffer[],
  rest: AsyncIterable<Buffer> & AsyncIterator<Buffer>,
): AsyncGenerator<Buffer> {
  yield* begun;
  yield* rest;
}

/** In parts of some size: many small ones cost more to send. */
async function* partsOf({ prefix, suffix, items }: StreamedHistory): AsyncGenerator<Buffer> {
  let part: Buffer[] = [Buffer.from(prefix)];
  let size = 0;
  let isFirst = true;
  for await (const bytes of items) {
    if (bytes.length === 0) continue;
    part.push(isFirst ? bytes.subarray(1) : bytes);
    isFirst = false;
    size += bytes.length;
    if (size < WHOLE_BYTES) continue;
    yield Buffer.concat(part);
    part = [];
    size = 0;
  }
  yield Buffer.concat([...part, Buffer.from(suffix)]);
}
