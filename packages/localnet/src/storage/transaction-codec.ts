import { deserialize, serialize } from 'node:v8';
import { type Address, concatBytes, type Slot, type UnixSeconds } from '@tidegate/core/base';
import type { TransactionError } from '../runtime/transaction-errors.ts';
import type { PackedTransaction } from '../runtime/transactions/packed-transaction.ts';
import type { TransactionSummary } from '../runtime/transactions/transaction-summary.ts';
import { decodeLengthPrefixed, encodeLengthPrefixed } from './length-prefix.ts';

/** Each address is stored once; rows refer to addresses by index. */
type Index = {
  readonly addresses: readonly Address[];
  readonly rows: readonly Row[];
};

type Row = readonly [
  signature: string,
  slot: Slot,
  size: number,
  indexes: readonly number[],
  /** Rows of older releases have none. */
  summary?: SummaryFields,
];

type SummaryFields = readonly [
  unix: UnixSeconds,
  error?: TransactionError | undefined,
  memo?: string | undefined,
];

/** Leaves the packed records as they are. */
export function encodeTransactions(transactions: readonly PackedTransaction[]): Uint8Array {
  const indexes = new Map<Address, number>();
  const indexOf = (address: Address): number => {
    const addressIndex = indexes.get(address) ?? indexes.size;
    indexes.set(address, addressIndex);
    return addressIndex;
  };
  const rows = transactions.map(({ signature, slot, addresses, packed, summary }): Row => {
    const indexed = addresses.map(indexOf);
    return summary === undefined
      ? [signature, slot, packed.length, indexed]
      : [signature, slot, packed.length, indexed, encodeSummary(summary)];
  });
  const index: Index = { addresses: [...indexes.keys()], rows };
  const packed = concatBytes(transactions.map((transaction) => transaction.packed));
  return encodeLengthPrefixed([serialize(index), packed]);
}

/** The packed records are views on one copy that retains nothing else of the input. */
export function decodeTransactions(bytes: Uint8Array): PackedTransaction[] {
  const [first = new Uint8Array(), second = new Uint8Array()] = decodeLengthPrefixed(bytes);
  const { addresses, rows }: Index = deserialize(first);
  const records = new Uint8Array(second);
  let end = 0;
  return rows.map((row) => {
    const [signature, slot, size, indexes] = row;
    const start = end;
    end += size;
    return {
      signature,
      slot,
      packed: records.subarray(start, end),
      addresses: indexes.flatMap((i) => addresses[i] ?? []),
      summary: decodeSummary(row),
    };
  });
}

/** Most transactions have neither an error nor a memo. */
function encodeSummary({ time, error, memo }: TransactionSummary): SummaryFields {
  const { unix } = time;
  return error === undefined && memo === undefined ? [unix] : [unix, error, memo];
}

function decodeSummary([signature, slot, , , summary]: Row): TransactionSummary | undefined {
  if (summary === undefined) return undefined;
  const [unix, error, memo] = summary;
  return { signature, time: { slot, unix }, error, memo };
}
