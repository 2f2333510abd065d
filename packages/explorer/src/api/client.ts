import { parseVisible } from '../format/visible-text.ts';
import { ApiError, toApiError, toStreamError } from './api-error.ts';
import { EventReader, type ServerEvent } from './event-reader.ts';
import { type Freshness, readFreshness } from './freshness.ts';
import type { Operations } from './generated/operations.ts';

export type OperationName = keyof Operations;

/** Path and query parameters, and the body, as the operation documents them. */
type RequestArguments<Name extends OperationName> = {
  readonly path?: Operations[Name]['path'];
  readonly query?: Operations[Name]['query'];
  readonly body?: Operations[Name]['body'];
};

export type ApiRequest<Name extends OperationName = OperationName> = {
  readonly operation: Name;
  readonly arguments: RequestArguments<Name>;
};

export type ApiResponse<Data> = {
  /** Undefined if the data of the last response is still true. */
  readonly data: Data | undefined;
  readonly freshness: Freshness;
  readonly etag: string | undefined;
};

/** The URL of the API: this page's server, or the one that the page names in a `meta` element. */
const apiRoot = ((): URL => {
  if (typeof document === 'undefined') return new URL('http://localhost/');
  const meta = document.querySelector<HTMLMetaElement>('meta[name="tidegate-api"]');
  const other = meta?.content ?? '';
  return new URL(other === '' ? document.baseURI : other.replace(/\/?$/, '/'));
})();

/** Undefined parameters are left out. */
export function requestUrl(request: ApiRequest, root: URL = apiRoot): string {
  const { path = {}, query = {} } = request.arguments as {
    path?: Readonly<Record<string, string>>;
    query?: Readonly<Record<string, string | number | boolean | undefined>>;
  };
  const [, pattern = ''] = request.operation.split(' ');
  const filled = pattern.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(path[name] ?? ''),
  );
  const url = new URL(`.${filled}`, root);
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) url.searchParams.set(name, String(value));
  }
  return url.href;
}

type SendOptions = { readonly etag?: string | undefined; readonly signal?: AbortSignal };

const REQUEST_TIMEOUT_MS = 30_000;

/** Throws an `ApiError` for everything but success and "not modified". */
export async function send<Name extends OperationName>(
  request: ApiRequest<Name>,
  { etag, signal }: SendOptions = {},
): Promise<ApiResponse<Operations[Name]['response']>> {
  const response = await fetchOrOffline(request, { etag, ...(signal && { signal }) });
  const freshness = readFreshness(response.headers, Date.now());
  // `/ready` answers in the same form with 503
  const isReadiness = request.operation === 'GET /ready' && response.status === 503;
  if (response.status === 304) return { data: undefined, freshness, etag };
  if (!response.ok && !isReadiness) throw await toApiError(response);
  const data = parseVisible(await response.text()) as Operations[Name]['response'];
  return { data, freshness, etag: response.headers.get('etag') ?? undefined };
}

/** New data, or what is known of the data that is already there. */
export type StreamUpdate = {
  readonly data: unknown;
  readonly freshness: Freshness;
};

/** The server sends something every 15 s. */
const SILENCE_MS = 40_000;

/**
 * Calls back with each change of the data, until the stream ends. Returns false at once if the server answers without a
 * stream. Throws an `ApiError` if the data cannot be read now; the caller then polls.
 */
export async function follow(
  request: ApiRequest,
  onUpdate: (update: StreamUpdate) => void,
  signal: AbortSignal,
): Promise<boolean> {
  const silence = new AbortController();
  const stop = AbortSignal.any([signal, silence.signal]);
  const response = await fetchOrOffline(request, { signal: stop, isStream: true });
  const type = response.headers.get('content-type') ?? '';
  const isStream = response.ok && type.startsWith(EVENT_STREAM);
  if (!isStream || response.body === null) {
    await response.body?.cancel();
    return false;
  }
  const chunks = response.body.getReader();
  const reader = new EventReader();
  const apply = createUpdater(response.headers, onUpdate);
  try {
    for (;;) {
      const timer = setTimeout(() => silence.abort(), SILENCE_MS);
      const { value, done } = await chunks.read().finally(() => clearTimeout(timer));
      if (done) return true;
      for (const event of reader.read(value)) apply(event);
    }
  } finally {
    // an aborted stream cannot be cancelled
    await chunks.cancel().catch(() => undefined);
  }
}

/** Headers come before the data that they belong to. `unchanged` has those up to which the data has not changed. */
function createUpdater(
  opened: Headers,
  onUpdate: (update: StreamUpdate) => void,
): (event: ServerEvent) => void {
  let freshness = readFreshness(opened, Date.now());
  return ({ event, data }) => {
    if (event === 'error') throw toStreamError(parseVisible(data));
    if (event === 'headers' || event === 'unchanged') {
      freshness = readFreshness(new Headers(JSON.parse(data)), Date.now());
    }
    if (event === 'unchanged') onUpdate({ data: undefined, freshness });
    if (event === 'update') onUpdate({ data: parseVisible(data), freshness });
  };
}

const EVENT_STREAM = 'text/event-stream';

async function fetchOrOffline(
  request: ApiRequest,
  options: SendOptions & { readonly isStream?: boolean },
): Promise<Response> {
  const [method = 'GET'] = request.operation.split(' ');
  const { body } = request.arguments;
  const accept = options.isStream ? EVENT_STREAM : 'application/json';
  const timeout = options.isStream ? [] : [AbortSignal.timeout(REQUEST_TIMEOUT_MS)];
  const headers: Record<string, string> = { accept };
  if (options.etag !== undefined) headers['if-none-match'] = options.etag;
  if (body !== undefined) headers['content-type'] = 'application/json';
  try {
    return await fetch(requestUrl(request), {
      method,
      headers,
      // entity tags are handled here, so that a 304 is seen
      cache: 'no-store',
      signal: AbortSignal.any([...(options.signal ? [options.signal] : []), ...timeout]),
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
  } catch (error) {
    if (options.signal?.aborted) throw error;
    const message = `${apiRoot.host} does not answer.`;
    throw new ApiError({ kind: 'offline', message });
  }
}
