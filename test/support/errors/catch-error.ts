import { CodedError, hasCode } from '#server/errors.ts';

/**
 * Returns the coded error that a function throws or a promise rejects with, or undefined if it
 * succeeds. Rethrows every other error.
 */
export function catchError(action: () => unknown): CodedError | undefined;
export function catchError(action: Promise<unknown>): Promise<CodedError | undefined>;
export function catchError(action: Promise<unknown> | (() => unknown)) {
  if (action instanceof Promise) return action.then(() => undefined, codedError);
  try {
    action();
  } catch (error) {
    return codedError(error);
  }
  return undefined;
}

/** Returns the name of a program error. Rethrows an error of any other code. */
export function programErrorName(error: CodedError | undefined): string | undefined {
  if (error === undefined || hasCode(error, 'PROGRAM_REFUSES')) return error?.context.name;
  throw error;
}

function codedError(error: unknown): CodedError {
  if (error instanceof CodedError) return error;
  throw error;
}
