import type { Address } from '../../base/address.ts';
import type { Slot } from '../../base/time.ts';
import type { TransactionRecord } from './transaction-record.ts';

/** All transactions that were run, in their order. */
export class TransactionLedger {
  readonly #entries: TransactionRecord[] = [];
  readonly #places = new Map<string, number>();
  readonly #byAddress = new Map<Address, number[]>();
  readonly #bySlot = new Map<Slot, number[]>();

  get size(): number {
    return this.#entries.length;
  }

  add(record: TransactionRecord): void {
    const place = this.#entries.length;
    this.#entries.push(record);
    this.#places.set(record.signature, place);
    listOf(this.#bySlot, record.time.slot).push(place);
    for (const { address } of record.accounts) listOf(this.#byAddress, address).push(place);
  }

  find(signature: string): TransactionRecord | undefined {
    return this.#at(this.#places.get(signature));
  }

  ofSlot(slot: Slot): TransactionRecord[] {
    return (this.#bySlot.get(slot) ?? []).flatMap((place) => this.#at(place) ?? []);
  }

  /** Those that were run after one slot and up to another, in their order. */
  between(after: Slot, upTo: Slot): readonly TransactionRecord[] {
    const endOf = (slot: Slot) => this.#entries.findLastIndex(({ time }) => time.slot <= slot) + 1;
    return this.#entries.slice(endOf(after), endOf(upTo));
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
      const record = this.#at(place);
      if (record !== undefined && place < (end ?? 0) && place > start) yield record;
    }
  }

  /** Forgets all that were run after a slot. */
  rollBack(slot: Slot): TransactionRecord[] {
    const first = this.#entries.findIndex(({ time }) => time.slot > slot);
    if (first === -1) return [];
    const dropped = this.#entries.splice(first);
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
    return place === undefined ? undefined : this.#entries[place];
  }
}

function listOf<Key>(lists: Map<Key, number[]>, key: Key): number[] {
  const list = lists.get(key) ?? [];
  lists.set(key, list);
  return list;
}
