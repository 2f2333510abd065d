/** One thing that is wrong with a request: where, what kind, and what to change. */
export type Issue = {
  readonly path: readonly (string | number)[];
  readonly code: string;
  readonly message: string;
  readonly [more: string]: unknown;
};

/** What JSON can say; undefined members are left out. */
export type JsonData =
  | null
  | boolean
  | number
  | bigint
  | string
  | readonly JsonData[]
  | { readonly [name: string]: JsonData | undefined };

/** Every failure that has a name, with what it carries. Codes are public: added, never renamed or reused. */
type Contexts = {
  INVALID_PATH: { readonly issues: readonly Issue[] };
  INVALID_QUERY: { readonly issues: readonly Issue[] };
  INVALID_BODY: { readonly issues: readonly Issue[] };
  INVALID_URL: Record<never, never>;
  INVALID_JSON: { readonly reason: string };
  ROUTE_NOT_FOUND: Record<never, never>;
  METHOD_NOT_ALLOWED: { readonly method: string; readonly allowed: readonly string[] };
  BODY_TOO_LARGE: { readonly limitBytes: number };
  URL_TOO_LONG: { readonly part: 'path' | 'query string'; readonly limit: number };
  UNSUPPORTED_MEDIA_TYPE: Record<never, never>;
  UNKNOWN_API_KEY: Record<never, never>;
  RATE_LIMITED: { readonly retryAfterSeconds: number; readonly policy: string };
  TOKENS_NOT_LOADED: { readonly retryAfterSeconds: number };
  CLUSTER_NOT_LOADED: { readonly env: string; readonly retryAfterSeconds: number };
  TIMED_OUT: Record<never, never>;
  HISTORY_OF_ANOTHER: { readonly found: string; readonly wanted: string };
  HISTORY_NOT_KEPT: { readonly env: string; readonly retryAfterSeconds: number };
  INTERNAL: Record<never, never>;
  PACKAGE_MISSING: { readonly package: string; readonly use: string };
  INVALID_SETTING: { readonly name: string; readonly value: string; readonly accepts: string };
  INVALID_USAGE: { readonly reason: string };
  INVALID_TOKEN_LIST: { readonly source: string; readonly reason: string };
  INVALID_KEY_FILE: { readonly path: string; readonly reason: string };
  KEY_NOT_FOUND: { readonly id: string };
  ADDRESS_IN_USE: { readonly host: string; readonly port: number };
  DATA_FOLDER_IN_USE: { readonly folder: string; readonly pid: number };
  DATA_FOLDER_UNREADABLE: { readonly folder: string; readonly reason: string };
  DATABASE_UNUSABLE: { readonly database: string; readonly reason: string };
  DATABASE_TOO_NEW: { readonly migration: string };
  DATABASE_STOPPED: { readonly reason: string };
  INVALID_ADDRESS: { readonly text: string };
  INVALID_DECIMAL: { readonly text: string; readonly reason: string };
  MALFORMED_DATA: { readonly what: string; readonly reason: string };
  ACCOUNT_WRONG_OWNER: { readonly account: string; readonly owner: string };
  ACCOUNT_WRONG_SIZE: { readonly account: string; readonly size: number; readonly accepts: string };
  ACCOUNT_WRONG_DISCRIMINATOR: { readonly account: string };
  ACCOUNT_UNKNOWN_VERSION: { readonly account: string; readonly version: bigint };
  UNKNOWN_INSTRUCTION: { readonly program: string; readonly discriminator: string };
  NO_PROGRAM_ADDRESS: { readonly reason: string };
  MATH_OVERFLOW: { readonly what: string; readonly bits: number };
  DIVISION_BY_ZERO: { readonly what: string };
  PROGRAM_REFUSES: {
    readonly program: string;
    readonly code: number;
    readonly name: string;
    readonly reason: string;
  };
  SOURCE_UNAVAILABLE: {
    readonly source: string;
    readonly reason: string;
    /** As the endpoint asked for. */
    readonly retryAfterMs?: number;
  };
  SOURCE_LAGS: { readonly source: string; readonly slot: bigint; readonly wanted: bigint };
  SOURCE_REFUSES: { readonly source: string; readonly reason: string };
  STALE_READ: {
    readonly slot: bigint;
    readonly wanted: bigint;
    readonly retryAfterSeconds: number;
  };
  UNKNOWN_CLUSTER: { readonly env: string; readonly served: readonly string[] };
  NOT_FOUND: { readonly what: string; readonly address: string };
  DECIMAL_TO_LAMPORTS_OVERFLOW: { readonly text: string; readonly decimals: number };
  KLEND_MARKET_NOT_FOUND: { readonly market: string };
  KLEND_RESERVE_NOT_FOUND: { readonly reserve: string; readonly market: string };
  KLEND_OBLIGATION_NOT_FOUND: { readonly wallet: string; readonly market: string };
  KVAULT_NOT_FOUND: { readonly vault: string };
  TRANSACTION_SIZE_ERROR: {
    readonly size: number;
    readonly unit: 'bytes' | 'accounts';
    readonly limit: number;
  };
  /** A transaction that somebody sent to be read, and that cannot be. */
  INVALID_TRANSACTION: { readonly reason: string; readonly change: string };
  /** A wallet that holds less than what it asks to take out, or nothing that could be taken out. */
  NOTHING_TO_BUILD: { readonly reason: string };
  /** A build that breaks a rule of what we may build: a defect of ours, never an answer. */
  UNSAFE_BUILD: { readonly reason: string };
  INVALID_REGISTRY: { readonly source: string; readonly reason: string };
  /** An answer of JSON-RPC: the node's own code and words. */
  RPC_REFUSAL: {
    readonly rpcCode: number;
    readonly reason: string;
    readonly data?: JsonData;
  };
};

