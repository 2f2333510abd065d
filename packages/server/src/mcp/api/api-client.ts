import {
  type ApiError,
  type CallArguments,
  createClient,
  type HttpError,
  type OperationName,
} from '@tidegate/client';
import { cleanText, formatError } from '@tidegate/core/base';
import { CodedError } from '../../errors.ts';
import { type AnswerFreshness, toAnswerFreshness } from './freshness.ts';

/**
 * Every path that a tool may post to. They build, preview or explain a transaction and change nothing. No tool signs or
 * sends, also not with the demo wallet of the embedded cluster.
 */
const POST_PATHS = [
  '/ktx/klend/deposit',
  '/ktx/klend/borrow',
  '/ktx/klend/repay',
  '/ktx/klend/withdraw',
  '/ktx/kvault/deposit',
  '/ktx/kvault/withdraw',
  '/ktx/farms/claim',
  '/ktx/klend/deposit-instructions',
  '/ktx/klend/borrow-instructions',
  '/ktx/klend/repay-instructions',
  '/ktx/klend/withdraw-instructions',
  '/ktx/kvault/deposit-instructions',
  '/ktx/kvault/withdraw-instructions',
  '/ktx/farms/claim-instructions',
  '/ktx/decode',
] as const;

export type PostPath = (typeof POST_PATHS)[number];

export type ApiReply = {
  readonly body: unknown;
  readonly freshness: AnswerFreshness | undefined;
  /** What the answer lacks, in words. */
  readonly notes: readonly string[];
};

/** The HTTP API of a running Tidegate. */
export type ApiClient = {
  readonly url: URL;
  readonly get: (path: string) => Promise<ApiReply>;
  readonly post: (path: PostPath, body: object, query?: string) => Promise<ApiReply>;
};

type ApiOptions = {
  readonly url: URL;
  readonly apiKey: string;
};

const TIMEOUT_MS = 30_000;
/** Far above the longest list of mainnet. */
const MAX_BYTES = 32 * 1024 * 1024;
const MAX_REASON_LENGTH = 400;
const MAX_ISSUES = 5;

export function createApiClient({ url, apiKey }: ApiOptions): ApiClient {
  const client = createClient({
    baseUrl: url,
    apiKey: apiKey === '' ? undefined : apiKey,
    retries: 0,
    timeoutMs: TIMEOUT_MS,
    maxResponseBytes: MAX_BYTES,
    // a redirect could send the key elsewhere
    fetch: (input, init) => fetch(input, { ...init, redirect: 'error' }),
  });
  /** Paths come with their parameters in place; `checked` decides what the tools accept of an answer. */
  const call = async (operation: string, body?: object): Promise<ApiReply> => {
    const parameters: CallArguments<OperationName> = [{ ...(body && { body }) }];
    const result = await client.request(operation as OperationName, ...parameters);
    if (!result.ok) throw toCodedError(result.error, url);
    const { data, freshness, headers } = result;
    if (data === undefined) throw malformed('it is empty');
    return { body: data, freshness: toAnswerFreshness(freshness), notes: readNotes(headers) };
  };
  return {
    url,
    get: (path) => call(`GET ${path}`),
    post: (path, body, query = '') => call(`POST ${path}${query}`, body),
  };
}

function toCodedError(error: ApiError, { origin }: URL): CodedError {
  if (error.kind === 'http') return rejectionOf(error);
  if (error.kind === 'malformed') return malformed(cleanText(error.message, MAX_REASON_LENGTH));
  const cause = error.cause === undefined ? error.message : formatError(error.cause);
  const reason = cleanText(cause, MAX_REASON_LENGTH);
  return new CodedError('SOURCE_UNAVAILABLE', { source: origin, reason }, error.cause);
}

const malformed = (reason: string): CodedError =>
  new CodedError('MALFORMED_DATA', { what: 'answer of the API', reason });

/** The error of an answer: problem details of Tidegate, or one of the older bodies. */
function rejectionOf({ status, code, body, issues, message, retryAfterMs }: HttpError): CodedError {
  const { detail }: { readonly detail?: unknown } = Object(body);
  const text = typeof detail === 'string' ? detail : message;
  const details = text === message ? [] : issues.slice(0, MAX_ISSUES).map((issue) => issue.message);
  const hint =
    retryAfterMs === undefined || /Retry in/.test(text)
      ? ''
      : ` Retry in ${retryAfterMs / 1000} s.`;
  const reason = cleanText([text, ...details].join(' '), MAX_REASON_LENGTH) + hint;
  return new CodedError('API_REFUSES', { status, code: cleanText(code, 64), reason });
}

/** Headers that say what an answer lacks, and the words for them. */
const NOTE_HEADERS: readonly (readonly [string, string])[] = [
  ['x-omitted', 'Left out because they cannot be read or priced'],
  ['x-stale-prices', 'Valued at prices that are older than the reserve accepts'],
  ['x-unmodeled-rules', 'Active rules that the figures do not include'],
  ['x-unproven', 'These figures may differ from those of the programs'],
  ['x-estimated', 'These fields are estimates'],
  ['x-gaps', 'Intervals without recorded history'],
];

const readNotes = (headers: Headers): string[] =>
  NOTE_HEADERS.flatMap(([name, words]) => {
    const value = headers.get(name);
    return value === null || value === '' ? [] : [`${words}: ${cleanText(value, 200)}`];
  });
