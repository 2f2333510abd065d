import type { IncomingMessage } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { CodedError } from '../../errors.ts';
import type { Admission, Authenticator } from '../auth/authenticator.ts';
import type { Freshness } from '../freshness.ts';
import { createCallerResolver, type TrustedProxies } from '../limits/client-address.ts';
import type { ProcessMetrics } from '../process-metrics.ts';
import type { CompletedRequest } from '../request-log.ts';
import type { RequestTracer } from '../request-tracer.ts';
import type { Shutdown } from '../shutdown.ts';
import { EVENT_STREAM } from './accept-event-stream.ts';
import { EventStream, type StreamEnd } from './event-stream.ts';

export type StreamSettings = {
  /** Streams of one client: of an API key, or of an address. */
  readonly maxPerClient: number;
  /** Streams of this process. */
  readonly maxStreams: number;
  readonly heartbeatMs: number;
  /** Bytes that may wait for one client. */
  readonly maxBufferedBytes: number;
};

export const DEFAULT_STREAM_SETTINGS: StreamSettings = {
  maxPerClient: 50,
  maxStreams: 5_000,
  heartbeatMs: 15_000,
  maxBufferedBytes: 1024 * 1024,
};

/** A stream costs the weight of its operation when it is opened, and again after this many heartbeats. */
const HEARTBEATS_PER_CHARGE = 4;
/** Milliseconds after which a client opens a stream again that ended. */
const RETRY = Buffer.from('retry: 1000\n\n');
const RETRY_SECONDS = 10;

const SHUTTING_DOWN: StreamEnd = {
  code: 'SHUTTING_DOWN',
  message: 'The server is shutting down. Open the stream again to continue.',
};

const slowReader = (bytes: number): StreamEnd => ({
  code: 'SLOW_READER',
  message: `The client did not read the stream, and ${bytes} bytes were waiting for it. Open the stream again to continue.`,
});

type StreamKind = 'state' | 'transactions';

type StreamRegistryOptions = {
  readonly settings: StreamSettings;
  readonly authenticator: Authenticator;
  readonly admissions: WeakMap<IncomingMessage, Admission>;
  readonly trustedProxies: TrustedProxies;
  readonly freshness: Freshness;
  readonly metrics: ProcessMetrics;
  readonly onCompleted: (request: CompletedRequest) => void;
  readonly tracer: RequestTracer | undefined;
  readonly shutdown: Shutdown;
  /** Requests that became streams: they are logged when they are opened. */
  readonly streamed: WeakSet<IncomingMessage>;
};

type OpenStream = {
  readonly stream: EventStream;
  readonly request: IncomingMessage;
  readonly kind: StreamKind;
  readonly weight: number;
  heartbeats: number;
};

/** A stream that is counted, but not open yet. */
type StreamReservation = {
  /** Undefined if the client has left, or got an error. */
  readonly open: () => EventStream | undefined;
  readonly release: () => void;
};

