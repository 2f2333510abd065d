import { deserialize, serialize } from 'node:v8';
import { type Address, concatBytes, type Slot } from '@tidegate/core/base';
import type { PackedTransaction } from '../runtime/transactions/packed-transaction.ts';
import { decodeLengthPrefixed, encodeLengthPrefixed } from './length-prefix.ts';

/** An address that many name is there once; a row says where in `addresses` those that it names are. */
type Index = {
  readonly addresses: readonly Address[];
  readonly rows: readonly Row[];
};

type Row = readonly [signature: string, slot: Slot, size: number, places: readonly number[]];

/** The packed ones stay as they are. */
export function encodeTransactions(transactions: readonly PackedTransaction[]): Uint8Array {
  const places = new Map<Address, number>();
  const placeOf = (address: Address): number => {
    const place = places.get(address) ?? places.size;
    places.set(address, place);
    return place;
  };
  const rows = transactions.map(
    ({ signature, slot, addresses, packed }): Row =>
      [signature, slot, packed.length, addresses.map(placeOf)] as const,
  );
  const index: Index = { addresses: [...places.keys()], rows };
  const packed = concatBytes(transactions.map((each) => each.packed));
  return encodeLengthPrefixed([serialize(index), packed]);
}

/** The packed ones are views on one copy of all of them, which holds on to nothing else of the bytes. */
export function decodeTransactions(bytes: Uint8Array): PackedTransaction[] {
  const [first = new Uint8Array(), second = new Uint8Array()] = decodeLengthPrefixed(bytes);
  const { addresses, rows }: Index = deserialize(first);
  const all = new Uint8Array(second);
  let end = 0;
  return rows.map(([signature, slot, size, places]) => {
    const start = end;
    end += size;
    return {
      ...{ signature, slot, packed: all.subarray(start, end) },
      addresses: places.flatMap((place) => addresses[place] ?? []),
    };
  });
}
