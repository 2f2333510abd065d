import { CodedError, cleanText, formatError } from '@tidegate/core/base';
import { type AnswerFreshness, readFreshness } from './freshness.ts';

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

export function createApiClient({ url, apiKey }: ApiOptions): ApiClient {
  const base = url.href.replace(/\/$/, '');
  const headers = {
    // the problem details of every error have a code
    accept: 'application/problem+json, application/json;q=0.9',
    ...(apiKey !== '' && { 'x-api-key': apiKey }),
  };
  const request = async (path: string, init: RequestInit): Promise<ApiReply> => {
    try {
      // a redirect could send the key elsewhere
      const options = { redirect: 'error', signal: AbortSignal.timeout(TIMEOUT_MS) } as const;
      const response = await fetch(`${base}${path}`, { ...init, ...options });
      return await readReply(response);
    } catch (error) {
      if (error instanceof CodedError) throw error;
      const reason = cleanText(formatError(error), MAX_REASON_LENGTH);
      throw new CodedError('SOURCE_UNAVAILABLE', { source: url.origin, reason }, error);
    }
  };
  return {
    url,
    get: (path) => request(path, { headers }),
    post: (path, body, query = '') =>
      request(`${path}${query}`, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      }),
  };
}

async function readReply(response: Response): Promise<ApiReply> {
  const text = await readLimited(response);
  const body = parseJson(text);
  if (!response.ok) throw rejectionOf(response, body);
  if (body === undefined) {
    throw new CodedError('MALFORMED_DATA', { what: 'answer of the API', reason: 'it is no JSON' });
  }
  const { headers } = response;
  return { body, freshness: readFreshness(headers), notes: readNotes(headers) };
}

async function readLimited({ body }: Response): Promise<string> {
  if (body === null) return '';
  const decoder = new TextDecoder();
  let text = '';
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > MAX_BYTES) {
      const reason = `it has more than ${MAX_BYTES} bytes`;
      throw new CodedError('MALFORMED_DATA', { what: 'answer of the API', reason });
    }
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}

/** Undefined for what is no JSON. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** The error of an answer: problem details of Tidegate, or one of the older bodies. */
function rejectionOf({ status, headers }: Response, body: unknown): CodedError {
  const fields: Readonly<Record<string, unknown>> = Object(body);
  const texts = [fields['detail'], fields['message'], fields['error'], fields['metadata']];
  const text = texts.find((each) => typeof each === 'string') ?? `The server answers ${status}.`;
  const retry = headers.get('retry-after');
  const hint = retry === null || /Retry in/.test(text) ? '' : ` Retry in ${Number(retry)} s.`;
  const details = issueTexts(fields['errors']);
  const reason = cleanText([text, ...details].join(' '), MAX_REASON_LENGTH) + hint;
  const code = typeof fields['code'] === 'string' ? fields['code'] : `HTTP_${status}`;
  return new CodedError('API_REFUSES', { status, code: cleanText(code, 64), reason });
}

function issueTexts(issues: unknown): string[] {
  if (!Array.isArray(issues)) return [];
  return issues.slice(0, 5).flatMap((issue: unknown) => {
    const { message }: { message?: unknown } = Object(issue);
    return typeof message === 'string' ? [message] : [];
  });
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