/** All streams of this process: opens them within the limits, keeps them alive, charges and closes them. */
export class StreamRegistry {
  readonly #options: StreamRegistryOptions;
  readonly #callerOf: ReturnType<typeof createCallerResolver>;
  readonly #open = new Set<OpenStream>();
  readonly #perClient = new Map<string, number>();
  readonly #dropped = new Map<string, number>();
  #reserved = 0;
  #events = 0;
  #round = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: StreamRegistryOptions) {
    this.#options = options;
    this.#callerOf = createCallerResolver(options.trustedProxies);
    this.#registerMetrics(options.metrics);
  }

  /** Throws if the client or the process has too many streams. */
  reserve(request: FastifyRequest, reply: FastifyReply, kind: StreamKind): StreamReservation {
    const { maxPerClient, maxStreams } = this.#options.settings;
    const client = this.#clientOf(request.raw);
    const count = this.#perClient.get(client) ?? 0;
    if (this.#options.shutdown.isClosing || this.#reserved >= maxStreams) {
      throw new CodedError('OVERLOADED', { retryAfterSeconds: RETRY_SECONDS });
    }
    if (count >= maxPerClient) {
      const policy = `"streams";q=${maxPerClient}`;
      throw new CodedError('RATE_LIMITED', { retryAfterSeconds: RETRY_SECONDS, policy });
    }
    this.#reserved += 1;
    this.#perClient.set(client, count + 1);
    let isReleased = false;
    const release = (): void => {
      if (isReleased) return;
      isReleased = true;
      this.#reserved -= 1;
      const left = (this.#perClient.get(client) ?? 1) - 1;
      if (left === 0) this.#perClient.delete(client);
      else this.#perClient.set(client, left);
    };
    return { release, open: () => this.#begin(request, reply, { kind, release }) };
  }

  closeAll(): void {
    for (const { stream } of this.#open) stream.close(SHUTTING_DOWN);
  }

  #clientOf(request: IncomingMessage): string {
    const keyId = this.#options.admissions.get(request)?.keyId;
    return keyId === undefined ? this.#callerOf(request).caller : `key ${keyId}`;
  }

  #begin(
    request: FastifyRequest,
    reply: FastifyReply,
    { kind, release }: { readonly kind: StreamKind; readonly release: () => void },
  ): EventStream | undefined {
    const { settings, streamed } = this.#options;
    const { raw: response } = reply;
    if (this.#options.shutdown.isClosing) {
      throw new CodedError('OVERLOADED', { retryAfterSeconds: RETRY_SECONDS });
    }
    // it may have timed out
    if (response.destroyed || reply.sent) {
      release();
      return undefined;
    }
    reply.hijack();
    streamed.add(request.raw);
    response.once('close', release);
    // its connection ends with the stream, so that it does not delay a shutdown
    response.shouldKeepAlive = false;
    response.writeHead(200, this.#headers(request, reply));
    response.write(RETRY);
    const stream = new EventStream(response, {
      maxBufferedBytes: settings.maxBufferedBytes,
      onSent: () => {
        this.#events += 1;
      },
      onSlow: (slow) => {
        this.#drop(slow, slowReader(settings.maxBufferedBytes));
      },
    });
    this.#logOpened(request, reply);
    const { operation } = request.routeOptions.config;
    const weight = operation?.weightOf?.(request.query) ?? operation?.weight ?? 1;
    this.#add({ stream, request: request.raw, kind, weight, heartbeats: 0 });
    return stream;
  }

  #headers(request: FastifyRequest, reply: FastifyReply): Record<string, string | number> {
    const headers: Record<string, string | number> = {};
    for (const [name, value] of Object.entries(reply.getHeaders())) {
      if (value !== undefined) headers[name] = String(value);
    }
    const { operation } = request.routeOptions.config;
    const freshness = this.#options.freshness.headers(request.originalUrl, operation);
    for (let index = 0; index + 1 < freshness.length; index += 2) {
      headers[freshness[index] ?? ''] = freshness[index + 1] ?? '';
    }
    headers['content-type'] = EVENT_STREAM;
    headers['cache-control'] = 'no-store';
    // nginx passes events on at once
    headers['x-accel-buffering'] = 'no';
    return headers;
  }

  #logOpened(request: FastifyRequest, reply: FastifyReply): void {
    const { admissions, onCompleted, tracer } = this.#options;
    const completed = {
      id: request.id,
      method: request.method,
      route: request.routeOptions.url ?? 'unmatched',
      status: 200,
      ms: reply.elapsedTime,
      keyId: admissions.get(request.raw)?.keyId,
    };
    onCompleted(completed);
    const weight = request.routeOptions.config.operation?.weight ?? 1;
    tracer?.end(request.raw, { ...completed, weight, isCached: false });
  }

  #add(entry: OpenStream): void {
    this.#open.add(entry);
    this.#timer ??= setInterval(() => this.#beat(), this.#options.settings.heartbeatMs).unref();
    entry.stream.onClose(() => {
      this.#open.delete(entry);
      if (this.#open.size > 0) return;
      clearInterval(this.#timer);
      this.#timer = undefined;
    });
  }

  #beat(): void {
    this.#round += 1;
    for (const entry of this.#open) {
      entry.stream.heartbeat(this.#round);
      entry.heartbeats += 1;
      // a limit store that fails charges nothing
      if (entry.heartbeats % HEARTBEATS_PER_CHARGE === 0) {
        this.#charge(entry).catch(() => undefined);
      }
    }
  }

  /** Ends the stream of a client whose units are used up, or whose key was revoked. */
  async #charge({ stream, request, weight }: OpenStream): Promise<void> {
    const { authenticator, metrics } = this.#options;
    const admission = await authenticator.authenticate(request, weight);
    const { outcome, policy, retryAfterSeconds } = admission;
    if (outcome === 'unknown-key') this.#drop(stream, new CodedError('UNKNOWN_API_KEY', {}));
    if (outcome !== 'limited' || policy === undefined) return;
    metrics.countRateLimited(policy.name);
    this.#drop(stream, new CodedError('RATE_LIMITED', { retryAfterSeconds, policy: policy.field }));
  }

  #drop(stream: EventStream, reason: StreamEnd): void {
    if (!stream.isOpen) return;
    this.#dropped.set(reason.code, (this.#dropped.get(reason.code) ?? 0) + 1);
    stream.close(reason);
  }

  #registerMetrics(metrics: ProcessMetrics): void {
    const countOf = (kind: StreamKind) =>
      [...this.#open].filter((entry) => entry.kind === kind).length;
    metrics.register({
      name: 'tidegate_open_streams',
      type: 'gauge',
      help: 'Open streams, by kind: state or transactions.',
      read: () =>
        (['state', 'transactions'] as const).map((kind) => {
          return { labels: { kind }, value: countOf(kind) };
        }),
    });
    const sent = 'Events that streams sent, without heartbeats.';
    metrics.counter('tidegate_stream_events_total', sent, () => this.#events);
    metrics.register({
      name: 'tidegate_dropped_streams_total',
      type: 'counter',
      help: 'Streams that this process ended, by the code of the reason; not those of a shutdown.',
      read: () => [...this.#dropped].map(([reason, value]) => ({ labels: { reason }, value })),
    });
  }
}
