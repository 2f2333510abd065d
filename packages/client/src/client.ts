import type {
  CallArguments,
  OperationName,
  OperationOf,
  PathOf,
  ResponseOf,
  RevalidateOptions,
  SlotNumber,
  UntypedParameters,
} from './requests/operation-types.ts';
import { type ApiError, localError, type Result, type Revalidated } from './requests/result.ts';
import {
  type CallSettings,
  noAnswer,
  prepareRequest,
  sendCall,
  UNCHANGED,
} from './requests/send-call.ts';

export type ClientOptions = {
  /** Address of a server, also with a path: `https://api.example/v1`. */
  readonly baseUrl: string | URL;
  /** Sent as a bearer token. */
  readonly apiKey?: string | undefined;
  /** Another implementation, such as one with a proxy. */
  readonly fetch?: typeof fetch | undefined;
  /** How often a call that is safe to repeat is repeated after 429, 503 and network faults. 2 if omitted. */
  readonly retries?: number | undefined;
  /** Longest time of one attempt. 35 seconds if omitted: the server answers within 30. */
  readonly timeoutMs?: number | undefined;
  /** If a server asks to wait longer than this, the call is not repeated. 30 seconds if omitted. */
  readonly maxRetryWaitMs?: number | undefined;
  /** Every answer includes at least this slot. */
  readonly minContextSlot?: SlotNumber | undefined;
  /** The path segment of lending markets, if the server has another name for `svc-market`. */
  readonly marketSegment?: string | undefined;
  /** How the JSON of answers and events is parsed, such as with a reviver. `JSON.parse` if omitted. */
  readonly parseJson?: ((json: string) => unknown) | undefined;
  /** A longer answer is an error. No limit if omitted. */
  readonly maxResponseBytes?: number | undefined;
};

/** Calls the operations of a server. Every call resolves to a result and never rejects. */
export type Client = {
  readonly get: <Path extends PathOf<'GET'>>(
    path: Path,
    ...parameters: CallArguments<OperationOf<'GET', Path>>
  ) => Promise<Result<ResponseOf<OperationOf<'GET', Path>>>>;
  readonly post: <Path extends PathOf<'POST'>>(
    path: Path,
    ...parameters: CallArguments<OperationOf<'POST', Path>>
  ) => Promise<Result<ResponseOf<OperationOf<'POST', Path>>>>;
  /** Any operation, by its method and path. */
  readonly request: <Name extends OperationName>(
    operation: Name,
    ...parameters: CallArguments<Name>
  ) => Promise<Result<ResponseOf<Name>>>;
  /** Like `request`, with the entity tag of an answer that the caller has: if it is still true, it is not sent again. */
  readonly revalidate: <Name extends OperationName>(
    operation: Name,
    ...parameters: CallArguments<Name, RevalidateOptions>
  ) => Promise<Result<Revalidated<ResponseOf<Name>>>>;
  /** The address of a call; undefined if a path parameter is missing. */
  readonly urlOf: <Name extends OperationName>(
    operation: Name,
    ...parameters: CallArguments<Name>
  ) => string | undefined;
  /** The same client with other options: `client.with({ minContextSlot })`. */
  readonly with: (changes: Partial<ClientOptions>) => Client;
  /** Sends a call once and returns the response as it is, for streams. */
  readonly open: (call: OpenCall) => Promise<OpenedCall>;
};

export type OpenCall = {
  readonly operation: string;
  readonly parameters: UntypedParameters;
  readonly headers: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
};

export type OpenedCall =
  | { readonly response: Response; readonly parseJson: (json: string) => unknown }
  | { readonly error: ApiError };

const DEFAULTS = { retries: 2, timeoutMs: 35_000, maxRetryWaitMs: 30_000 };

export function createClient(options: ClientOptions): Client {
  const settings = toSettings(options);
  const send = (operation: string, parameters: UntypedParameters = {}) =>
    sendCall(operation, parameters, settings);
  const client = {
    get: (path: string, parameters?: UntypedParameters) => send(`GET ${path}`, parameters),
    post: (path: string, parameters?: UntypedParameters) => send(`POST ${path}`, parameters),
    request: send,
    revalidate: (operation: string, parameters?: UntypedParameters) =>
      revalidate(operation, parameters, settings),
    urlOf: (operation: string, parameters: UntypedParameters = {}) => {
      const request = prepareRequest(operation, parameters, settings);
      return 'error' in request ? undefined : request.url;
    },
    with: (changes: Partial<ClientOptions>) => createClient({ ...options, ...changes }),
    open: (call: OpenCall) => openCall(call, settings),
  };
  // the types of an answer are those of the document, which no code checks
  return client as Client;
}

function toSettings(options: ClientOptions): CallSettings {
  const { fetch: given } = options;
  return {
    baseUrl: new URL(options.baseUrl).href,
    apiKey: options.apiKey,
    // a browser's fetch must not be called as a method of another object
    fetch: (...call) => (given === undefined ? fetch(...call) : given(...call)),
    retries: options.retries ?? DEFAULTS.retries,
    timeoutMs: options.timeoutMs ?? DEFAULTS.timeoutMs,
    maxRetryWaitMs: options.maxRetryWaitMs ?? DEFAULTS.maxRetryWaitMs,
    minContextSlot: options.minContextSlot,
    marketSegment: options.marketSegment ?? 'svc-market',
    parseJson: options.parseJson ?? ((json) => JSON.parse(json)),
    maxResponseBytes: options.maxResponseBytes ?? Number.POSITIVE_INFINITY,
  };
}

async function revalidate(
  operation: string,
  parameters: UntypedParameters = {},
  settings: CallSettings,
): Promise<Result<Revalidated<unknown>>> {
  const result = await sendCall(operation, parameters, settings);
  if (!result.ok) return result;
  const { data, headers } = result;
  if (data === UNCHANGED) return { ...result, data: { isChanged: false } };
  return {
    ...result,
    data: { isChanged: true, data, etag: headers.get('etag') ?? undefined },
  };
}

async function openCall(call: OpenCall, settings: CallSettings): Promise<OpenedCall> {
  const { operation, parameters, headers, signal } = call;
  const request = prepareRequest(operation, parameters, settings);
  if ('error' in request) return request;
  const { url, init } = request;
  try {
    const sent = { ...init, headers: { ...init.headers, ...headers }, signal };
    return { response: await settings.fetch(url, sent), parseJson: settings.parseJson };
  } catch (cause) {
    return { error: localError('network', noAnswer(settings), cause) };
  }
}
