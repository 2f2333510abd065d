import { CodedError, type ErrorCode } from '../errors.ts';

/** An error as a message between processes can contain it. */
export type ProcessFailure =
  | { readonly code: ErrorCode; readonly context: CodedError['context'] }
  | { readonly message: string; readonly fields: Readonly<Record<string, unknown>> };

export function toProcessFailure(error: unknown): ProcessFailure {
  if (error instanceof CodedError) return { code: error.code, context: error.context };
  if (!(error instanceof Error)) return { message: String(error), fields: {} };
  // of a database: SQLSTATE, detail and constraint; of a file: code and path
  const fields = Object.entries(error).filter(([, value]) => typeof value === 'string');
  return { message: error.message, fields: { ...Object.fromEntries(fields), stack: error.stack } };
}

export function fromProcessFailure(failure: ProcessFailure): Error {
  if ('code' in failure) return new CodedError<ErrorCode>(failure.code, failure.context);
  return Object.assign(new Error(failure.message), failure.fields);
}
