import { CodedError } from '#core/base/errors.ts';

/** The coded error that something asynchronous fails with; it is an error if it does not. */
export async function catchAsyncError(action: Promise<unknown>): Promise<CodedError> {
  try {
    await action;
  } catch (error) {
    if (error instanceof CodedError) return error;
    throw error;
  }
  throw new Error('it did not fail');
}
