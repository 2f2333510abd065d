import { deserialize, serialize } from 'node:v8';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type { Address, Slot } from '@tidegate/core/base';
import { resolveAccounts } from './load-transaction.ts';
import { receiveTransaction } from './received-transaction.ts';
import type { TransactionRecord } from './transaction-record.ts';

/** What a ledger finds a transaction by, and the rest of it as `packRecord` makes it. */
export type PackedTransaction = {
  readonly signature: string;
  readonly slot: Slot;
  /** Those that it names, in any order. */
  readonly addresses: readonly Address[];
  readonly packed: Uint8Array;
};

/** What does not follow from the wire. */
type Kept = Omit<TransactionRecord, 'signature' | 'signatures' | 'message' | 'accounts'>;

/** About a tenth of what a record takes as objects. Copied, because what zlib returns holds on to its whole buffer. */
export function packTransaction(record: TransactionRecord): Uint8Array {
  const { signature, signatures, message, accounts, ...kept } = record;
  return new Uint8Array(deflateRawSync(serialize(kept), { level: 1 }));
}

export function unpackTransaction(packed: Uint8Array): TransactionRecord {
  const kept: Kept = deserialize(inflateRawSync(packed));
  const { signature, signatures, message } = receiveTransaction(kept.wire);
  const accounts = resolveAccounts(message, kept.loaded);
  return { ...kept, signature, signatures, message, accounts };
}
