import type { Address } from '../../../base/encoding/address.ts';
import { CodedError } from '../../../base/errors.ts';
import type { RawAccount } from '../../../base/solana/account.ts';
import {
  type AddressLookupTable,
  addressLookupTable,
  NOT_DEACTIVATED,
} from '../../../protocol/spl/layout/address-lookup-table.ts';
import {
  type AddressLookup,
  accountsOfMessage,
  type Message,
  type MessageAccount,
} from '../../../protocol/spl/transaction/message.ts';
import type { WireTransaction } from './wire-transaction.ts';

/** A transaction with all its accounts, including those from lookup tables. */
export type LoadedMessage = WireTransaction & {
  readonly accounts: readonly MessageAccount[];
  readonly tables: readonly LoadedLookupTable[];
};

/** The addresses that a transaction loads from a table, in the order of its indexes. */
export type LoadedLookupTable = {
  readonly address: Address;
  /** Being deactivated. */
  readonly isClosing: boolean;
  readonly writable: readonly Address[];
  readonly readonly: readonly Address[];
};

/** Finds a table; undefined if it does not exist. */
export type LookupTableSource = (address: Address) => AddressLookupTable | undefined;

const OTHER_TABLES = 'Use lookup tables of this cluster, or none.';

/** More than fit into a transaction, and less than the limit of one RPC request. */
const MAX_TABLES = 32;

/** Bytes to read to recognize a table: the longest table plus one byte. */
export const MAX_LOOKUP_TABLE_BYTES = addressLookupTable.size + 256 * 32 + 1;

/** Without duplicates. */
export function lookupTableAddresses({
  message: { lookups },
}: WireTransaction): readonly Address[] {
  const tables = [...new Set(lookups.map(({ table }) => table))];
  if (tables.length <= MAX_TABLES) return tables;
  throw unusable(`it uses ${tables.length} lookup tables; the maximum is ${MAX_TABLES}`);
}

/** Throws if the account is not a lookup table. */
export function decodeLookupTable(
  address: Address,
  account: RawAccount | undefined,
): AddressLookupTable | undefined {
  if (account === undefined) return undefined;
  if (addressLookupTable.matches(account)) return addressLookupTable.decode(account);
  throw unusable(`the account ${address} is not a lookup table`);
}

export function loadMessage(wire: WireTransaction, tableOf: LookupTableSource): LoadedMessage {
  const { message } = wire;
  const tables = message.lookups.map((lookup) => loadTable(lookup, tableOf(lookup.table)));
  return { ...wire, accounts: accountsOf(message, tables), tables };
}

function accountsOf(message: Message, tables: readonly LoadedLookupTable[]): MessageAccount[] {
  return accountsOfMessage(message, {
    writable: tables.flatMap(({ writable }) => writable),
    readonly: tables.flatMap((table) => table.readonly),
  });
}

function loadTable(
  lookup: AddressLookup,
  table: AddressLookupTable | undefined,
): LoadedLookupTable {
  const { table: address, writableIndexes, readonlyIndexes } = lookup;
  if (table === undefined) throw unusable(`the lookup table ${address} does not exist`);
  const { addresses, deactivationSlot } = table;
  const resolve = (index: number): Address => {
    const found = addresses[index];
    if (found !== undefined) return found;
    throw unusable(
      `it uses index ${index} of the lookup table ${address}, which has ${addresses.length} addresses`,
    );
  };
  return {
    address,
    isClosing: deactivationSlot !== NOT_DEACTIVATED,
    writable: writableIndexes.map(resolve),
    readonly: readonlyIndexes.map(resolve),
  };
}

const unusable = (reason: string): CodedError =>
  new CodedError('INVALID_TRANSACTION', { reason, change: OTHER_TABLES });