export type ErrorCode = keyof Contexts;

const messages: { readonly [Code in ErrorCode]: (context: Contexts[Code]) => string } = {
  INVALID_PATH: () => 'Invalid path params',
  INVALID_QUERY: () => 'Invalid query params',
  INVALID_BODY: () => 'Invalid body',
  INVALID_URL: () => 'The path has a malformed % escape. Encode it as UTF-8 percent escapes.',
  INVALID_JSON: ({ reason }) => `The body is not valid JSON: ${reason}.`,
  ROUTE_NOT_FOUND: () => 'No such path. GET /openapi.json lists all of them.',
  METHOD_NOT_ALLOWED: ({ method, allowed }) =>
    `${method} is not allowed on this path. Use ${allowed.join(' or ')}.`,
  BODY_TOO_LARGE: ({ limitBytes }) => `The body is larger than ${limitBytes} bytes.`,
  URL_TOO_LONG: ({ part, limit }) => `The ${part} is longer than ${limit} characters.`,
  UNSUPPORTED_MEDIA_TYPE: () => 'Send the body as JSON with content-type: application/json.',
  UNKNOWN_API_KEY: () =>
    'Unknown or revoked API key. Send a valid one, or none to be limited by address.',
  RATE_LIMITED: ({ retryAfterSeconds, policy }) =>
    `Rate limit reached (${policy}). Try again in ${retryAfterSeconds} s.`,
  TOKENS_NOT_LOADED: ({ retryAfterSeconds }) =>
    `The token catalogue is not loaded yet. Try again in ${retryAfterSeconds} s.`,
  CLUSTER_NOT_LOADED: ({ env, retryAfterSeconds }) =>
    `The cluster ${env} is not loaded yet. Try again in ${retryAfterSeconds} s.`,
  HISTORY_OF_ANOTHER: ({ found, wanted }) =>
    `The database holds the history of another cluster (${found}, not ${wanted}). Name another DATA_DIR or DATABASE_URL, or start with --fresh, which forgets it and plays the embedded cluster anew.`,
  HISTORY_NOT_KEPT: ({ env, retryAfterSeconds }) =>
    `No history of ${env} is kept here yet. Try again in ${retryAfterSeconds} s.`,
  TIMED_OUT: () => 'The answer took too long. Try again, or ask for less.',
  INTERNAL: () => 'Internal error',
  PACKAGE_MISSING: ({ package: name, use }) => `Install the package ${name} to ${use}.`,
  INVALID_SETTING: ({ name, value, accepts }) => `${name} is "${value}". It accepts ${accepts}.`,
  INVALID_USAGE: ({ reason }) => `${reason} Run tidegate --help for usage.`,
  INVALID_TOKEN_LIST: ({ source, reason }) => `The token list of ${source} is unusable: ${reason}.`,
  INVALID_KEY_FILE: ({ path, reason }) => `The key file ${path} is unusable: ${reason}.`,
  KEY_NOT_FOUND: ({ id }) => `There is no key ${id}. Run tidegate keys list to see them.`,
  ADDRESS_IN_USE: ({ host, port }) =>
    `${host}:${port} is in use. Stop what listens there, or set PORT to another one (0 for any free).`,
  DATA_FOLDER_IN_USE: ({ folder, pid }) =>
    `The data folder ${folder} is in use by process ${pid}. Stop that one, or take another folder.`,
  DATA_FOLDER_UNREADABLE: ({ folder, reason }) =>
    `The cluster in the data folder ${folder} cannot be read: ${reason}. Start with --fresh to make a new one, or remove the folder.`,
  DATABASE_UNUSABLE: ({ database, reason }) =>
    `The database ${database} cannot be used: ${reason}. Set DATABASE_URL to one of PostgreSQL 14 or later, or leave it out for the embedded one.`,
  DATABASE_TOO_NEW: ({ migration }) =>
    `The database has been through the migration ${migration}, which this release does not know. Start a release that does, or take another database.`,
  DATABASE_STOPPED: ({ reason }) =>
    `The embedded database has stopped: ${reason}. Start the server again; what was committed is kept.`,
  INVALID_ADDRESS: ({ text }) => `"${text}" is not an address: the base58 text of 32 bytes.`,
  INVALID_DECIMAL: ({ text, reason }) => `"${text}" is not an amount: ${reason}.`,
  MALFORMED_DATA: ({ what, reason }) => `The ${what} is malformed: ${reason}.`,
  ACCOUNT_WRONG_OWNER: ({ account, owner }) =>
    `The account belongs to ${owner}, which is not a program that keeps a ${account}.`,
  ACCOUNT_WRONG_SIZE: ({ account, size, accepts }) =>
    `The account has ${size} bytes, a ${account} has ${accepts}.`,
  ACCOUNT_WRONG_DISCRIMINATOR: ({ account }) =>
    `The account's first bytes are not of a ${account}.`,
  ACCOUNT_UNKNOWN_VERSION: ({ account, version }) =>
    `The ${account} is of version ${version}, which this release does not know. Update it.`,
  UNKNOWN_INSTRUCTION: ({ program, discriminator }) =>
    `The program ${program} has no instruction ${discriminator} that this release knows.`,
  NO_PROGRAM_ADDRESS: ({ reason }) => `No program address can be derived: ${reason}.`,
  MATH_OVERFLOW: ({ what, bits }) =>
    `The ${what} does not fit the program's ${bits} bits; the program refuses it too.`,
  DIVISION_BY_ZERO: ({ what }) => `The ${what} would be divided by zero.`,
  PROGRAM_REFUSES: ({ program, code, name, reason }) =>
    `The ${program} program refuses it with ${code} (${name}): ${reason}.`,
  SOURCE_UNAVAILABLE: ({ source, reason }) => `The endpoint ${source} does not answer: ${reason}.`,
  SOURCE_LAGS: ({ source, slot, wanted }) =>
    `The endpoint ${source} is at slot ${slot}, ${wanted} was asked for.`,
  SOURCE_REFUSES: ({ source, reason }) => `The endpoint ${source} refuses the request: ${reason}.`,
  STALE_READ: ({ slot, wanted, retryAfterSeconds }) =>
    `The newest slot here is ${slot}, ${wanted} was asked for. Try again in ${retryAfterSeconds} s.`,
  UNKNOWN_CLUSTER: ({ env, served }) =>
    `The cluster ${env} is not served here. Served: ${served.join(', ')}.`,
  DECIMAL_TO_LAMPORTS_OVERFLOW: ({ text, decimals }) =>
    `"${text}" is more than a token with ${decimals} decimals can count. Write a smaller amount; only repay and withdraw take U64::MAX for everything.`,
  KLEND_MARKET_NOT_FOUND: ({ market }) => `There is no lending market ${market}.`,
  KLEND_RESERVE_NOT_FOUND: ({ reserve, market }) =>
    `The market ${market} has no reserve ${reserve}. Take one of its own.`,
  KLEND_OBLIGATION_NOT_FOUND: ({ wallet, market }) =>
    `${wallet} has no loan in the market ${market}. Deposit first.`,
  KVAULT_NOT_FOUND: ({ vault }) => `There is no earn vault ${vault}.`,
  TRANSACTION_SIZE_ERROR: ({ size, unit, limit }) =>
    `The transaction has ${size} ${unit}, ${limit} fit. Take the instructions and split them over several transactions.`,
  INVALID_TRANSACTION: ({ reason, change }) =>
    `The transaction cannot be read: ${reason}. ${change}`,
  NOTHING_TO_BUILD: ({ reason }) => reason,
  UNSAFE_BUILD: ({ reason }) => `The build breaks a rule: ${reason}.`,
  NOT_FOUND: ({ what, address }) => `There is no ${what} ${address}.`,
  INVALID_REGISTRY: ({ source, reason }) => `The registry of ${source} is unusable: ${reason}.`,
  RPC_REFUSAL: ({ reason }) => reason,
};

/** The one error class. `code` is stable, `context` is typed by it, the message says what to do. */
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

/** What to say of an unknown failure in one line. */
export function formatError(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const cause = error.cause instanceof Error ? `: ${error.cause.message}` : '';
  return `${error.message}${cause}`.replaceAll(/\s+/g, ' ');
}
