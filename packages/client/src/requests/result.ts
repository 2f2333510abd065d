import type { ErrorCode } from '../generated/operations.ts';
import type { Freshness } from './freshness.ts';

/** An answer, or why there is none. No call throws. */
export type Result<Data> = Success<Data> | Failure;

export type Success<Data> = {
  readonly ok: true;
  readonly data: Data;
  /** Slot and age of the data, and what it lacks. */
  readonly freshness: Freshness;
  readonly headers: Headers;
};

/** A read that was compared with an earlier answer. */
export type Revalidated<Data> =
  | { readonly isChanged: true; readonly data: Data; readonly etag: string | undefined }
  /** The data of the earlier answer is still true, at the slot of `freshness`. */
  | { readonly isChanged: false };

export type Failure = { readonly ok: false; readonly error: ApiError };

/** A code that a newer server may have is a string too. */
export type ServerCode = ErrorCode | (string & Readonly<Record<never, never>>);

/** One mistake in a request. */
export type RequestIssue = {
  readonly path: readonly (string | number)[];
  readonly code: string;
  readonly message: string;
};

/** The server answered with an error. */
export type HttpError = {
  readonly kind: 'http';
  readonly code: ServerCode;
  /** What is wrong and what to do. */
  readonly message: string;
  readonly status: number;
  /** The mistakes of a request that is a 400. */
  readonly issues: readonly RequestIssue[];
  /** How long the server says to wait before the call is repeated. */
  readonly retryAfterMs: number | undefined;
  /** Finds the request in the log of the server. */
  readonly requestId: string | undefined;
  readonly freshness: Freshness;
  readonly body: unknown;
};

/** There is no answer, or none that can be used. */
export type LocalError = {
  readonly [Kind in keyof LocalCodes]: {
    readonly kind: Kind;
    readonly code: LocalCodes[Kind];
    readonly message: string;
    /** What the runtime threw, if anything. */
    readonly cause?: unknown;
  };
}[keyof LocalCodes];

type LocalCodes = {
  /** The server cannot be reached, or the connection broke. */
  readonly network: 'NETWORK_ERROR';
  readonly timeout: 'REQUEST_TIMEOUT';
  /** The caller's signal ended the call. */
  readonly aborted: 'ABORTED';
  /** The answer is not of this API: a page of a proxy, for example. */
  readonly malformed: 'MALFORMED_RESPONSE';
  /** The answer does not say that it includes the slot of `minContextSlot`. The hosted API never does. */
  readonly stale: 'SLOT_NOT_INCLUDED';
  /** The request cannot be sent: a path parameter is missing, or `minContextSlot` is not a slot. */
  readonly invalid: 'INVALID_CALL';
  /** A list of pages does not end: the server returned a page twice. */
  readonly loop: 'REPEATED_PAGE';
};

/** Why a call has no answer. Distinguish by `kind` or by `code`. */
export type ApiError = HttpError | LocalError;

type Kind = keyof LocalCodes;

const codes: LocalCodes = {
  network: 'NETWORK_ERROR',
  timeout: 'REQUEST_TIMEOUT',
  aborted: 'ABORTED',
  malformed: 'MALFORMED_RESPONSE',
  stale: 'SLOT_NOT_INCLUDED',
  invalid: 'INVALID_CALL',
  loop: 'REPEATED_PAGE',
};

export function localError(kind: Kind, message: string, cause?: unknown): LocalError {
  // the compiler does not relate the kind to its code
  return { kind, code: codes[kind], message, ...(cause !== undefined && { cause }) } as LocalError;
}

/** The data of an answer. Throws an `Error` whose `cause` is the `ApiError`, for scripts that end with the first error. */
export function unwrap<Data>(result: Result<Data>): Data {
  if (result.ok) return result.data;
  const { error } = result;
  throw new Error(`${error.code}: ${error.message}`, { cause: error });
}

export const failure = (error: ApiError): Failure => ({ ok: false, error });
