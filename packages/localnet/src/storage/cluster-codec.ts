import { deserialize, serialize } from 'node:v8';
import type { KeptCluster, KeptSlot } from './cluster-snapshot.ts';
import { joinParts, splitParts } from './length-prefix.ts';
import { decodeTransactions, encodeTransactions } from './transaction-codec.ts';

type Kept = KeptCluster | KeptSlot;

/** Cannot be decoded, which is what becomes of a part that is missing. */
const NONE = new Uint8Array();

export function encodeKept({ transactions, ...rest }: Kept): Uint8Array {
  return joinParts([serialize(rest), encodeTransactions(transactions)]);
}

/** Of bytes that are known to be whole. */
export function decodeCluster(bytes: Uint8Array): KeptCluster {
  const { first, transactions } = decodeParts(bytes);
  const rest: Omit<KeptCluster, 'transactions'> = deserialize(first);
  return { ...rest, transactions };
}

/** Of bytes that are known to be whole. */
export function decodeSlot(bytes: Uint8Array): KeptSlot {
  const { first, transactions } = decodeParts(bytes);
  const rest: Omit<KeptSlot, 'transactions'> = deserialize(first);
  return { ...rest, transactions };
}

function decodeParts(bytes: Uint8Array) {
  const [first = NONE, second = NONE] = splitParts(bytes);
  return { first, transactions: decodeTransactions(second) };
}
