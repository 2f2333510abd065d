import type { Client } from '../client.ts';
import type { UntypedParameters } from '../requests/operation-types.ts';
import { createDeadline, type Deadline, pause } from '../requests/pause.ts';
import { readError } from '../requests/read-error.ts';
import { type ApiError, localError } from '../requests/result.ts';
import { backoffMs } from '../requests/retry-delay.ts';
import { createEventParser, type StreamItem } from './event-parser.ts';

export type StreamOptions = {
  /** Ends the stream. */
  readonly signal?: AbortSignal | undefined;
  /** Connects again after a silence of this length. 45 seconds if omitted: the server sends something every 15. */
  readonly idleTimeoutMs?: number | undefined;
  /** Connections in a row that may fail before the stream ends. No limit if omitted. */
  readonly retries?: number | undefined;
};

/** The server ended a stream, or reports that it cannot send data now. */
export type StreamNotice = { readonly code: string; readonly message: string };

/** The stream is interrupted and connects again after a time, or it has ended. */
export type StreamFault =
  | {
      readonly kind: 'disconnected';
      readonly error: ApiError | ClosedError;
      readonly waitMs: number;
    }
  | { readonly kind: 'failed'; readonly error: ApiError | ClosedError };

/** The server said why it ends the connection. */
export type ClosedError = StreamNotice & { readonly kind: 'closed' };

type ReceivedEvent = {
  readonly kind: 'event';
  readonly event: string;
  readonly id: string;
  readonly data: unknown;
};

type StreamSource = {
  readonly client: Client;
  readonly operation: string;
  readonly parameters: UntypedParameters;
  /** What a connection continues from: headers or parameters for the position of the last event. */
  readonly resume: (position: string) => Pick<UntypedParameters, 'query'> & {
    readonly headers?: Readonly<Record<string, string>>;
  };
  readonly position: string | undefined;
};

const IDLE_TIMEOUT_MS = 45_000;
const RECONNECT_MS = 1_000;
const SEEN_CHARACTERS = 1_000_000;

/**
 * Events of a stream that connects again whenever the connection ends, and continues after the last event. An event that
 * arrives twice is returned once. Ends when the signal is aborted, or after an error that would come again.
 */
export async function* readEventStream(
  source: StreamSource,
  { signal, idleTimeoutMs = IDLE_TIMEOUT_MS, retries = Number.POSITIVE_INFINITY }: StreamOptions,
): AsyncGenerator<ReceivedEvent | StreamFault, void, undefined> {
  const seen = createSeenEvents();
  let { position } = source;
  let reconnectMs = RECONNECT_MS;
  let failures = 0;
  while (!signal?.aborted) {
    let error: ApiError | ClosedError | undefined;
    const deadline = createDeadline(idleTimeoutMs, signal);
    try {
      for await (const item of connect(source, position, deadline)) {
        if (item.kind === 'error') error = item.error;
        else if (item.kind === 'retry') reconnectMs = item.ms;
        else {
          position = item.id === '' ? position : item.id;
          failures = 0;
          if (item.kind === 'event' && seen.isNew(item)) yield toReceived(item);
        }
      }
    } finally {
      deadline.abort();
      deadline.release();
    }
    if (signal?.aborted) return;
    error ??= localError('network', 'The server ended the connection.');
    if (!isTemporary(error) || failures >= retries) {
      yield { kind: 'failed', error };
      return;
    }
    const waitMs = Math.max(retryAfter(error), spread(failures, reconnectMs));
    failures += 1;
    yield { kind: 'disconnected', error, waitMs };
    await pause(waitMs, signal);
  }
}

type ParsedEvent = Extract<StreamItem, { kind: 'event' }> & { readonly json: unknown };

type ConnectionItem =
  | ParsedEvent
  | Exclude<StreamItem, { kind: 'event' }>
  | { readonly kind: 'error'; readonly error: ApiError | ClosedError };

