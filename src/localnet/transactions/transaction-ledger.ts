import type { Address } from '../../base/address.ts';
import type { Slot } from '../../base/time.ts';
import { packRecord, unpackRecord } from './packed-record.ts';
import type { TransactionRecord } from './transaction-record.ts';

/** The newest are asked for most, and stay as they are. */
const MOST_UNPACKED = 512;

type Entry = { readonly slot: Slot; readonly held: TransactionRecord | Uint8Array };

/** All transactions that were run, in their order. */
export class TransactionLedger {
  readonly #entries: Entry[] = [];
  readonly #places = new Map<string, number>();
  readonly #byAddress = new Map<Address, number[]>();
  readonly #bySlot = new Map<Slot, number[]>();
  /** So many of the oldest are packed. */
  #packed = 0;

  get size(): number {
    return this.#entries.length;
  }

  add(record: TransactionRecord): void {
    const place = this.#entries.length;
    this.#entries.push({ slot: record.time.slot, held: record });
    this.#places.set(record.signature, place);
    listOf(this.#bySlot, record.time.slot).push(place);
    for (const { address } of record.accounts) listOf(this.#byAddress, address).push(place);
  }

  /** Packs so many more of those that are not among the newest: it takes longer than adding them. */
  packOld(count: number): void {
    const end = Math.min(this.#packed + count, this.#entries.length - MOST_UNPACKED);
    for (; this.#packed < end; this.#packed++) {
      const entry = this.#entries[this.#packed];
      if (entry === undefined || entry.held instanceof Uint8Array) continue;
      this.#entries[this.#packed] = { ...entry, held: packRecord(entry.held) };
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

  #at(place: number | undefined): TransactionRecord | undefined {
    const entry = place === undefined ? undefined : this.#entries[place];
    return entry && recordOf(entry);
  }
}

const recordOf = ({ held }: Entry): TransactionRecord =>
  held instanceof Uint8Array ? unpackRecord(held) : held;

function listOf<Key>(lists: Map<Key, number[]>, key: Key): number[] {
  const list = lists.get(key) ?? [];
  lists.set(key, list);
  return list;
}
