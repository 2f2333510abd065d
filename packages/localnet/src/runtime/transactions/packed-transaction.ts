import { deserialize, serialize } from 'node:v8';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type { Address, Slot } from '@tidegate/core/base';
import { resolveAccounts } from './load-transaction.ts';
import { receiveTransaction } from './received-transaction.ts';
import type { TransactionRecord } from './transaction-record.ts';
import type { TransactionSummary } from './transaction-summary.ts';

/** Lookup keys of a transaction, and its record as packed by `packTransaction`. */
export type PackedTransaction = {
  readonly signature: string;
  readonly slot: Slot;
  /** All addresses of the transaction, in any order. */
  readonly addresses: readonly Address[];
  readonly packed: Uint8Array;
  /** Undefined in a cluster that was stored without summaries. */
  readonly summary: TransactionSummary | undefined;
};

/** The part that cannot be derived from the wire bytes. */
type PackedFields = Omit<TransactionRecord, 'signature' | 'signatures' | 'message' | 'accounts'>;

/**
 * About a tenth of the size in memory. Copied, because the result of zlib retains its whole buffer.
 */
export function packTransaction(record: TransactionRecord): Uint8Array {
  const { signature, signatures, message, accounts, ...fields } = record;
  return new Uint8Array(deflateRawSync(serialize(fields), { level: 1 }));
}

export function unpackTransaction(packed: Uint8Array): TransactionRecord {
  const fields: PackedFields = deserialize(inflateRawSync(packed));
  const { signature, signatures, message } = receiveTransaction(fields.wire);
  const accounts = resolveAccounts(message, fields.loaded);
  return { ...fields, signature, signatures, message, accounts };
}
