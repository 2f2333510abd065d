import { type BuilderContexts, builderMessages } from './builder-errors.ts';
import type { JsonData } from './json-data.ts';
import type { RejectionFigures } from './solana/rejection-figures.ts';

/** One validation error of a request: its location, its kind and how to fix it. */
export type Issue = {
  readonly path: readonly (string | number)[];
  readonly code: string;
  readonly message: string;
  readonly [extra: string]: unknown;
};

type RetryAfter = { readonly retryAfterSeconds: number };
/** Error codes and their context. Codes are public: they are added, but never renamed or reused. */
type Contexts = BuilderContexts & {
  INVALID_PATH: { readonly issues: readonly Issue[] };
  INVALID_QUERY: { readonly issues: readonly Issue[] };
  INVALID_BODY: { readonly issues: readonly Issue[] };
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
  ACCOUNT_UNREADABLE: { readonly address: string; readonly reason: string };
  PRICE_UNAVAILABLE: { readonly mint: string; readonly reason: string };
  INTERNAL: Record<never, never>;
  PACKAGE_MISSING: { readonly package: string; readonly use: string };
  INVALID_SETTING: { readonly name: string; readonly value: string; readonly accepts: string };
  /** `command` is the command whose help explains the usage. */
  INVALID_USAGE: { readonly reason: string; readonly command?: string };
  INVALID_TOKEN_LIST: { readonly source: string; readonly reason: string };
  INVALID_KEY_FILE: { readonly path: string; readonly reason: string };
  KEY_NOT_FOUND: { readonly id: string };
  ADDRESS_IN_USE: { readonly host: string; readonly port: number };
  DATA_FOLDER_IN_USE: { readonly folder: string; readonly pid: number };
  DATA_FOLDER_UNREADABLE: { readonly folder: string; readonly reason: string };
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
  INVALID_ADDRESS: { readonly text: string };
  INVALID_DECIMAL: { readonly text: string; readonly reason: string };
  MALFORMED_DATA: { readonly what: string; readonly reason: string };
  ACCOUNT_WRONG_OWNER: { readonly account: string; readonly owner: string };
  ACCOUNT_WRONG_SIZE: { readonly account: string; readonly size: number; readonly accepts: string };
  ACCOUNT_WRONG_DISCRIMINATOR: { readonly account: string };
  ACCOUNT_UNKNOWN_VERSION: { readonly account: string; readonly version: bigint };
  /** `known`: all of them, separated by commas. */
  UNKNOWN_RELEASE: { readonly release: string; readonly known: string };
  UNKNOWN_INSTRUCTION: { readonly program: string; readonly discriminator: string };
  NO_PROGRAM_ADDRESS: { readonly reason: string };
  MATH_OVERFLOW: { readonly what: string; readonly bits: number };
  DIVISION_BY_ZERO: { readonly what: string };
  PROGRAM_REFUSES: {
    readonly program: string;
    readonly code: number;
    readonly name: string;
    readonly reason: string;
    readonly figures?: RejectionFigures | undefined;
  };
  SOURCE_UNAVAILABLE: {
    readonly source: string;
    readonly reason: string;
    /** The delay that the endpoint requested. */
    readonly retryAfterMs?: number;
  };
  SOURCE_LAGS: { readonly source: string; readonly slot: bigint; readonly minSlot: bigint };
  SOURCE_REFUSES: {
    readonly source: string;
    readonly reason: string;
    /** Undefined for other reasons. */
    readonly rejection?: 'too-large' | 'unknown-method' | 'invalid-params';
  };
  /** The bytes that may be used of an endpoint on one day are used up. */
  RPC_BUDGET_SPENT: { readonly endpoint: string } & RetryAfter;
  STALE_READ: { readonly slot: bigint; readonly minSlot: bigint } & RetryAfter;
  UNKNOWN_CLUSTER: { readonly env: string; readonly served: readonly string[] };
  NOT_FOUND: { readonly what: string; readonly address: string };
  INVALID_REGISTRY: { readonly source: string; readonly reason: string };
  /** A JSON-RPC error with the code and message of the node. */
  RPC_REFUSAL: { readonly rpcCode: number; readonly reason: string; readonly data?: JsonData };
  /** An error of the HTTP API that a tool for agents calls. `code` is the one of that answer. */
  API_REFUSES: { readonly status: number; readonly code: string; readonly reason: string };
  INVALID_TOOL_INPUT: { readonly reason: string };
};

export type ErrorCode = keyof Contexts;

