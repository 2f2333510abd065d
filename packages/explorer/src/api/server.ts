import {
  type CallArguments,
  type Client,
  createClient,
  type OperationName,
  type Operations,
  type ResponseOf,
  type Result,
  type Revalidated,
  type RevalidateOptions,
} from '@tidegate/client';
import { parseVisible } from '../format/visible-text.ts';

/** Path and query parameters, and the body, as the operation documents them. */
export type RequestParameters<Name extends OperationName> = {
  readonly path?: Operations[Name]['path'];
  readonly query?: Operations[Name]['query'];
  readonly body?: Operations[Name]['body'];
};

export type ApiRequest<Name extends OperationName = OperationName> = {
  readonly operation: Name;
  readonly parameters: RequestParameters<Name>;
};

/** The URL of the API: this page's server, or the one that the page names in a `meta` element. */
function apiRoot(): string {
  if (typeof document === 'undefined') return 'http://localhost/';
  const meta = document.querySelector<HTMLMetaElement>('meta[name="tidegate-api"]');
  const other = meta?.content ?? '';
  return new URL(other === '' ? '.' : other, document.baseURI).href;
}

export const API_ROOT = apiRoot();

const REQUEST_TIMEOUT_MS = 30_000;

/** The server of this page. Pages repeat a request themselves, and say meanwhile that it failed. */
export const server: Client = createClient({
  baseUrl: API_ROOT,
  timeoutMs: REQUEST_TIMEOUT_MS,
  retries: 0,
  parseJson: parseVisible,
  // entity tags are handled here, so that a 304 is seen
  fetch: (url, init) => fetch(url, { ...init, cache: 'no-store' }),
});

/** Sends a request once. */
export const request = <Name extends OperationName>(
  { operation, parameters }: ApiRequest<Name>,
  options: RevalidateOptions = {},
): Promise<Result<ResponseOf<Name>>> =>
  server.request(operation, ...argumentsOf<Name>({ ...parameters, ...options }));

/** Sends a request once. An answer that the caller has already, by its `etag`, is not sent again. */
export const revalidate = <Name extends OperationName>(
  { operation, parameters }: ApiRequest<Name>,
  options: RevalidateOptions,
): Promise<Result<Revalidated<ResponseOf<Name>>>> =>
  server.revalidate(operation, ...argumentsOf<Name>({ ...parameters, ...options }));

/** Identifies what a request asks for. */
export const keyOf = ({ operation, parameters }: ApiRequest): string =>
  `${operation} ${JSON.stringify(parameters)}`;

/** The compiler does not relate the parameters of a request to the arguments of a call. */
const argumentsOf = <Name extends OperationName>(
  parameters: RequestParameters<Name> & RevalidateOptions,
): CallArguments<Name, RevalidateOptions> =>
  [parameters] as unknown as CallArguments<Name, RevalidateOptions>;
