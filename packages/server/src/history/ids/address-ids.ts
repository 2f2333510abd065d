import { type Address, addressFromBytes, addressToBytes, CodedError } from '@tidegate/core/base';
import { type Kysely, sql } from 'kysely';
import { toArrayElement } from '../schema/columns.ts';
import type { HistoryTables } from '../schema/tables.ts';

/** The cache is cleared at this size. */
const MAX_CACHED = 500_000;

/**
 * Maps addresses to the ids by which rows refer to them. An id never changes, and concurrent writers agree on it. Ids
 * are inserted outside of the caller's transaction, so that the cache stays valid if that transaction fails.
 */
export class AddressIds {
  readonly #db: Kysely<HistoryTables>;
  readonly #ids = new Map<Address, number>();
  readonly #addresses = new Map<number, Address>();

  constructor(db: Kysely<HistoryTables>) {
    this.#db = db;
  }

  /** Creates ids for addresses that have none. */
  async getOrCreateIds(addresses: Iterable<Address>): Promise<(address: Address) => number> {
    const requested = new Set(addresses);
    this.#limitCache();
    await this.#load(requested);
    // sorted, so that concurrent writers do not deadlock
    const unknown = this.#unknown(requested).sort();
    if (unknown.length > 0) {
      await sql`insert into address (bytes) select unnest(${bytesList(unknown)}::bytea[])
        on conflict (bytes) do nothing`.execute(this.#db);
      await this.#load(unknown);
    }
    const found = new Map([...requested].map((address) => [address, this.#ids.get(address)]));
    return (address) => found.get(address) ?? notFound('address', address);
  }

  /** Undefined for an address without an id, to which no row refers. */
  async findId(address: Address): Promise<number | undefined> {
    await this.#load([address]);
    return this.#ids.get(address);
  }

  async getAddresses(ids: Iterable<number>): Promise<(id: number) => Address> {
    const requested = new Set(ids);
    this.#limitCache();
    const unknown = [...requested].filter((id) => !this.#addresses.has(id));
    if (unknown.length > 0) {
      const rows = await sql<{ id: number; bytes: Uint8Array }>`
        select id, bytes from address where id = any(${`{${unknown.join(',')}}`}::int4[])`.execute(
        this.#db,
      );
      this.#cache(rows.rows);
    }
    const found = new Map([...requested].map((id) => [id, this.#addresses.get(id)]));
    return (id) => found.get(id) ?? notFound('address id', String(id));
  }

  async #load(addresses: Iterable<Address>): Promise<void> {
    const unknown = this.#unknown(addresses);
    if (unknown.length === 0) return;
    const { rows } = await sql<{ id: number; bytes: Uint8Array }>`
      select id, bytes from address where bytes = any(${bytesList(unknown)}::bytea[])`.execute(
      this.#db,
    );
    this.#cache(rows);
  }

  #unknown(addresses: Iterable<Address>): Address[] {
    return [...addresses].filter((address) => !this.#ids.has(address));
  }

  #cache(rows: readonly { readonly id: number; readonly bytes: Uint8Array }[]): void {
    for (const { id, bytes } of rows) {
      const address = addressFromBytes(bytes);
      this.#ids.set(address, id);
      this.#addresses.set(id, address);
    }
  }

  #limitCache(): void {
    if (this.#ids.size < MAX_CACHED) return;
    this.#ids.clear();
    this.#addresses.clear();
  }
}

const bytesList = (addresses: readonly Address[]): string =>
  `{${addresses.map((address) => toArrayElement(addressToBytes(address))).join(',')}}`;

function notFound(what: string, text: string): never {
  throw new CodedError('NOT_FOUND', { what, address: text });
}
