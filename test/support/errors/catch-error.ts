import { CodedError, type ErrorCode } from '#core/base/errors.ts';

/** The code that an action fails with, undefined if it does not fail. Any other exception passes through. */
export function errorCode(action: () => unknown): ErrorCode | undefined {
  try {
    action();
  } catch (error) {
    if (error instanceof CodedError) return error.code;
    throw error;
  }
  return undefined;
}
