import { hasCode } from '#core/base/errors.ts';

/** The name of the program's error that an action is refused with, undefined if it is not refused. */
export function programErrorName(action: () => unknown): string | undefined {
  try {
    action();
  } catch (error) {
    if (hasCode(error, 'PROGRAM_REFUSES')) return error.context.name;
    throw error;
  }
  return undefined;
}
