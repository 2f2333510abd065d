import { CodedError } from '../base/errors.ts';

/** Returns the result of `run`, or the coded error that it throws. */
export function resultOrError<Value>(run: () => Value): Value | CodedError {
  try {
    return run();
  } catch (error) {
    if (error instanceof CodedError) return error;
    throw error;
  }
}
