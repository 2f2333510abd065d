import { deserialize, serialize } from 'node:v8';
import type { ClusterSnapshot, JournalEntry } from './cluster-snapshot.ts';
import { decodeLengthPrefixed, encodeLengthPrefixed } from './length-prefix.ts';
import { decodeTransactions, encodeTransactions } from './transaction-codec.ts';

type Kept = ClusterSnapshot | JournalEntry;

/** Cannot be decoded, which is what becomes of a part that is missing. */
const NONE = new Uint8Array();

export function encodeRecord({ transactions, ...rest }: Kept): Uint8Array {
  return encodeLengthPrefixed([serialize(rest), encodeTransactions(transactions)]);
}

/** Of bytes that are known to be whole. */
export function decodeClusterSnapshot(bytes: Uint8Array): ClusterSnapshot {
  const { first, transactions } = decodeParts(bytes);
  const rest: Omit<ClusterSnapshot, 'transactions'> = deserialize(first);
  return { ...rest, transactions };
}

/** Of bytes that are known to be whole. */
export function decodeJournalEntry(bytes: Uint8Array): JournalEntry {
  const { first, transactions } = decodeParts(bytes);
  const rest: Omit<JournalEntry, 'transactions'> = deserialize(first);
  return { ...rest, transactions };
}

function decodeParts(bytes: Uint8Array) {
  const [first = NONE, second = NONE] = decodeLengthPrefixed(bytes);
  return { first, transactions: decodeTransactions(second) };
}
