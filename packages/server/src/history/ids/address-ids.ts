import { type Address, addressFromBytes, addressToBytes } from '@tidegate/core/base';
import { type Kysely, sql } from 'kysely';
import { CodedError } from '../../errors.ts';
import { toArrayElement } from '../schema/columns.ts';
import type { HistoryTables } from '../schema/tables.ts';

/** The cache is cleared at this size. */
const MAX_CACHED = 500_000;

type CachedIds = {
  readonly ids: Map<Address, number>;
  readonly addresses: Map<number, Address>;
};

const emptyCache = (): CachedIds => ({ ids: new Map(), addresses: new Map() });

/**
 * Maps addresses to the ids by which rows refer to them. An id never changes, and concurrent writers agree on it. Ids
 * are inserted outside of the caller's transaction, so that the cache stays valid if that transaction fails. In a restored
 * database ids of lost rows are given again: call `forget` when it may have been restored.
 */
export class AddressIds {
  readonly #db: Kysely<HistoryTables>;
  /** Calls that have begun use the one with which they began. */
  #cached = emptyCache();

  constructor(db: Kysely<HistoryTables>) {
    this.#db = db;
  }

  forget(): void {
    this.#cached = emptyCache();
  }

  /** Creates ids for addresses that have none. */
  async getOrCreateIds(addresses: Iterable<Address>): Promise<(address: Address) => number> {
    const requested = new Set(addresses);
    const cached = this.#useCache();
    await this.#load(cached, requested);
    // sorted, so that concurrent writers do not deadlock
    const unknown = unknownOf(cached, requested).sort();
    if (unknown.length > 0) {
      await sql`insert into address (bytes) select unnest(${bytesList(unknown)}::bytea[])
        on conflict (bytes) do nothing`.execute(this.#db);
      await this.#load(cached, unknown);
    }
    const found = new Map([...requested].map((address) => [address, cached.ids.get(address)]));
    return (address) => found.get(address) ?? notFound('address', address);
  }

  /** Undefined for an address without an id, to which no row refers. */
  async findId(address: Address): Promise<number | undefined> {
    const cached = this.#cached;
    await this.#load(cached, [address]);
    return cached.ids.get(address);
  }

  async getAddresses(ids: Iterable<number>): Promise<(id: number) => Address> {
    const requested = new Set(ids);
    const cached = this.#useCache();
    const unknown = [...requested].filter((id) => !cached.addresses.has(id));
    if (unknown.length > 0) {
      const { rows } = await sql<IdRow>`
        select id, bytes from address where id = any(${`{${unknown.join(',')}}`}::int4[])`.execute(
        this.#db,
      );
      addRows(cached, rows);
    }
    const found = new Map([...requested].map((id) => [id, cached.addresses.get(id)]));
    return (id) => found.get(id) ?? notFound('address id', String(id));
  }

  async #load(cached: CachedIds, addresses: Iterable<Address>): Promise<void> {
    const unknown = unknownOf(cached, addresses);
    if (unknown.length === 0) return;
    const { rows } = await sql<IdRow>`
      select id, bytes from address where bytes = any(${bytesList(unknown)}::bytea[])`.execute(
      this.#db,
    );
    addRows(cached, rows);
  }

  #useCache(): CachedIds {
    if (this.#cached.ids.size >= MAX_CACHED) this.forget();
    return this.#cached;
  }
}

type IdRow = { readonly id: number; readonly bytes: Uint8Array };

const unknownOf = ({ ids }: CachedIds, addresses: Iterable<Address>): Address[] =>
  [...addresses].filter((address) => !ids.has(address));

function addRows({ ids, addresses }: CachedIds, rows: readonly IdRow[]): void {
  for (const { id, bytes } of rows) {
    const address = addressFromBytes(bytes);
    ids.set(address, id);
    addresses.set(id, address);
  }
}

const bytesList = (addresses: readonly Address[]): string =>
  `{${addresses.map((address) => toArrayElement(addressToBytes(address))).join(',')}}`;

function notFound(what: string, text: string): never {
  throw new CodedError('NOT_FOUND', { what, address: text });
}
