import { type Address, addressFromBytes, addressToBytes, CodedError } from '@tidegate/core/base';
import { type Kysely, sql } from 'kysely';
import { toArrayElement } from '../schema/columns.ts';
import type { HistoryTables } from '../schema/tables.ts';

/** Beyond it what is known is forgotten and asked for again, so that memory has a bound. */
const REMEMBERED = 500_000;

/**
 * The numbers by which rows name addresses. A number is given once and stays, whoever gives it: any
 * number of writers may ask at once. It is given outside of the caller's transaction, so that what
 * is remembered is true even if that one fails.
 */
export class AddressIds {
  readonly #db: Kysely<HistoryTables>;
  readonly #ids = new Map<Address, number>();
  readonly #addresses = new Map<number, Address>();

  constructor(db: Kysely<HistoryTables>) {
    this.#db = db;
  }

  /** Gives numbers to those that have none. */
  async idsOf(addresses: Iterable<Address>): Promise<(address: Address) => number> {
    const asked = new Set(addresses);
    this.#makeRoom();
    await this.#load(asked);
    // in one order for all writers, who would wait for each other in a circle otherwise
    const unknown = this.#unknown(asked).sort();
    if (unknown.length > 0) {
      await sql`insert into address (bytes) select unnest(${bytesList(unknown)}::bytea[])
        on conflict (bytes) do nothing`.execute(this.#db);
      await this.#load(unknown);
    }
    const found = new Map([...asked].map((address) => [address, this.#ids.get(address)]));
    return (address) => found.get(address) ?? missing('address', address);
  }

  /** Gives no numbers: undefined for an address that no row names. */
  async findId(address: Address): Promise<number | undefined> {
    await this.#load([address]);
    return this.#ids.get(address);
  }

  async addressesOf(ids: Iterable<number>): Promise<(id: number) => Address> {
    const asked = new Set(ids);
    this.#makeRoom();
    const unknown = [...asked].filter((id) => !this.#addresses.has(id));
    if (unknown.length > 0) {
      const rows = await sql<{ id: number; bytes: Uint8Array }>`
        select id, bytes from address where id = any(${`{${unknown.join(',')}}`}::int4[])`.execute(
        this.#db,
      );
      this.#remember(rows.rows);
    }
    const found = new Map([...asked].map((id) => [id, this.#addresses.get(id)]));
    return (id) => found.get(id) ?? missing('number of an address', String(id));
  }

  async #load(addresses: Iterable<Address>): Promise<void> {
    const unknown = this.#unknown(addresses);
    if (unknown.length === 0) return;
    const { rows } = await sql<{ id: number; bytes: Uint8Array }>`
      select id, bytes from address where bytes = any(${bytesList(unknown)}::bytea[])`.execute(
      this.#db,
    );
    this.#remember(rows);
  }

  #unknown(addresses: Iterable<Address>): Address[] {
    return [...addresses].filter((address) => !this.#ids.has(address));
  }

  #remember(rows: readonly { readonly id: number; readonly bytes: Uint8Array }[]): void {
    for (const { id, bytes } of rows) {
      const address = addressFromBytes(bytes);
      this.#ids.set(address, id);
      this.#addresses.set(id, address);
    }
  }

  #makeRoom(): void {
    if (this.#ids.size < REMEMBERED) return;
    this.#ids.clear();
    this.#addresses.clear();
  }
}

const bytesList = (addresses: readonly Address[]): string =>
  `{${addresses.map((address) => toArrayElement(addressToBytes(address))).join(',')}}`;

function missing(what: string, text: string): never {
  throw new CodedError('NOT_FOUND', { what, address: text });
}
