import { addressAt } from '../bytes/base58.ts';
import { decodeBase64 } from '../bytes/base64.ts';
import { readUint } from '../bytes/byte-reader.ts';
import { parseTransaction } from '../bytes/parse-transaction.ts';
import { LOOKUP_TABLE_PROGRAM } from '../bytes/programs.ts';
import type { LookupTables } from '../bytes/resolve-accounts.ts';
import { type ReadOptions, readAccounts } from './read-accounts.ts';

const HEADER_BYTES = 56;
const ENTRY_BYTES = 32;
/** The first four bytes of a table that is in use. */
const INITIALIZED = 1n;

/**
 * Reads the lookup tables that a transaction names, from a node that you trust. A table that does not exist is left out,
 * so the transaction stays undecided. Empty for bytes that are no transaction.
 */
export async function readLookupTables(
  rpcUrl: string,
  transaction: string | Uint8Array,
  options: ReadOptions = {},
): Promise<LookupTables> {
  const bytes = typeof transaction === 'string' ? decodeBase64(transaction) : transaction;
  const parsed = bytes === undefined ? undefined : parseTransaction(bytes);
  if (parsed === undefined || 'code' in parsed) return {};
  const addresses = parsed.lookups.map(({ table }) => table);
  if (addresses.length === 0) return {};
  const accounts = await readAccounts(rpcUrl, addresses, options);
  const tables: Record<string, readonly string[]> = {};
  for (const [address, { owner, data }] of accounts) {
    const isTable =
      owner === LOOKUP_TABLE_PROGRAM &&
      data.length >= HEADER_BYTES &&
      readUint(data, 0, 4) === INITIALIZED;
    if (isTable) tables[address] = entriesOf(data);
  }
  return tables;
}

function entriesOf(data: Uint8Array): string[] {
  const count = Math.floor((data.length - HEADER_BYTES) / ENTRY_BYTES);
  return Array.from({ length: count }, (_, i) => addressAt(data, HEADER_BYTES + i * ENTRY_BYTES));
}