const messages: { readonly [Code in ErrorCode]: (context: Contexts[Code]) => string } = {
  INVALID_PATH: () => 'Invalid path params',
  INVALID_QUERY: () => 'Invalid query params',
  INVALID_BODY: () => 'Invalid body',
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
  ACCOUNT_UNREADABLE: ({ address, reason }) =>
    `The account ${address} cannot be read: ${reason}. /status lists such accounts.`,
  PRICE_UNAVAILABLE: ({ mint, reason }) => `The token ${mint} has no price: ${reason}.`,
  TIMED_OUT: () => 'The request timed out. Retry it, or request less data.',
  INTERNAL: () => 'Internal error',
  PACKAGE_MISSING: ({ package: name, use }) =>
    `The package ${name} is not installed. Install it to ${use}.`,
  INVALID_SETTING: ({ name, value, accepts }) => `${name} is "${value}". It accepts ${accepts}.`,
  INVALID_USAGE: ({ reason, command }) =>
    `${reason} Run tidegate ${command === undefined ? '' : `${command} `}--help for usage.`,
  INVALID_TOKEN_LIST: ({ source, reason }) =>
    `The token list from ${source} is invalid: ${reason}. Fix the list, or set TOKENS to another source.`,
  INVALID_KEY_FILE: ({ path, reason }) =>
    `The API key file ${path} is invalid: ${reason}. Fix the file or remove it.`,
  KEY_NOT_FOUND: ({ id }) =>
    `The API key ${id} does not exist. Run tidegate keys list to list all keys.`,
  ADDRESS_IN_USE: ({ host, port }) =>
    `${host}:${port} is already in use. Stop the process that listens there, or set PORT to another port (0 selects a free one).`,
  DATA_FOLDER_IN_USE: ({ folder, pid }) =>
    `The data folder ${folder} is in use by process ${pid}. Stop that process, or use another folder.`,
  DATA_FOLDER_UNREADABLE: ({ folder, reason }) =>
    `The cluster in the data folder ${folder} cannot be read: ${reason}. Pass --fresh to create a new one, or remove the folder.`,
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
  INVALID_ADDRESS: ({ text }) =>
    `"${text}" is not an address. Use the base58 encoding of 32 bytes.`,
  INVALID_DECIMAL: ({ text, reason }) =>
    `"${text}" is not a valid amount: ${reason}. Write a decimal number such as 12.5.`,
  MALFORMED_DATA: ({ what, reason }) => `The ${what} is malformed: ${reason}.`,
  ACCOUNT_WRONG_OWNER: ({ account, owner }) =>
    `The account is not a ${account}: its owner is ${owner}. Check the address.`,
  ACCOUNT_WRONG_SIZE: ({ account, size, accepts }) =>
    `The account is not a ${account}: it has ${size} bytes instead of ${accepts}. Check the address.`,
  ACCOUNT_WRONG_DISCRIMINATOR: ({ account }) =>
    `The account is not a ${account}: its discriminator differs. Check the address.`,
  ACCOUNT_UNKNOWN_VERSION: ({ account, version }) =>
    `The ${account} has version ${version}, which this release does not know. Start a newer release.`,
  UNKNOWN_RELEASE: ({ release, known }) =>
    `There are no rules of the release ${release}. Choose from ${known}, or a later one.`,
  UNKNOWN_INSTRUCTION: ({ program, discriminator }) =>
    `This release does not know the instruction ${discriminator} of program ${program}. Start a newer release.`,
  NO_PROGRAM_ADDRESS: ({ reason }) =>
    `No program address can be derived: ${reason}. Use other seeds.`,
  MATH_OVERFLOW: ({ what, bits }) =>
    `The ${what} does not fit in ${bits} bits. The program fails with an overflow too.`,
  DIVISION_BY_ZERO: ({ what }) => `The ${what} is divided by zero.`,
  PROGRAM_REFUSES: ({ program, code, name, reason }) =>
    `The ${program} program fails with ${code} (${name}): ${reason}.`,
  SOURCE_UNAVAILABLE: ({ source, reason }) =>
    `The endpoint ${source} is unavailable: ${reason}. Retry later.`,
  RPC_BUDGET_SPENT: ({ endpoint, retryAfterSeconds }) =>
    `The bytes that RPC_BUDGET allows for ${endpoint} today are used up. Retry in ${retryAfterSeconds} s.`,
  SOURCE_LAGS: ({ source, slot, minSlot }) =>
    `The endpoint ${source} is at slot ${slot}, but slot ${minSlot} is required. Retry later.`,
  SOURCE_REFUSES: ({ source, reason }) =>
    `The endpoint ${source} rejects the request: ${reason}. Check its configuration.`,
  STALE_READ: ({ slot, minSlot, retryAfterSeconds }) =>
    `The latest slot is ${slot}, but slot ${minSlot} is required. Retry in ${retryAfterSeconds} s.`,
  UNKNOWN_CLUSTER: ({ env, served }) =>
    `The cluster ${env} is not served. Use one of: ${served.join(', ')}.`,
  ...builderMessages,
  NOT_FOUND: ({ what, address }) => `There is no ${what} ${address}. Check the address.`,
  INVALID_REGISTRY: ({ source, reason }) =>
    `The registry ${source} is invalid: ${reason}. Fix the file.`,
  RPC_REFUSAL: ({ reason }) => reason,
  API_REFUSES: ({ reason }) => reason,
  INVALID_TOOL_INPUT: ({ reason }) => reason,
};

/** The only error class. `code` is stable and determines the type of `context`. */
export class CodedError<Code extends ErrorCode = ErrorCode> extends Error {
  override readonly name = 'CodedError';
  readonly code: Code;
  readonly context: Contexts[Code];

  constructor(code: Code, context: Contexts[Code], cause?: unknown) {
    super(messages[code](context), cause === undefined ? undefined : { cause });
    this.code = code;
    this.context = context;
  }
}

export function hasCode<Code extends ErrorCode>(
  error: unknown,
  code: Code,
): error is CodedError<Code> {
  return error instanceof CodedError && error.code === code;
}
