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

/** A transaction with every account that it names, those from tables too. */
export type LoadedMessage = WireTransaction & {
  readonly accounts: readonly MessageAccount[];
  readonly tables: readonly LoadedLookupTable[];
};

/** What a transaction takes from a table, in the order of its indexes. */
export type LoadedLookupTable = {
  readonly address: Address;
  /** Being taken out of use. */
  readonly isClosing: boolean;
  readonly writable: readonly Address[];
  readonly readonly: readonly Address[];
};

/** Where a table is looked for; undefined where there is none. */
export type LookupTableSource = (address: Address) => AddressLookupTable | undefined;

const OTHER_TABLES = 'Build it with lookup tables that are on this cluster, or without any.';

/** More than a transaction has room for, less than one request to a node takes. */
const MOST_TABLES = 32;

/** What of an account to read to know whether it is a table, and which: the longest one and a byte. */
export const MAX_LOOKUP_TABLE_BYTES = addressLookupTable.size + 256 * 32 + 1;

/** Each once. */
export function lookupTableAddresses({
  message: { lookups },
}: WireTransaction): readonly Address[] {
  const tables = [...new Set(lookups.map(({ table }) => table))];
  if (tables.length <= MOST_TABLES) return tables;
  throw unusable(`it uses ${tables.length} lookup tables, and ${MOST_TABLES} are read at most`);
}

/** An account that may be a lookup table. */
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
  const take = (index: number): Address => {
    const found = addresses[index];
    if (found !== undefined) return found;
    throw unusable(
      `index ${index} of the lookup table ${address} is asked for, which has ${addresses.length} addresses`,
    );
  };
  return {
    address,
    isClosing: deactivationSlot !== NOT_DEACTIVATED,
    writable: writableIndexes.map(take),
    readonly: readonlyIndexes.map(take),
  };
}

const unusable = (reason: string): CodedError =>
  new CodedError('INVALID_TRANSACTION', { reason, change: OTHER_TABLES });
