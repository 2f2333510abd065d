import type { Address } from '../base/encoding/address.ts';
import { compareAddresses } from '../base/encoding/address-order.ts';
import { CodedError } from '../base/errors.ts';
import { READ, type Role, SIGN, SIGN_WRITE, WRITE } from '../base/solana/instruction.ts';
import {
  type AddressLookup,
  countAccounts,
  type Message,
  type MessageHeader,
} from '../protocol/spl/transaction/message.ts';
import { EMPTY_SIGNATURE, encodeWireTransaction } from '../protocol/spl/transaction/wire.ts';
import { type AccountRoles, accountRoles } from './account-roles.ts';
import type { Build, LookupTable } from './build.ts';

export type UnsignedTransaction = {
  readonly message: Message;
  /** Wire format, with zeros for the signature. */
  readonly wire: Uint8Array;
  readonly bytes: number;
};

/** The size of a network packet, and the number of accounts that a transaction may lock. */
const MAX_BYTES = 1232;
const MAX_ACCOUNTS = 64;

/** Signers first, writable accounts before read-only ones. */
const staticOrder: readonly Role[] = [SIGN_WRITE, SIGN, WRITE, READ];

/** Deterministic: the same build and blockhash give the same bytes as `@solana/kit`. */
export function compileTransaction(
  { wallet, instructions, lookupTables }: Pick<Build, 'wallet' | 'instructions' | 'lookupTables'>,
  blockhash: string,
): UnsignedTransaction {
  const accounts = accountRoles(wallet, instructions);
  const loads = loadsOf(lookupTables, accounts);
  const loaded = new Set(loads.flatMap(({ writable, readonly }) => [...writable, ...readonly]));
  const staticKeys = orderStatic(wallet, accounts, loaded);
  const keys = [
    ...staticKeys,
    ...loads.flatMap(({ writable }) => writable),
    ...loads.flatMap(({ readonly }) => readonly),
  ];
  const indexes = new Map(keys.map((address, index) => [address, index]));
  const indexOf = (address: Address): number => indexes.get(address) ?? 0;
  const header = headerOf(staticKeys, accounts);
  const message: Message = {
    version: 0,
    header,
    staticKeys,
    recentBlockhash: blockhash,
    instructions: instructions.map(({ programAddress, accounts, data }) => ({
      programIndex: indexOf(programAddress),
      accountIndexes: accounts.map(({ address }) => indexOf(address)),
      data,
    })),
    lookups: loads.map(({ lookup }) => lookup),
  };
  const signatures = new Array<string>(header.numRequiredSignatures).fill(EMPTY_SIGNATURE);
  const wire = encodeWireTransaction({ signatures, message });
  return { message, wire, bytes: wire.length };
}

/** Throws if the transaction exceeds a cluster limit. */
export function requireTransactionSize({ bytes, message }: UnsignedTransaction): void {
  if (bytes > MAX_BYTES) {
    throw new CodedError('TRANSACTION_SIZE_ERROR', {
      size: bytes,
      unit: 'bytes',
      limit: MAX_BYTES,
    });
  }
  const accounts = countAccounts(message);
  if (accounts > MAX_ACCOUNTS) {
    throw new CodedError('TRANSACTION_SIZE_ERROR', {
      size: accounts,
      unit: 'accounts',
      limit: MAX_ACCOUNTS,
    });
  }
}

/** Accounts from one table, in message order. */
type Load = {
  readonly lookup: AddressLookup;
  readonly writable: readonly Address[];
  readonly readonly: readonly Address[];
};

/** An address in two tables comes from the first. A table that supplies nothing is omitted. */
function loadsOf(tables: readonly LookupTable[], { roles, loadable }: AccountRoles): Load[] {
  const left = new Set(loadable);
  const loads = tables.map(({ address: table, addresses }): Load => {
    const indexes = new Map<Address, number>();
    addresses.forEach((address, index) => {
      if (left.delete(address)) indexes.set(address, index);
    });
    const loaded = [...indexes.keys()].sort(compareAddresses);
    const writable = loaded.filter((address) => roles.get(address) === WRITE);
    const readonly = loaded.filter((address) => roles.get(address) === READ);
    const indexesOf = (list: readonly Address[]) =>
      list.map((address) => indexes.get(address) ?? 0);
    const lookup = {
      table,
      writableIndexes: indexesOf(writable),
      readonlyIndexes: indexesOf(readonly),
    };
    return { lookup, writable, readonly };
  });
  return loads
    .filter(({ writable, readonly }) => writable.length + readonly.length > 0)
    .sort((a, b) => compareAddresses(a.lookup.table, b.lookup.table));
}

function orderStatic(
  wallet: Address,
  { roles }: AccountRoles,
  loaded: ReadonlySet<Address>,
): Address[] {
  const others = [...roles.keys()].filter((address) => address !== wallet && !loaded.has(address));
  others.sort(compareAddresses);
  const ordered = staticOrder.flatMap((role) =>
    others.filter((address) => roles.get(address) === role),
  );
  return [wallet, ...ordered];
}

function headerOf(staticKeys: readonly Address[], { roles }: AccountRoles): MessageHeader {
  const count = (role: Role) => staticKeys.filter((address) => roles.get(address) === role).length;
  const [readonlySigners, readonly] = [count(SIGN), count(READ)];
  return {
    numRequiredSignatures: count(SIGN_WRITE) + readonlySigners,
    numReadonlySignedAccounts: readonlySigners,
    numReadonlyUnsignedAccounts: readonly,
  };
}
