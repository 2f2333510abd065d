import { deserialize, serialize } from 'node:v8';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { usedAccounts } from './load-transaction.ts';
import { receiveTransaction } from './received-transaction.ts';
import type { TransactionRecord } from './transaction-record.ts';

/** What does not follow from the wire. */
type Kept = Omit<TransactionRecord, 'signature' | 'signatures' | 'message' | 'accounts'>;

/** About a tenth of what a record takes as objects. */
export function packRecord(record: TransactionRecord): Uint8Array {
  const { signature, signatures, message, accounts, ...kept } = record;
  return deflateRawSync(serialize(kept), { level: 1 });
}

export function unpackRecord(packed: Uint8Array): TransactionRecord {
  const kept: Kept = deserialize(inflateRawSync(packed));
  const { signature, signatures, message } = receiveTransaction(kept.wire);
  const accounts = usedAccounts(message, kept.loaded);
  return { ...kept, signature, signatures, message, accounts };
}
