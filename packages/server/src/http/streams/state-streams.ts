import type { Logger } from '@tidegate/core/base';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { DataDependency, DataVersions } from '../../clusters/data-versions.ts';
import type { Clusters } from '../../clusters/served-clusters.ts';
import { CodedError } from '../../errors.ts';
import { createResponseKey } from '../cache/response-key.ts';
import { clearDataHeaders, listDataHeaders } from '../data-headers.ts';
import { httpStatusOf } from '../errors/error-status.ts';
import type { Freshness } from '../freshness.ts';
import { isStreamable, type Operation } from '../operation.ts';
import { prefersEventStream } from './accept-event-stream.ts';
import { type BodySource, type ComputedBody, SharedBody } from './shared-body.ts';
import { SlotListeners } from './slot-listeners.ts';
import type { StreamRegistry } from './stream-registry.ts';

type StateStreamOptions = {
  readonly registry: StreamRegistry;
  readonly clusters: Clusters;
  readonly versions: DataVersions;
  readonly freshness: Freshness;
  readonly log: Logger;
};

/** They change without a slot, or at other times in other processes. */
const NOT_OF_SLOT: readonly DataDependency[] = ['recentEvents', 'vaultHistory', 'tokens'];

/** Streams the body of any GET for current state if the client accepts `text/event-stream`. Add it before the cache hook. */
export function addStreamHook(app: FastifyInstance, options: StateStreamOptions): void {
  const streams = new StateStreams(app, options);
  app.addHook('preHandler', async (request, reply) => {
    const { operation } = request.routeOptions.config;
    if (operation === undefined || request.method !== 'GET') return;
    if (!isStreamable(operation) || !prefersEventStream(request.headers)) return;
    await streams.open(operation, request, reply);
  });
}

class StateStreams {
  readonly #app: FastifyInstance;
  readonly #options: StateStreamOptions;
  readonly #slots: SlotListeners;
  readonly #bodies = new Map<string, SharedBody>();

  constructor(app: FastifyInstance, options: StateStreamOptions) {
    this.#app = app;
    this.#options = options;
    this.#slots = new SlotListeners(options.clusters);
  }

  /** Throws what a request for the body throws, unless it passes with time: then the stream says so. */
  async open(operation: Operation, request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const reservation = this.#options.registry.reserve(request, reply, 'state');
    const body = this.#bodyOf(operation, request, reply);
    const leave = body.hold();
    try {
      await body.refresh();
      if (body.failure !== undefined && httpStatusOf(body.failure) < 500) throw body.failure;
      const stream = reservation.open();
      if (stream !== undefined) body.add(stream, readLastEventId(request));
    } catch (error) {
      reservation.release();
      throw error;
    } finally {
      leave();
    }
  }

  #bodyOf(operation: Operation, request: FastifyRequest, reply: FastifyReply): SharedBody {
    const key = createResponseKey(operation, request);
    const known = this.#bodies.get(key);
    if (known !== undefined) return known;
    const env = operation.readsEnv ? Object(request.query).env : undefined;
    const source = this.#sourceOf(operation, request, { reply, env });
    const body: SharedBody = new SharedBody({
      source,
      describeError,
      onIdle: () => {
        this.#bodies.delete(key);
        end();
      },
    });
    const end = this.#slots.add(env, () => body.onSlot());
    this.#bodies.set(key, body);
    return body;
  }

  #sourceOf(
    operation: Operation,
    request: FastifyRequest,
    { reply, env }: { reply: FastifyReply; env: string | undefined },
  ): BodySource {
    const { clusters, versions, freshness } = this.#options;
    const { dependsOn = [] } = operation;
    const freshnessHeaders = () => pairsToRecord(freshness.headers(request.originalUrl, operation));
    const withData = (text: string, dataHeaders: readonly string[]): ComputedBody => ({
      text,
      headers: { ...freshnessHeaders(), ...pairsToRecord(dataHeaders) },
    });
    return {
      version: versions(dependsOn, env),
      slot: () => clusters.find(env)?.reader.at().slot ?? 0n,
      freshness: freshnessHeaders,
      isOfSlot: !dependsOn.some((dependency) => NOT_OF_SLOT.includes(dependency)),
      compute: async () => {
        try {
          clearDataHeaders(reply);
          const value: unknown = await request.routeOptions.handler.call(this.#app, request, reply);
          const text = typeof value === 'string' ? value : String(reply.serialize(value));
          return withData(text, listDataHeaders(reply));
        } catch (error) {
          return this.#toCodedError(error, request);
        }
      },
    };
  }

  #toCodedError(error: unknown, { routeOptions }: FastifyRequest): CodedError {
    if (error instanceof CodedError && httpStatusOf(error) !== 500) return error;
    this.#options.log.error({ route: routeOptions.url, error }, 'a stream has no body');
    return new CodedError('INTERNAL', {}, error);
  }
}

/** The data of an error event. */
export const describeError = (error: CodedError) => ({
  code: error.code,
  message: error.message,
  statusCode: httpStatusOf(error),
});

export function readLastEventId({ headers }: Pick<FastifyRequest, 'headers'>): string | undefined {
  const id = headers['last-event-id'];
  return typeof id === 'string' && id !== '' ? id : undefined;
}

/** Of a flat list: name, value, name, value. */
function pairsToRecord(list: readonly string[]): Record<string, string> {
  const record: Record<string, string> = {};
  for (let index = 0; index + 1 < list.length; index += 2) {
    record[list[index] ?? ''] = list[index + 1] ?? '';
  }
  return record;
}
