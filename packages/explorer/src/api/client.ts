import { ApiError, toApiError } from './api-error.ts';
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
  const data = (await response.json()) as Operations[Name]['response'];
  return { data, freshness, etag: response.headers.get('etag') ?? undefined };
}

async function fetchOrOffline(request: ApiRequest, options: SendOptions): Promise<Response> {
  const [method = 'GET'] = request.operation.split(' ');
  const { body } = request.arguments;
  const timeout = AbortSignal.timeout(REQUEST_TIMEOUT_MS);
  const headers: Record<string, string> = { accept: 'application/json' };
  if (options.etag !== undefined) headers['if-none-match'] = options.etag;
  if (body !== undefined) headers['content-type'] = 'application/json';
  try {
    return await fetch(requestUrl(request), {
      method,
      headers,
      // entity tags are handled here, so that a 304 is seen
      cache: 'no-store',
      signal: options.signal ? AbortSignal.any([options.signal, timeout]) : timeout,
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
  } catch (error) {
    if (options.signal?.aborted) throw error;
    const message = `${apiRoot.host} does not answer.`;
    throw new ApiError({ kind: 'offline', message });
  }
}
