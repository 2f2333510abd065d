import { CodedError } from '../base/errors.ts';

/** What our model of a program gives, or the failure that it ends with. */
export function resultOrError<Value>(run: () => Value): Value | CodedError {
  try {
    return run();
  } catch (error) {
    if (error instanceof CodedError) return error;
    throw error;
  }
}
