import { pipeline, Readable } from 'node:stream';
import { promisify } from 'node:util';
import { createGzip, gzip } from 'node:zlib';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { DataVersion, DataVersions } from '../../clusters/data-versions.ts';
import { listDataHeaders } from '../data-headers.ts';
import { setHeaders } from '../request-hooks.ts';
import { acceptsGzip, chooseEncoding, isNotModified } from './representation.ts';
import {
  type CachedResponse,
  createCachedResponse,
  MIN_COMPRESSED_BYTES,
  type ResponseCache,
} from './response-cache.ts';
import { createResponseKey } from './response-key.ts';

const gzipAsync = promisify(gzip);

/** Cache key and data version of a response in preparation. */
type PendingResponse = {
  readonly key: string;
  readonly version: number;
  readonly currentVersion: DataVersion;
};

/**
 * Serves and fills the response cache, and compresses other large responses. After a data change many requests miss the
 * cache at once: while the response of the first is compressed, the others wait for it.
 */
export function addCacheHook(
  app: FastifyInstance,
  responses: ResponseCache,
  versions: DataVersions,
): void {
  const pending = new WeakMap<FastifyRequest, PendingResponse>();
  const inPreparation = new Map<string, Promise<CachedResponse>>();

  app.addHook('preHandler', async (request, reply) => {
    const { operation } = request.routeOptions.config;
    if (operation?.dependsOn === undefined) return;
    const { env } = operation.readsEnv ? (request.query as { env?: string }) : {};
    const currentVersion = versions(operation.dependsOn, env);
    const key = createResponseKey(operation, request);
    const response =
      responses.findByKey(key, request.originalUrl) ??
      (await inPreparation.get(idOf(key, currentVersion())));
    // The data can change while the request waits, and the freshness headers describe the newest data.
    const version = currentVersion();
    if (response?.version !== version) {
      pending.set(request, { key, version, currentVersion });
      return;
    }
    return reply.send(applyCached(response, request, reply));
  });

  app.addHook('onSend', async (request, reply, payload) => {
    if (payload instanceof Readable) return compressStream(payload, request, reply);
    if (typeof payload !== 'string' && !Buffer.isBuffer(payload)) return payload;
    const target = pending.get(request);
    const { operation } = request.routeOptions.config;
    if (target !== undefined && operation !== undefined && reply.statusCode === 200) {
      const preparation = createCachedResponse(Buffer.from(payload), {
        operation,
        route: request.routeOptions.url ?? '',
        version: target.version,
        currentVersion: target.currentVersion,
        contentType: String(reply.getHeader('content-type')),
        dataHeaders: listDataHeaders(reply),
      });
      const id = idOf(target.key, target.version);
      inPreparation.set(id, preparation);
      const response = await preparation.finally(() => inPreparation.delete(id));
      responses.store(target.key, request.originalUrl, response);
      return applyCached(response, request, reply);
    }
    if (reply.statusCode === 200) setHeaders(reply, operation?.headers ?? []);
    return compress(payload, request, reply);
  });
}

const idOf = (key: string, version: number): string => `${version} ${key}`;

function applyCached(
  response: CachedResponse,
  request: FastifyRequest,
  reply: FastifyReply,
): Buffer | undefined {
  const representation = chooseEncoding(response, request.headers);
  const notModified = isNotModified(response, request.headers['if-none-match']);
  reply.code(notModified ? 304 : 200);
  setHeaders(reply, notModified ? representation.notModifiedHeaders : representation.headers);
  return notModified ? undefined : representation.body;
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

async function compress(
  payload: string | Buffer,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<string | Buffer> {
  if (Buffer.byteLength(payload) < MIN_COMPRESSED_BYTES) return payload;
  if (reply.hasHeader('content-encoding')) return payload;
  addVary(reply);
  if (!acceptsGzip(request.headers['accept-encoding'])) return payload;
  reply.header('content-encoding', 'gzip');
  reply.removeHeader('content-length');
  return gzipAsync(payload);
}

/** A route may depend on other headers too; a cached response has the header already. */
function addVary(reply: FastifyReply): void {
  const vary = reply.getHeader('vary');
  if (vary === undefined) reply.header('vary', 'accept-encoding');
  else if (!String(vary).includes('accept-encoding')) {
    reply.header('vary', `${vary}, accept-encoding`);
  }
}
