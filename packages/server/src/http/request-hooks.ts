import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { CodedError } from '../errors.ts';
import type { Admission, Authenticator } from './auth/authenticator.ts';
import type { Freshness } from './freshness.ts';
import { fullWeight, leastWeight } from './limits/request-weight.ts';
import type { MinContextSlotWait } from './min-context-slot.ts';
import type { NearestPath } from './nearest-path.ts';
import type { ProcessMetrics } from './process-metrics.ts';
import type { CompletedRequest } from './request-log.ts';
import type { RequestTracer } from './request-tracer.ts';
import { commonHeaders, preflightHeaders } from './response-headers.ts';
import type { RouteTable } from './route-table.ts';
import type { Shutdown } from './shutdown.ts';

export const BODY_LIMIT_BYTES = 64 * 1024;
export const MAX_PATH_LENGTH = 2048;
/** Default; an operation can set `maxQueryLength`. */
const MAX_QUERY_LENGTH = 4096;
/** A browser sends a preflight on its own, before the request that is charged. */
const PREFLIGHT_WEIGHT = 0;

type RequestHookOptions = {
  readonly freshness: Freshness;
  readonly authenticator: Authenticator;
  /** Requests that were charged, here or by the fast path. */
  readonly admissions: WeakMap<IncomingMessage, Admission>;
  readonly metrics: ProcessMetrics;
  readonly onCompleted: (request: CompletedRequest) => void;
  readonly shutdown: Shutdown;
  readonly tracer: RequestTracer | undefined;
  /** Requests that became streams, which log themselves when they open. */
  readonly streamed: WeakSet<IncomingMessage>;
};

export type RequestHooks = {
  /** Sets common headers; throws if the request is not admitted. */
  readonly onRequest: (request: FastifyRequest, reply: FastifyReply) => Promise<void>;
  /** Sets the freshness headers. Routes read their data after their last await, so the headers match it. */
  readonly onSend: (request: FastifyRequest, reply: FastifyReply) => void;
  readonly onResponse: (request: FastifyRequest, reply: FastifyReply) => void;
};

export function createRequestHooks(options: RequestHookOptions): RequestHooks {
  const { freshness, authenticator, admissions, metrics, onCompleted, tracer, streamed, shutdown } =
    options;
  return {
    onRequest: async (request, reply) => {
      const weight = request.method === 'OPTIONS' ? PREFLIGHT_WEIGHT : leastWeight(request);
      const admission =
        admissions.get(request.raw) ?? (await authenticator.authenticate(request.raw, weight));
      admissions.set(request.raw, admission);
      setHeaders(reply, commonHeaders(request.id, admission, []));
      requireAdmission(admission, metrics);
      const { operation } = request.routeOptions.config;
      if (operation?.requiresKey && admission.keyId === undefined) {
        throw new CodedError('API_KEY_REQUIRED', {});
      }
    },
    onSend: (request, reply) => {
      // of a request that was open when the drain began
      if (shutdown.isDraining) reply.raw.shouldKeepAlive = false;
      const { operation } = request.routeOptions.config;
      setHeaders(reply, freshness.headers(request.originalUrl, operation));
    },
    onResponse: (request, reply) => {
      if (streamed.has(request.raw)) return;
      const completed = {
        id: request.id,
        method: request.method,
        route: request.routeOptions.url ?? 'unmatched',
        status: reply.statusCode,
        ms: reply.elapsedTime,
        keyId: admissions.get(request.raw)?.keyId,
      };
      onCompleted(completed);
      tracer?.end(request.raw, { ...completed, weight: fullWeight(request), isCached: false });
    },
  };
}

/** Charges a request that was admitted as cached for the part that it computes. Throws if the caller has too few units left. */
export type ChargeComputation = (
  request: FastifyRequest,
  reply: FastifyReply,
  part: number,
) => Promise<void>;

export function createComputationCharge({
  authenticator,
  metrics,
}: Pick<RequestHookOptions, 'authenticator' | 'metrics'>): ChargeComputation {
  return async (request, reply, part) => {
    const charged = request.routeOptions.config.operation?.cachedWeightOf?.(request.query);
    if (charged === undefined) return;
    const units = Math.ceil((fullWeight(request) - charged) * part);
    if (units <= 0) return;
    const admission = await authenticator.authenticate(request.raw, units, charged);
    setHeaders(reply, commonHeaders(request.id, admission, []));
    requireAdmission(admission, metrics);
  };
}

