import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type TSchema, Type } from 'typebox';
import { MIN_COMPRESSED_BYTES } from '../../http/cache/cached-response.ts';
import { matchesEtag } from '../../http/cache/etag.ts';
import { acceptsGzip } from '../../http/cache/representation.ts';
import {
  type BodyEncoder,
  type BodyPart,
  GzipEncoder,
  PlainEncoder,
  partLength,
  partText,
} from '../../http/compression/body-encoder.ts';
import { waitForTurn } from './wide-read-turns.ts';

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
  /** JSON items, separated by commas within a part. */
  readonly items: AsyncIterable<BodyPart>;
};

/** Appends the items of the current state, as JSON. */
export async function* withPresent(
  items: AsyncIterable<BodyPart>,
  present: readonly string[],
): AsyncGenerator<BodyPart> {
  yield* items;
  for (const item of present) yield { text: Buffer.from(item) };
}

/** Longer responses are streamed in pieces of about this size before compression. */
const PIECE_BYTES = 256 * 1024;

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
  const body = bodyOf(history);
  const { parts, isAll } = await readBeginning(body);
  if (isAll) return Buffer.concat(parts.map(partText));
  const isGzip = acceptsGzip(request.headers['accept-encoding']);
  const encoder = isGzip ? new GzipEncoder() : new PlainEncoder();
  const pieces = createPieces(concat(parts, body), encoder);
  // Await the first pieces, so that an early failure still becomes an error response.
  const [first, second] = [await pieces.next(), await pieces.next()];
  reply.header('vary', 'accept-encoding');
  if (isGzip) reply.header('content-encoding', 'gzip');
  if (first.done || second.done) return first.value ?? Buffer.alloc(0);
  return Readable.from(concat([first.value, second.value], pieces), { objectMode: false });
}

async function* bodyOf({ prefix, suffix, items }: StreamedHistory): AsyncGenerator<BodyPart> {
  yield { text: Buffer.from(prefix) };
  let isFirst = true;
  for await (const part of items) {
    if (!isFirst) yield COMMA;
    isFirst = false;
    yield part;
  }
  yield { text: Buffer.from(suffix) };
}

const COMMA: BodyPart = { text: Buffer.from(',') };

type Beginning = { readonly parts: readonly BodyPart[]; readonly isAll: boolean };

/** Enough parts that a response of them would be compressed, or all. */
async function readBeginning(body: AsyncIterator<BodyPart>): Promise<Beginning> {
  const parts: BodyPart[] = [];
  for (let length = 0; length < MIN_COMPRESSED_BYTES; ) {
    const next = await body.next();
    if (next.done) return { parts, isAll: true };
    parts.push(next.value);
    length += partLength(next.value);
  }
  return { parts, isAll: false };
}

async function* concat<Item>(
  first: readonly Item[],
  rest: AsyncIterable<Item>,
): AsyncGenerator<Item> {
  yield* first;
  yield* rest;
}

/** Joins encoded parts to larger pieces, which are cheaper to send. */
async function* createPieces(
  body: AsyncIterable<BodyPart>,
  encoder: BodyEncoder,
): AsyncGenerator<Buffer, undefined> {
  let piece: Buffer[] = [];
  let size = 0;
  await waitForTurn();
  for await (const part of body) {
    piece.push(...encoder.encode(part));
    size += partLength(part);
    if (size < PIECE_BYTES) continue;
    yield Buffer.concat([...piece, ...encoder.flush()]);
    await waitForTurn();
    piece = [];
    size = 0;
  }
  yield Buffer.concat([...piece, ...encoder.end()]);
  return undefined;
}
