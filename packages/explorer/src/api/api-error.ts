import { parseVisible } from '../format/visible-text.ts';
/** Why a request has no data. */
export type FailureKind = 'offline' | 'not-found' | 'invalid' | 'busy' | 'server';

export class ApiError extends Error {
  readonly kind: FailureKind;
  readonly status: number | undefined;
  /** Code of the API's error, if it has one. */
  readonly code: string | undefined;
  readonly requestId: string | undefined;
  /** How long to wait before the next attempt. */
  readonly retryAfterMs: number | undefined;

  constructor(fields: {
    readonly kind: FailureKind;
    readonly message: string;
    readonly status?: number;
    readonly code?: string | undefined;
    readonly requestId?: string | undefined;
    readonly retryAfterMs?: number | undefined;
  }) {
    super(fields.message);
    this.kind = fields.kind;
    this.status = fields.status;
    this.code = fields.code;
    this.requestId = fields.requestId;
    this.retryAfterMs = fields.retryAfterMs;
  }
}

/** The error bodies of the API: `{error, code?, details?}`, `{metadata}` and `{statusCode, message}`. */
type ErrorBody = {
  readonly error?: unknown;
  readonly message?: unknown;
  readonly code?: unknown;
  readonly details?: readonly { readonly message?: unknown }[];
};

export async function toApiError(response: Response): Promise<ApiError> {
  const body = (await readBody(response)) as ErrorBody;
  const retryAfter = Number(response.headers.get('retry-after') ?? Number.NaN);
  return new ApiError({
    kind: kindOf(response.status),
    message: messageOf(body) ?? `The server answered with status ${response.status}.`,
    status: response.status,
    code: typeof body.code === 'string' ? body.code : undefined,
    requestId: response.headers.get('x-request-id') ?? undefined,
    retryAfterMs: Number.isFinite(retryAfter) ? retryAfter * 1000 : undefined,
  });
}

/** An empty object for what is no JSON, such as the page of a proxy. */
async function readBody(response: Response): Promise<unknown> {
  try {
    return parseVisible(await response.text());
  } catch {
    return {};
  }
}

/** The data of an error event. */
export function toStreamError(data: unknown): ApiError {
  const { code, message, statusCode } = Object(data);
  const status = Number(statusCode);
  return new ApiError({ kind: kindOf(status), message: String(message), status, code });
}

function kindOf(status: number): FailureKind {
  if (status === 404) return 'not-found';
  if (status === 429 || status === 503) return 'busy';
  return status < 500 ? 'invalid' : 'server';
}

function messageOf({ error, message, details }: ErrorBody): string | undefined {
  const detail = details?.[0]?.message;
  const found = [detail, message, error].find((each) => typeof each === 'string');
  return typeof found === 'string' ? found : undefined;
}
