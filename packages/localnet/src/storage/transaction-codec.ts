import { deserialize, serialize } from 'node:v8';
import { type Address, concatBytes, type Slot } from '@tidegate/core/base';
import type { PackedTransaction } from '../runtime/transactions/packed-transaction.ts';
import { decodeLengthPrefixed, encodeLengthPrefixed } from './length-prefix.ts';

/** Each address is stored once; rows refer to addresses by index. */
type Index = {
  readonly addresses: readonly Address[];
  readonly rows: readonly Row[];
};

type Row = readonly [signature: string, slot: Slot, size: number, indexes: readonly number[]];

/** Leaves the packed records as they are. */
export function encodeTransactions(transactions: readonly PackedTransaction[]): Uint8Array {
  const indexes = new Map<Address, number>();
  const indexOf = (address: Address): number => {
    const addressIndex = indexes.get(address) ?? indexes.size;
    indexes.set(address, addressIndex);
    return addressIndex;
  };
  const rows = transactions.map(
    ({ signature, slot, addresses, packed }): Row =>
      [signature, slot, packed.length, addresses.map(indexOf)] as const,
  );
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
  return rows.map(([signature, slot, size, indexes]) => {
    const start = end;
    end += size;
    return {
      signature,
      slot,
      packed: records.subarray(start, end),
      addresses: indexes.flatMap((i) => addresses[i] ?? []),
    };
  });
}
