import type { IncomingHttpHeaders } from 'node:http';
import { pipeline, Readable } from 'node:stream';
import { createGzip } from 'node:zlib';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { DataVersion, DataVersions } from '../../clusters/data-versions.ts';
import { listDataHeaders } from '../data-headers.ts';
import { setHeaders } from '../request-hooks.ts';
import {
  CachedResponse,
  type Compress,
  compressGzip,
  MIN_COMPRESSED_BYTES,
} from './cached-response.ts';
import { acceptsGzip } from './representation.ts';
import type { ResponseCache } from './response-cache.ts';
import { createResponseKey } from './response-key.ts';

type CacheHookOptions = {
  readonly responses: ResponseCache;
  readonly versions: DataVersions;
  readonly compress?: Compress;
};

/** Cache key and data version of a response in preparation. */
type PendingResponse = {
  readonly key: string;
  readonly version: number;
  readonly currentVersion: DataVersion;
};

/**
 * Serves and fills the response cache, and compresses other large responses. A response is cached before it is
 * compressed, so that of many requests after a data change one computes it.
 */
export function addCacheHook(
  app: FastifyInstance,
  { responses, versions, compress = compressGzip }: CacheHookOptions,
): void {
  const pending = new WeakMap<FastifyRequest, PendingResponse>();
  /** The payload that was sent last. A request that times out while its response is compressed sends an error as well. */
  const sent = new WeakMap<FastifyRequest, unknown>();
  const prepare = async (key: string, response: CachedResponse, { headers }: FastifyRequest) => {
    const message = await createMessage(response, headers);
    responses.updateSize(key);
    return message;
  };

  app.addHook('preHandler', async (request, reply) => {
    const { operation } = request.routeOptions.config;
    if (operation?.dependsOn === undefined) return;
    const { env } = operation.readsEnv ? (request.query as { env?: string }) : {};
    const currentVersion = versions(operation.dependsOn, env);
    const key = createResponseKey(operation, request);
    const cached = responses.findByKey(key, request.originalUrl);
    const message = cached && (await prepare(key, cached, request));
    if (sent.has(request)) return reply;
    // The data can change while the request waits, and the freshness headers describe the newest data.
    const version = currentVersion();
    if (message === undefined || cached?.version !== version) {
      pending.set(request, { key, version, currentVersion });
      return;
    }
    return reply.send(apply(message, reply));
  });

  app.addHook('onSend', async (request, reply, payload) => {
    sent.set(request, payload);
    if (payload instanceof Readable) return compressStream(payload, request, reply);
    if (typeof payload !== 'string' && !Buffer.isBuffer(payload)) return payload;
    const target = pending.get(request);
    const { operation } = request.routeOptions.config;
    if (target !== undefined && operation !== undefined && reply.statusCode === 200) {
      const { key, version, currentVersion } = target;
      const response = new CachedResponse(Buffer.from(payload), {
        operation,
        route: request.routeOptions.url ?? '',
        version,
        currentVersion,
        contentType: String(reply.getHeader('content-type')),
        dataHeaders: listDataHeaders(reply),
        compress,
      });
      responses.store(key, request.originalUrl, response);
      const message = await prepare(key, response, request);
      return sent.get(request) === payload ? apply(message, reply) : NEVER;
    }
    const encoded = isCompressedFor(payload, request, reply) ? await compress(payload) : undefined;
    if (sent.get(request) !== payload) return NEVER;
    // from here on nothing waits, so that headers and body belong together
    if (reply.statusCode === 200) setHeaders(reply, operation?.headers ?? []);
    if (!isCompressible(payload, reply)) return payload;
    addVary(reply);
    if (encoded === undefined) return payload;
    reply.header('content-encoding', 'gzip');
    reply.removeHeader('content-length');
    return encoded;
  });
}

/** A payload that another one has replaced is not sent: Fastify would send it after the response. */
const NEVER = new Promise<never>(() => undefined);

type Message = {
  readonly status: 200 | 304;
  readonly headers: readonly string[];
  readonly body?: Buffer;
};

async function createMessage(
  response: CachedResponse,
  headers: IncomingHttpHeaders,
): Promise<Message> {
  const accepted = headers['accept-encoding'];
  if (response.isNotModified(headers['if-none-match'])) {
    return { status: 304, headers: response.notModifiedHeaders(accepted) };
  }
  return { status: 200, ...(await response.prepare(accepted)) };
}

function apply({ status, headers, body }: Message, reply: FastifyReply): Buffer | undefined {
  reply.code(status);
  setHeaders(reply, headers);
  return body;
}

/** An error of the payload also aborts the response, so that a partial body is not taken for a complete one. */
function compressStream(payload: Readable, request: FastifyRequest, reply: FastifyReply): Readable {
  reply.header('vary', 'accept-encoding');
  if (reply.hasHeader('content-encoding')) return payload;
  if (!acceptsGzip(request.headers['accept-encoding'])) return payload;
  reply.header('content-encoding', 'gzip');
  const compressed = createGzip();
  pipeline(payload, compressed, () => undefined);
  return compressed;
}

const isCompressible = (payload: string | Buffer, reply: FastifyReply): boolean =>
  Buffer.byteLength(payload) >= MIN_COMPRESSED_BYTES && !reply.hasHeader('content-encoding');

const isCompressedFor = (
  payload: string | Buffer,
  { headers }: FastifyRequest,
  reply: FastifyReply,
): boolean => isCompressible(payload, reply) && acceptsGzip(headers['accept-encoding']);

/** A route may depend on other headers too; a cached response has the header already. */
function addVary(reply: FastifyReply): void {
  const vary = reply.getHeader('vary');
  if (vary === undefined) reply.header('vary', 'accept-encoding');
  else if (!String(vary).includes('accept-encoding')) {
    reply.header('vary', `${vary}, accept-encoding`);
  }
}