type InstalledHooks = {
  readonly hooks: RequestHooks;
  readonly waitForMinContextSlot: MinContextSlotWait;
  readonly table: RouteTable;
  readonly nearestPath: NearestPath;
  /** Why a path that clients know is not served. */
  readonly unservedReason: (path: string) => string | undefined;
};

/** Runs before parsing: admission, size limits, unknown routes, minimum slot. */
export function addRequestHooks(
  app: FastifyInstance,
  { hooks, waitForMinContextSlot, ...unrouted }: InstalledHooks,
): void {
  app.addHook('onRequest', async (request, reply) => {
    await hooks.onRequest(request, reply);
    requireSizeWithinLimits(request);
    ignoreTypeOfMissingBody(request);
    if (request.is404) return handleUnrouted(request, reply, unrouted);
    const { operation } = request.routeOptions.config;
    await waitForMinContextSlot(request.originalUrl, request.headers, operation);
    return undefined;
  });
  app.addHook('onSend', async (request, reply) => hooks.onSend(request, reply));
  app.addHook('onResponse', async (request, reply) => hooks.onResponse(request, reply));
}

export function setHeaders(reply: FastifyReply, list: readonly string[]): void {
  for (let index = 0; index + 1 < list.length; index += 2) {
    reply.header(list[index] ?? '', list[index + 1]);
  }
}

function requireAdmission(admission: Admission, metrics: ProcessMetrics): void {
  const { outcome, policy, retryAfterSeconds } = admission;
  if (outcome === 'unknown-key') throw new CodedError('UNKNOWN_API_KEY', {});
  if (outcome === 'limited' && policy !== undefined) {
    metrics.countRateLimited(policy.name);
    throw new CodedError('RATE_LIMITED', { retryAfterSeconds, policy: policy.field });
  }
}

function requireSizeWithinLimits(request: FastifyRequest): void {
  const [path = '', query = ''] = splitUrl(request.originalUrl);
  if (path.length > MAX_PATH_LENGTH) {
    throw new CodedError('URL_TOO_LONG', { part: 'path', limit: MAX_PATH_LENGTH });
  }
  const limit = request.routeOptions.config.operation?.maxQueryLength ?? MAX_QUERY_LENGTH;
  if (query.length > limit) throw new CodedError('URL_TOO_LONG', { part: 'query string', limit });
  if (Number(request.headers['content-length']) > BODY_LIMIT_BYTES) {
    throw new CodedError('BODY_TOO_LARGE', { limitBytes: BODY_LIMIT_BYTES });
  }
}

/** Clients that send JSON everywhere name its type without a body too. Only a POST needs one. */
function ignoreTypeOfMissingBody({ method, headers }: FastifyRequest): void {
  if (method !== 'DELETE' || headers['transfer-encoding'] !== undefined) return;
  if (Number(headers['content-length'] ?? 0) === 0) delete headers['content-type'];
}

type Unrouted = Pick<InstalledHooks, 'table' | 'nearestPath' | 'unservedReason'>;

/** 404, 405 or a preflight response. */
function handleUnrouted(
  request: FastifyRequest,
  reply: FastifyReply,
  { table, nearestPath, unservedReason }: Unrouted,
): FastifyReply {
  const [path = ''] = splitUrl(request.raw.url ?? '');
  const allowed = table.methodsOf(path);
  if (allowed.length === 0) {
    const reason = unservedReason(path);
    if (reason !== undefined) throw new CodedError('ROUTE_NOT_FOUND', { reason });
    const [requested] = splitUrl(request.originalUrl);
    throw new CodedError('ROUTE_NOT_FOUND', { nearest: nearestPath(requested) });
  }
  if (request.method !== 'OPTIONS') {
    throw new CodedError('METHOD_NOT_ALLOWED', { method: request.method, allowed });
  }
  return reply.code(204).headers(preflightHeaders(allowed)).send();
}

function splitUrl(url: string): [string, string] {
  const mark = url.indexOf('?');
  return mark === -1 ? [url, ''] : [url.slice(0, mark), url.slice(mark + 1)];
}
