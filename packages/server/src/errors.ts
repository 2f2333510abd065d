import {
  codeGuard,
  type ErrorMessages,
  ErrorWithCode,
  type Issue,
  type RetryAfter,
} from '@tidegate/core/base';
import {
  type ErrorContexts as LocalnetErrorContexts,
  errorMessages as localnetMessages,
} from '@tidegate/localnet/errors';

/** Error codes of the server and of the packages below it, and their context. */
type ErrorContexts = LocalnetErrorContexts & {
  INVALID_PATH: { readonly issues: readonly Issue[] };
  INVALID_QUERY: { readonly issues: readonly Issue[] };
  INVALID_URL: Record<never, never>;
  INVALID_JSON: { readonly reason: string };
  /** `nearest`: the path that resembles the requested one; `reason`: why a path that clients know is not served. */
  ROUTE_NOT_FOUND: {
    readonly nearest?: string | undefined;
    readonly reason?: string | undefined;
  };
  METHOD_NOT_ALLOWED: { readonly method: string; readonly allowed: readonly string[] };
  BODY_TOO_LARGE: { readonly limitBytes: number };
  URL_TOO_LONG: { readonly part: 'path' | 'query string'; readonly limit: number };
  UNSUPPORTED_MEDIA_TYPE: Record<never, never>;
  UNKNOWN_API_KEY: Record<never, never>;
  /** The operation needs an API key, and the request has none. */
  API_KEY_REQUIRED: Record<never, never>;
  /** An API key has as many webhooks as it may have. */
  TOO_MANY_HOOKS: { readonly limit: number };
  /** A web page of another origin calls an operation that only the server's own pages may call. */
  FOREIGN_ORIGIN: { readonly origin: string };
  /** A request for an operation of the server's own pages names a host that is not known to be this server. */
  FOREIGN_HOST: { readonly host: string };
  RATE_LIMITED: { readonly retryAfterSeconds: number; readonly policy: string };
  OVERLOADED: { readonly retryAfterSeconds: number };
  TOKENS_NOT_LOADED: { readonly retryAfterSeconds: number };
  CLUSTER_NOT_LOADED: { readonly env: string; readonly retryAfterSeconds: number };
  TIMED_OUT: Record<never, never>;
  HISTORY_OF_ANOTHER: { readonly found: string; readonly expected: string };
  HISTORY_NOT_KEPT: { readonly env: string; readonly retryAfterSeconds: number };
  /** `reason` names nothing of the deployment. `isLasting`: until an operator acts and restarts the server. */
  HISTORY_UNAVAILABLE: { readonly reason: string; readonly isLasting: boolean } & RetryAfter;
  /** `what`: whose history is incomplete. `reason`: what is missing, or the progress of loading it. */
  HISTORY_INCOMPLETE: { readonly what: string; readonly reason: string } & RetryAfter;
  /** The operator chose not to record what the operation needs. */
  HISTORY_DISABLED: { readonly env: string; readonly mode: string } & RetryAfter;
  /** Loans are followed on demand, so that a list of all would be incomplete. */
  POSITIONS_INCOMPLETE: { readonly env: string; readonly retryAfterSeconds: number };
  WITHDRAW_QUEUE_INCOMPLETE: { readonly reserve: string; readonly retryAfterSeconds: number };
  /** No endpoint serves the method that says what became of a transaction. */
  TRANSACTIONS_UNAVAILABLE: { readonly env: string };
  INVALID_TOKEN_LIST: { readonly source: string; readonly reason: string };
  INVALID_KEY_FILE: { readonly path: string; readonly reason: string };
  KEY_NOT_FOUND: { readonly id: string };
  DATA_FOLDER_NOT_EMPTY: { readonly folder: string; readonly found: string };
  INVALID_SNAPSHOT: { readonly file: string; readonly reason: string };
  DATABASE_UNUSABLE: { readonly database: string; readonly reason: string };
  /** `repair`: what to do, as a sentence. */
  DATABASE_DAMAGED: { readonly database: string; readonly reason: string; readonly repair: string };
  /** `writer`: which other server records the history in it. */
  DATABASE_IN_USE: { readonly database: string; readonly writer: string };
  DATABASE_TOO_NEW: { readonly migration: string };
  DATABASE_STOPPED: { readonly reason: string };
  /** Another process has taken over the writing of the history. */
  NOT_WRITER: Record<never, never>;
  /** The bytes that may be used of an endpoint on one day are used up. */
  RPC_BUDGET_SPENT: { readonly endpoint: string } & RetryAfter;
  UNKNOWN_CLUSTER: { readonly env: string; readonly served: readonly string[] };
  INVALID_REGISTRY: { readonly source: string; readonly reason: string };
  /** An error of the HTTP API that a tool for agents calls. `code` is the one of that answer. */
  API_REFUSES: { readonly status: number; readonly code: string; readonly reason: string };
  INVALID_TOOL_INPUT: { readonly reason: string };
};