/** The items of one connection. If there is an error, it is the last item. */
async function* connect(
  { client, operation, parameters, resume }: StreamSource,
  position: string | undefined,
  deadline: Deadline,
): AsyncGenerator<ConnectionItem, void, undefined> {
  const resumed = position === undefined ? undefined : resume(position);
  const query = resumed?.query && { ...parameters.query, ...resumed.query };
  const opened = await client.open({
    operation,
    parameters: { ...parameters, ...(query && { query }) },
    headers: { accept: 'text/event-stream, application/problem+json', ...resumed?.headers },
    signal: deadline.signal,
  });
  if ('error' in opened) {
    yield { kind: 'error', error: deadline.hasPassed() ? idleError(opened.error) : opened.error };
    return;
  }
  const { response, parseJson } = opened;
  try {
    const rejection = await rejectionOf(response, parseJson);
    if (rejection !== undefined) yield { kind: 'error', error: rejection };
    else yield* readBody(response, deadline, parseJson);
  } catch (cause) {
    yield { kind: 'error', error: deadline.hasPassed() ? idleError(cause) : brokenError(cause) };
  }
}

type ParseJson = (json: string) => unknown;

async function rejectionOf(
  response: Response,
  parseJson: ParseJson,
): Promise<ApiError | undefined> {
  if (!response.ok) {
    return readError({ response, text: await response.text(), parseJson, now: Date.now() });
  }
  const type = response.headers.get('content-type') ?? 'no content type';
  if (type.startsWith('text/event-stream')) return undefined;
  return localError('malformed', `The server does not stream this operation (${type}).`);
}

async function* readBody(
  { body }: Response,
  deadline: Deadline,
  parseJson: ParseJson,
): AsyncGenerator<ConnectionItem, void, undefined> {
  const parser = createEventParser();
  const reader = body?.getReader();
  for (;;) {
    const chunk = await reader?.read();
    if (chunk?.value === undefined) return;
    deadline.restart();
    for (const item of parser.push(chunk.value)) {
      if (item.kind !== 'event') yield item;
      else {
        const parsed = parseEvent(item, parseJson);
        yield parsed;
        if (parsed.kind === 'error') return;
      }
    }
  }
}

function parseEvent(
  item: Extract<StreamItem, { kind: 'event' }>,
  parseJson: ParseJson,
): ConnectionItem {
  let json: unknown;
  try {
    json = parseJson(item.data);
  } catch (cause) {
    return { kind: 'error', error: localError('malformed', 'An event is not JSON.', cause) };
  }
  if (item.event !== 'closed') return { ...item, json };
  return { kind: 'error', error: { kind: 'closed', ...readNotice(json) } };
}

export function readNotice(data: unknown): StreamNotice {
  const fields: Readonly<Record<string, unknown>> =
    typeof data === 'object' && data !== null ? { ...data } : {};
  const { code, message } = fields;
  return {
    code: typeof code === 'string' ? code : 'UNKNOWN',
    message: typeof message === 'string' ? message : 'The server does not say why.',
  };
}

const idleError = (cause: unknown): ApiError =>
  localError('timeout', 'The server sends nothing, not even a heartbeat.', cause);

const brokenError = (cause: unknown): ApiError =>
  cause instanceof RangeError
    ? localError('malformed', cause.message, cause)
    : localError('network', 'The connection broke.', cause);

const toReceived = ({ event, id, json }: ParsedEvent): ReceivedEvent => ({
  kind: 'event',
  event,
  id,
  data: json,
});

/** Errors after which another connection can succeed. */
function isTemporary(error: ApiError | ClosedError): boolean {
  if (error.kind === 'http') return error.status === 429 || error.status >= 500;
  return error.kind === 'network' || error.kind === 'timeout' || error.kind === 'closed';
}

const retryAfter = (error: ApiError | ClosedError): number =>
  error.kind === 'http' ? (error.retryAfterMs ?? 0) : 0;

/** After a restart, clients connect again one after another and not all at once. */
const spread = (failures: number, reconnectMs: number): number =>
  Math.max(reconnectMs, backoffMs(failures, reconnectMs)) + Math.random() * 0.5 * reconnectMs;

/** The last events of a stream, by position and content: as many as fit, and at least one. */
function createSeenEvents(): { readonly isNew: (item: ParsedEvent) => boolean } {
  const keys = new Set<string>();
  let length = 0;
  return {
    isNew: ({ id, event, data }) => {
      if (id === '' || event === 'error') return true;
      const key = `${id}\n${event}\n${data}`;
      if (keys.has(key)) return false;
      keys.add(key);
      length += key.length;
      for (const oldest of keys) {
        if (length <= SEEN_CHARACTERS || oldest === key) break;
        keys.delete(oldest);
        length -= oldest.length;
      }
      return true;
    },
  };
}
