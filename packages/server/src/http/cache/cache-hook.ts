import { pipeline, Readable } from 'node:stream';
import { promisify } from 'node:util';
import { createGzip, gzip } from 'node:zlib';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { setHeaders } from '../request-hooks.ts';
import { acceptsGzip, chooseEncoding, isNotModified } from './representation.ts';
import {
  type CachedResponse,
  createCachedResponse,
  MIN_COMPRESSED_BYTES,
  type ResponseCache,
} from './response-cache.ts';

const gzipAsync = promisify(gzip);

/** An answer that is about to be made and can be kept: under which key, and for which version of the data. */
type Pending = { readonly key: string; readonly version: number };

/**
 * On the way through the router: an answer that is kept is sent as it is, one that can be kept is kept,
 * and anything else that is large enough is compressed for this caller alone. With a new version of the data all
 * callers come here at once: while the first one's answer is compressed, the others wait for it.
 */
export function addCacheHook(app: FastifyInstance, answers: ResponseCache): void {
  const pending = new WeakMap<FastifyRequest, Pending>();
  const inTheMaking = new Map<string, Promise<CachedResponse>>();

  app.addHook('preHandler', async (request, reply) => {
    const { operation } = request.routeOptions.config;
    if (operation?.keptWhile === undefined) return;
    const key = JSON.stringify([operation.operationId, request.params, request.query]);
    const answer =
      answers.findByKey(key, request.originalUrl) ??
      (await inTheMaking.get(idOf({ key, version: operation.keptWhile() })));
    // who has waited may find newer data, which the headers would tell of
    const version = operation.keptWhile();
    if (answer?.version !== version) {
      pending.set(request, { key, version });
      return;
    }
    return reply.send(showAnswer(answer, request, reply));
  });

  app.addHook('onSend', async (request, reply, payload) => {
    if (payload instanceof Readable) return compressedStream(payload, request, reply);
    if (typeof payload !== 'string' && !Buffer.isBuffer(payload)) return payload;
    const planned = pending.get(request);
    const { operation } = request.routeOptions.config;
    if (planned !== undefined && operation !== undefined && reply.statusCode === 200) {
      const made = createCachedResponse(Buffer.from(payload), {
        operation,
        route: request.routeOptions.url ?? '',
        version: planned.version,
        contentType: String(reply.getHeader('content-type')),
      });
      inTheMaking.set(idOf(planned), made);
      const answer = await made.finally(() => inTheMaking.delete(idOf(planned)));
      answers.keep(planned.key, request.originalUrl, answer);
      return showAnswer(answer, request, reply);
    }
    if (reply.statusCode === 200) setHeaders(reply, operation?.headers ?? []);
    return compressed(payload, request, reply);
  });
}

const idOf = ({ key, version }: Pending): string => `${version} ${key}`;

function showAnswer(
  answer: CachedResponse,
  request: FastifyRequest,
  reply: FastifyReply,
): Buffer | undefined {
  const form = chooseEncoding(answer, request.headers);
  const unchanged = isNotModified(answer, request.headers['if-none-match']);
  reply.code(unchanged ? 304 : 200);
  setHeaders(reply, unchanged ? form.unchangedHeaders : form.headers);
  return unchanged ? undefined : form.body;
}

/** One that breaks off breaks off what is sent, so that nobody takes half of it for the whole. */
function compressedStream(
  payload: Readable,
  request: FastifyRequest,
  reply: FastifyReply,
): Readable {
  reply.header('vary', 'accept-encoding');
  if (!acceptsGzip(request.headers['accept-encoding'])) return payload;
  reply.header('content-encoding', 'gzip');
  const zipped = createGzip();
  pipeline(payload, zipped, () => undefined);
  return zipped;
}

async function compressed(
  payload: string | Buffer,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<string | Buffer> {
  if (Buffer.byteLength(payload) < MIN_COMPRESSED_BYTES) return payload;
  if (reply.hasHeader('content-encoding')) return payload;
  reply.header('vary', 'accept-encoding');
  if (!acceptsGzip(request.headers['accept-encoding'])) return payload;
  reply.header('content-encoding', 'gzip');
  reply.removeHeader('content-length');
  return gzipAsync(payload);
}
