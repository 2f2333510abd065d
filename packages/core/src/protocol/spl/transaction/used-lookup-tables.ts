import type { Address } from '../../../base/encoding/address.ts';
import { parseSignedMessage } from './json-message.ts';
import { toJsonObject } from './json-values.ts';

/** The lookup tables that a transaction loads addresses from. Takes the result of `getTransaction`. */
export function listUsedLookupTables(response: unknown): readonly Address[] {
  const { transaction, version } = toJsonObject(response, 'the response');
  return parseSignedMessage(transaction, version).message.lookups.map(({ table }) => table);
}
