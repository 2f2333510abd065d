import type { Address, Slot } from '@tidegate/core/base';
import {
  type PackedTransaction,
  packTransaction,
  unpackTransaction,
} from './packed-transaction.ts';
import type { TransactionRecord } from './transaction-record.ts';

/** The newest are asked for most, and stay as they are. */
const MOST_UNPACKED = 512;

/** In one form or in both. */
type Held =
  | { readonly record: TransactionRecord; readonly packed?: Uint8Array }
  | { readonly record?: undefined; readonly packed: Uint8Array };

type Entry = { readonly signature: string; readonly slot: Slot; held: Held };

/** All transactions that were run, in their order. */
export class TransactionLedger {
  readonly #entries: Entry[] = [];
  readonly #places = new Map<string, number>();
  readonly #byAddress = new Map<Address, number[]>();
  readonly #bySlot = new Map<Slot, number[]>();
  /** So many of the oldest are packed and nothing else. */
  #packed = 0;

  get size(): number {
    return this.#entries.length;
  }

  add(record: TransactionRecord): void {
    const { signature, accounts, time } = record;
    const addresses = accounts.map(({ address }) => address);
    this.#enter({ signature, slot: time.slot, held: { record } }, addresses);
  }

  /** After those that are there, without unpacking it. */
  addPacked({ signature, slot, addresses, packed }: PackedTransaction): void {
    if (this.#packed === this.#entries.length) this.#packed++;
    this.#enter({ signature, slot, held: { packed } }, addresses);
  }

  /** All of them, in their order; only those that were not packed yet take time. */
  packedEntries(): PackedTransaction[] {
    const named: Address[][] = this.#entries.map(() => []);
    for (const [address, places] of this.#byAddress) {
      for (const place of places) named[place]?.push(address);
    }
    return this.#entries.map((entry, place) => {
      const { signature, slot } = entry;
      return { signature, slot, addresses: named[place] ?? [], packed: packedOf(entry) };
    });
  }

  packedOfSlot(slot: Slot): PackedTransaction[] {
    const entries = (this.#bySlot.get(slot) ?? []).flatMap((place) => this.#entries[place] ?? []);
    return entries.map((entry) => {
      const addresses = recordOf(entry).accounts.map(({ address }) => address);
      return { signature: entry.signature, slot, addresses, packed: packedOf(entry) };
    });
  }

  /** Packs so many more of those that are not among the newest: it takes longer than adding them. */
  packOld(count: number): void {
    const end = Math.min(this.#packed + count, this.#entries.length - MOST_UNPACKED);
    for (; this.#packed < end; this.#packed++) {
      const entry = this.#entries[this.#packed];
      if (entry !== undefined) entry.held = { packed: packedOf(entry) };
    }
  }

  find(signature: string): TransactionRecord | undefined {
    return this.#at(this.#places.get(signature));
  }

  ofSlot(slot: Slot): TransactionRecord[] {
    return (this.#bySlot.get(slot) ?? []).flatMap((place) => this.#at(place) ?? []);
  }

  /** Those that were run after one slot and up to another, in their order. */
  between(after: Slot, upTo: Slot): readonly TransactionRecord[] {
    const endOf = (slot: Slot) => this.#entries.findLastIndex((each) => each.slot <= slot) + 1;
    return this.#entries.slice(endOf(after), endOf(upTo)).map(recordOf);
  }

  /** Slots with transactions, from the oldest. */
  slots(): Iterable<Slot> {
    return this.#bySlot.keys();
  }

  /** Newest first: what named the address, before one transaction and after another if they are given. */
  *ofAddress(
    address: Address,
    { before, until }: { readonly before?: string; readonly until?: string } = {},
  ): Iterable<TransactionRecord> {
    const places = this.#byAddress.get(address) ?? [];
    const end = before === undefined ? this.#entries.length : this.#places.get(before);
    const start = until === undefined ? -1 : (this.#places.get(until) ?? -1);
    for (const place of places.toReversed()) {
      const record = place < (end ?? 0) && place > start ? this.#at(place) : undefined;
      if (record !== undefined) yield record;
    }
  }

  /** Forgets all that were run after a slot. */
  rollBack(slot: Slot): TransactionRecord[] {
    const first = this.#entries.findIndex((each) => each.slot > slot);
    if (first === -1) return [];
    const dropped = this.#entries.splice(first).map(recordOf);
    this.#packed = Math.min(this.#packed, first);
    for (const { signature, accounts, time } of dropped) {
      this.#places.delete(signature);
      this.#bySlot.delete(time.slot);
      for (const { address } of accounts) {
        const places = this.#byAddress.get(address)?.filter((place) => place < first);
        if (places !== undefined) this.#byAddress.set(address, places);
      }
    }
    return dropped;
  }

  #enter(entry: Entry, addresses: readonly Address[]): void {
    const place = this.#entries.length;
    this.#entries.push(entry);
    this.#places.set(entry.signature, place);
    listOf(this.#bySlot, entry.slot).push(place);
    for (const address of addresses) listOf(this.#byAddress, address).push(place);
  }

  #at(place: number | undefined): TransactionRecord | undefined {
    const entry = place === undefined ? undefined : this.#entries[place];
    return entry && recordOf(entry);
  }
}

const recordOf = ({ held }: Entry): TransactionRecord =>
  held.record === undefined ? unpackTransaction(held.packed) : held.record;

/** Packed once, and kept with the entry. */
function packedOf(entry: Entry): Uint8Array {
  const { held } = entry;
  if (held.record === undefined) return held.packed;
  const packed = held.packed ?? packTransaction(held.record);
  entry.held = { record: held.record, packed };
  return packed;
}

function listOf<Key>(lists: Map<Key, number[]>, key: Key): number[] {
  const list = lists.get(key) ?? [];
  lists.set(key, list);
  return list;
}
