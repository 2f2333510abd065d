import { deserialize, serialize } from 'node:v8';
import type { ClusterSnapshot, JournalEntry } from './cluster-snapshot.ts';
import { decodeLengthPrefixed, encodeLengthPrefixed } from './length-prefix.ts';
import { decodeTransactions, encodeTransactions } from './transaction-codec.ts';

type StorageRecord = ClusterSnapshot | JournalEntry;

/** Fails to decode, as a missing part should. */
const EMPTY = new Uint8Array();

export function encodeRecord({ transactions, ...rest }: StorageRecord): Uint8Array {
  return encodeLengthPrefixed([serialize(rest), encodeTransactions(transactions)]);
}

/** The caller has verified the checksum. */
export function decodeClusterSnapshot(bytes: Uint8Array): ClusterSnapshot {
  const { first, transactions } = decodeParts(bytes);
  const rest: Omit<ClusterSnapshot, 'transactions'> = deserialize(first);
  return { ...rest, transactions };
}

/** The caller has verified the checksum. */
export function decodeJournalEntry(bytes: Uint8Array): JournalEntry {
  const { first, transactions } = decodeParts(bytes);
  const rest: Omit<JournalEntry, 'transactions'> = deserialize(first);
  return { ...rest, transactions };
}

function decodeParts(bytes: Uint8Array) {
  const [first = EMPTY, second = EMPTY] = decodeLengthPrefixed(bytes);
  return { first, transactions: decodeTransactions(second) };
}