export type ErrorCode = keyof ErrorContexts;

const errorMessages: ErrorMessages<ErrorContexts> = {
  ...localnetMessages,
  INVALID_PATH: () => 'Invalid path params',
  INVALID_QUERY: () => 'Invalid query params',
  INVALID_URL: () =>
    'The path contains a malformed percent escape. Percent-encode the path as UTF-8.',
  INVALID_JSON: ({ reason }) =>
    `The body is not valid JSON: ${reason}. Fix the syntax and send the request again.`,
  ROUTE_NOT_FOUND: ({ nearest, reason }) =>
    reason === undefined
      ? `The path does not exist.${nearest === undefined ? '' : ` The nearest is ${nearest}.`} GET /openapi.json lists all paths.`
      : `The path is not served: ${reason}. GET /openapi.json lists all paths.`,
  METHOD_NOT_ALLOWED: ({ method, allowed }) =>
    `This path does not support ${method}. Use ${allowed.join(' or ')}.`,
  BODY_TOO_LARGE: ({ limitBytes }) => `The body exceeds ${limitBytes} bytes. Send a smaller body.`,
  URL_TOO_LONG: ({ part, limit }) => `The ${part} exceeds ${limit} characters. Shorten it.`,
  UNSUPPORTED_MEDIA_TYPE: () =>
    'The content type or encoding of the body is not supported. Send JSON that is not compressed, with content-type: application/json.',
  UNKNOWN_API_KEY: () =>
    'The API key is unknown or revoked. Send a valid key, or omit it to use the limit per IP address.',
  API_KEY_REQUIRED: () =>
    'This operation needs an API key. Send one as x-api-key; tidegate keys create creates it.',
  TOO_MANY_HOOKS: ({ limit }) =>
    `An API key may have ${limit} webhooks. Delete one that you do not need.`,
  FOREIGN_ORIGIN: ({ origin }) =>
    `Pages of ${origin} may not call this operation. Open the explorer on the address of this server.`,
  FOREIGN_HOST: ({ host }) =>
    `${host} is not known to be this server. Open the explorer at localhost or its IP address, or list its proxy in TRUSTED_PROXIES.`,
  RATE_LIMITED: ({ retryAfterSeconds, policy }) =>
    `The rate limit is exceeded (${policy}). Retry in ${retryAfterSeconds} s.`,
  OVERLOADED: ({ retryAfterSeconds }) =>
    `Too many requests are being computed. Retry in ${retryAfterSeconds} s.`,
  TOKENS_NOT_LOADED: ({ retryAfterSeconds }) =>
    `The token list is not loaded yet. Retry in ${retryAfterSeconds} s.`,
  CLUSTER_NOT_LOADED: ({ env, retryAfterSeconds }) =>
    `The cluster ${env} is not loaded yet. Retry in ${retryAfterSeconds} s.`,
  HISTORY_OF_ANOTHER: ({ found, expected }) =>
    `The database contains the history of another cluster (${found} instead of ${expected}). Use another DATA_DIR or DATABASE_URL. For the embedded cluster, --fresh deletes it and simulates the cluster again.`,
  HISTORY_NOT_KEPT: ({ env, retryAfterSeconds }) =>
    `No history of ${env} is recorded yet. Retry in ${retryAfterSeconds} s.`,
  HISTORY_UNAVAILABLE: ({ reason, retryAfterSeconds }) =>
    `The history is not available: ${reason}. Current data is served. Retry in ${retryAfterSeconds} s.`,
  HISTORY_INCOMPLETE: ({ what, reason, retryAfterSeconds }) =>
    `The history of ${what} is not complete: ${reason}. Retry in ${retryAfterSeconds} s.`,
  HISTORY_DISABLED: ({ env, mode }) =>
    `This server does not record this history of ${env} (HISTORY=${mode}). Use one with HISTORY=full.`,
  POSITIONS_INCOMPLETE: ({ env }) =>
    `Not all loans of ${env} are followed, so lists and totals of all loans would be incomplete. GET /status says why.`,
  WITHDRAW_QUEUE_INCOMPLETE: ({ reserve }) =>
    `Some tickets of the queue of ${reserve} are missing.`,
  TRANSACTIONS_UNAVAILABLE: ({ env }) =>
    `No endpoint of ${env} says what became of a transaction: the operator needs one that serves getSignatureStatuses and getEpochInfo.`,
  TIMED_OUT: () => 'The request timed out. Retry it, or request less data.',
  INVALID_TOKEN_LIST: ({ source, reason }) =>
    `The token list from ${source} is invalid: ${reason}. Fix the list, or set TOKENS to another source.`,
  INVALID_KEY_FILE: ({ path, reason }) =>
    `The API key file ${path} is invalid: ${reason}. Fix the file or remove it.`,
  KEY_NOT_FOUND: ({ id }) =>
    `The API key ${id} does not exist. Run tidegate keys list to list all keys.`,
  DATA_FOLDER_NOT_EMPTY: ({ folder, found }) =>
    `The data folder ${folder} is not empty: it has ${found}. Pass --force to replace them, or use another folder.`,
  INVALID_SNAPSHOT: ({ file, reason }) => `The snapshot ${file} cannot be used: ${reason}.`,
  DATABASE_UNUSABLE: ({ database, reason }) =>
    `The database ${database} cannot be used: ${reason}. Set DATABASE_URL to a database of PostgreSQL 14 or later, or unset it to use the embedded database.`,
  DATABASE_DAMAGED: ({ database, reason, repair }) =>
    `The embedded database ${database} is damaged: ${reason}. ${repair}`,
  DATABASE_IN_USE: ({ database, writer }) =>
    `Another server records the history in the database ${database} (${writer}). Stop it, or use another DATABASE_URL.`,
  DATABASE_TOO_NEW: ({ migration }) =>
    `The database has the migration ${migration}, which this release does not know. Start a newer release, or use another database.`,
  DATABASE_STOPPED: ({ reason }) =>
    `The embedded database has stopped: ${reason}. Restart the server; committed data is safe.`,
  NOT_WRITER: () => 'This process does not write the history: another one does.',
  RPC_BUDGET_SPENT: ({ endpoint, retryAfterSeconds }) =>
    `The bytes that RPC_BUDGET allows for ${endpoint} today are used up. Retry in ${retryAfterSeconds} s.`,
  UNKNOWN_CLUSTER: ({ env, served }) =>
    `The cluster ${env} is not served. Use one of: ${served.join(', ')}.`,
  INVALID_REGISTRY: ({ source, reason }) =>
    `The registry ${source} is invalid: ${reason}. Fix the file.`,
  API_REFUSES: ({ reason }) => reason,
  INVALID_TOOL_INPUT: ({ reason }) => reason,
};

/** The only class of errors that this package throws. */
export class CodedError<Code extends ErrorCode = ErrorCode> extends ErrorWithCode<
  ErrorContexts,
  Code
> {
  constructor(code: Code, context: ErrorContexts[Code], cause?: unknown) {
    super(code, context, { message: errorMessages[code](context), cause });
  }
}

export const hasCode = codeGuard<ErrorContexts>();
