import { readFreshness } from './freshness.ts';
import type { HttpError, RequestIssue } from './result.ts';
import { parseRetryAfter } from './retry-delay.ts';

/**
 * Problem details, which every error of the server has on request, and the other bodies, which the hosted API has:
 * `{error, code?, details?}`, `{metadata}` and `{statusCode, message, error, code?}`.
 */
type ErrorBody = Readonly<Record<string, unknown>>;

type ErrorAnswer = {
  readonly response: Response;
  readonly text: string;
  readonly parseJson: (json: string) => unknown;
  /** Milliseconds since 1970. */
  readonly now: number;
};

/** Reads an answer that is not a success. */
export function readError({ response, text, parseJson, now }: ErrorAnswer): HttpError {
  const body = parseBody(text, parseJson);
  const fields: ErrorBody = typeof body === 'object' && body !== null ? { ...body } : {};
  const issues = readIssues(fields['errors'] ?? fields['details']);
  const { status, headers } = response;
  return {
    kind: 'http',
    code: firstString([fields['code']]) ?? `HTTP_${status}`,
    message: messageOf(fields, issues) ?? `The server answered with status ${status}.`,
    status,
    issues,
    retryAfterMs: parseRetryAfter(headers.get('retry-after'), now),
    requestId: headers.get('x-request-id') ?? undefined,
    freshness: readFreshness(headers),
    body,
  };
}

/** JSON, or the text if it is none. */
function parseBody(text: string, parseJson: ErrorAnswer['parseJson']): unknown {
  try {
    return parseJson(text);
  } catch {
    return text;
  }
}

/** The mistakes say more than the title of a 400. */
function messageOf(fields: ErrorBody, issues: readonly RequestIssue[]): string | undefined {
  if (issues.length > 0) return issues.map(({ message }) => message).join('; ');
  return firstString([fields['detail'], fields['message'], fields['error'], fields['metadata']]);
}

const firstString = (values: readonly unknown[]): string | undefined =>
  values.find((value): value is string => typeof value === 'string' && value !== '');

function readIssues(list: unknown): RequestIssue[] {
  if (!Array.isArray(list)) return [];
  return list.flatMap((item: unknown) => {
    if (typeof item !== 'object' || item === null) return [];
    const { path, code, message }: ErrorBody = { ...item };
    if (typeof message !== 'string') return [];
    const isKey = (key: unknown): key is string | number =>
      typeof key === 'string' || typeof key === 'number';
    return [
      {
        path: Array.isArray(path) ? path.filter(isKey) : [],
        code: typeof code === 'string' ? code : '',
        message,
      },
    ];
  });
}
