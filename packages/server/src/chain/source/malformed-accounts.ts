import { hasCode } from '../../errors.ts';
import type { SourceAlarms } from './source-alarms.ts';

/** Where accounts come from. */
export type AccountOrigin = {
  readonly name: string;
  readonly alarms: SourceAlarms | undefined;
};

/** Parses an account. One that cannot exist is an alarm of its source, and the error goes on. */
export function parseAccountOf<Value>({ name, alarms }: AccountOrigin, parse: () => Value): Value {
  try {
    return parse();
  } catch (error) {
    if (hasCode(error, 'MALFORMED_DATA') || hasCode(error, 'INVALID_ADDRESS')) {
      alarms?.raise('malformed-accounts', name, error.message);
    }
    throw error;
  }
}
