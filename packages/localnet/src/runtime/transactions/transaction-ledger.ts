import type { Address, Slot } from '@tidegate/core/base';
import {
  type PackedTransaction,
  packTransaction,
  unpackTransaction,
} from './packed-transaction.ts';
import type { TransactionRecord } from './transaction-record.ts';
import { summarizeTransaction, type TransactionSummary } from './transaction-summary.ts';

/** The newest are read most and stay unpacked. */
const MAX_UNPACKED = 512;

/** Unpacked, packed, or both. */
type StoredRecord =
  | { readonly record: TransactionRecord; readonly packed?: Uint8Array }
  | { readonly record?: undefined; readonly packed: Uint8Array };

type Entry = {
  readonly signature: string;
  readonly slot: Slot;
  stored: StoredRecord;
  /** Computed when it is first needed. */
  summary: TransactionSummary | undefined;
};

/** All executed transactions, in order. */
export class TransactionLedger {
  readonly #entries: Entry[] = [];
  readonly #indexes = new Map<string, number>();
  readonly #byAddress = new Map<Address, number[]>();
  readonly #bySlot = new Map<Slot, number[]>();
  /** Number of oldest entries that are only packed. */
  #packed = 0;

  get size(): number {
    return this.#entries.length;
  }

  add(record: TransactionRecord): void {
    const { signature, accounts, time } = record;
    const addresses = accounts.map(({ address }) => address);
    this.#insert({ signature, slot: time.slot, stored: { record }, summary: undefined }, addresses);
  }

  /** Appends a transaction without unpacking it. */
  addPacked({ signature, slot, addresses, packed, summary }: PackedTransaction): void {
    if (this.#packed === this.#entries.length) this.#packed++;
    this.#insert({ signature, slot, stored: { packed }, summary }, addresses);
  }

  /** All transactions in order. Packs those that are not packed yet. */
  packedEntries(): PackedTransaction[] {
    const addressLists: Address[][] = this.#entries.map(() => []);
    for (const [address, indexes] of this.#byAddress) {
      for (const index of indexes) addressLists[index]?.push(address);
    }
    return this.#entries.map((entry, index) => toPacked(entry, addressLists[index] ?? []));
  }

  packedInSlot(slot: Slot): PackedTransaction[] {
    const entries = (this.#bySlot.get(slot) ?? []).flatMap((index) => this.#entries[index] ?? []);
    return entries.map((entry) => {
      const addresses = recordOf(entry).accounts.map(({ address }) => address);
      return toPacked(entry, addresses);
    });
  }

  /** Packs up to `count` more old transactions: packing takes longer than adding. */
  packOld(count: number): void {
    const end = Math.min(this.#packed + count, this.#entries.length - MAX_UNPACKED);
    for (; this.#packed < end; this.#packed++) {
      const entry = this.#entries[this.#packed];
      if (entry === undefined) continue;
      summaryOf(entry);
      entry.stored = { packed: packedOf(entry) };
    }
  }

  /** Undefined for unknown transactions. Does not unpack them. */
  slotOf(signature: string): Slot | undefined {
    return this.#entryAt(this.#indexes.get(signature))?.slot;
  }

  find(signature: string): TransactionRecord | undefined {
    return this.#at(this.#indexes.get(signature));
  }

  inSlot(slot: Slot): TransactionRecord[] {
    return (this.#bySlot.get(slot) ?? []).flatMap((index) => this.#at(index) ?? []);
  }

  /** Transactions after one slot and up to another, in order. */
  between(after: Slot, upTo: Slot): readonly TransactionRecord[] {
    const endOf = (slot: Slot) => this.#entries.findLastIndex((entry) => entry.slot <= slot) + 1;
    return this.#entries.slice(endOf(after), endOf(upTo)).map(recordOf);
  }

  /** Slots with transactions, oldest first. */
  slots(): Iterable<Slot> {
    return this.#bySlot.keys();
  }

  /**
   * Transactions of an address, newest first, optionally before one signature and after another.
   * Unpacks none, unless they were stored without summaries.
   */
  *forAddress(
    address: Address,
    { before, until }: { readonly before?: string; readonly until?: string } = {},
  ): Iterable<TransactionSummary> {
    const indexes = this.#byAddress.get(address) ?? [];
    const end = before === undefined ? this.#entries.length : (this.#indexes.get(before) ?? 0);
    const start = until === undefined ? -1 : (this.#indexes.get(until) ?? -1);
    for (let i = indexes.length - 1; i >= 0; i--) {
      const index = indexes[i] ?? -1;
      if (index <= start) return;
      const entry = index < end ? this.#entryAt(index) : undefined;
      if (entry !== undefined) yield summaryOf(entry);
    }
  }

  /** Removes all transactions after a slot and returns them. */
  rollBack(slot: Slot): TransactionRecord[] {
    const first = this.#entries.findIndex((entry) => entry.slot > slot);
    if (first === -1) return [];
    const dropped = this.#entries.splice(first).map(recordOf);
    this.#packed = Math.min(this.#packed, first);
    for (const { signature, accounts, time } of dropped) {
      this.#indexes.delete(signature);
      this.#bySlot.delete(time.slot);
      for (const { address } of accounts) {
        const indexes = this.#byAddress.get(address)?.filter((index) => index < first);
        if (indexes !== undefined) this.#byAddress.set(address, indexes);
      }
    }
    return dropped;
  }

  #insert(entry: Entry, addresses: readonly Address[]): void {
    const index = this.#entries.length;
    this.#entries.push(entry);
    this.#indexes.set(entry.signature, index);
    listOf(this.#bySlot, entry.slot).push(index);
    for (const address of addresses) listOf(this.#byAddress, address).push(index);
  }

  #at(index: number | undefined): TransactionRecord | undefined {
    const entry = this.#entryAt(index);
    return entry && recordOf(entry);
  }

  #entryAt(index: number | undefined): Entry | undefined {
    return index === undefined ? undefined : this.#entries[index];
  }
}

const recordOf = ({ stored }: Entry): TransactionRecord =>
  stored.record === undefined ? unpackTransaction(stored.packed) : stored.record;

function summaryOf(entry: Entry): TransactionSummary {
  entry.summary ??= summarizeTransaction(recordOf(entry));
  return entry.summary;
}

const toPacked = (entry: Entry, addresses: readonly Address[]): PackedTransaction => ({
  signature: entry.signature,
  slot: entry.slot,
  addresses,
  packed: packedOf(entry),
  summary: summaryOf(entry),
});

/** Packs once and caches the result. */
function packedOf(entry: Entry): Uint8Array {
  const { stored } = entry;
  if (stored.record === undefined) return stored.packed;
  const packed = stored.packed ?? packTransaction(stored.record);
  entry.stored = { record: stored.record, packed };
  return packed;
}

function listOf<Key>(lists: Map<Key, number[]>, key: Key): number[] {
  const list = lists.get(key) ?? [];
  lists.set(key, list);
  return list;
}
