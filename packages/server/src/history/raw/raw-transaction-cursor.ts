import { inflateRawSync } from 'node:zlib';
import { type Slot, toSlot } from '@tidegate/core/base';
import { type Kysely, sql } from 'kysely';
import type { HistoryTables } from '../schema/tables.ts';

/** Backfilled ones are as many as the programs ever had, so they do not fit into memory. */
export const TRANSACTIONS_PER_PAGE = 500;

type Row = {
  readonly signature: Uint8Array;
  readonly slot: bigint;
  readonly place: number;
  readonly deflated: Uint8Array;
};

export type RawTransaction = {
  readonly slot: Slot;
  readonly transactionIndex: number;
  readonly json: string;
};

/** Reads stored transactions once, in ledger order. */
export class RawTransactionCursor {
  readonly #db: Kysely<HistoryTables>;
  readonly #pageSize: number;
  #last: Pick<Row, 'signature' | 'slot' | 'place'>;
  #page: readonly Row[] = [];
  /** How many of the page were returned. */
  #returned = 0;
  #isLastPage = false;

  /** Begins with the slot after `after`. */
  constructor(db: Kysely<HistoryTables>, after: Slot, pageSize = TRANSACTIONS_PER_PAGE) {
    this.#db = db;
    this.#pageSize = pageSize;
    this.#last = { slot: after + 1n, place: -1, signature: new Uint8Array() };
  }

  /** The next transactions up to a slot, in lists of limited length. */
  async *readUpTo(slot: Slot): AsyncGenerator<readonly RawTransaction[]> {
    for (;;) {
      if (this.#returned === this.#page.length && !(await this.#readPage())) return;
      const rest = this.#page.slice(this.#returned);
      const later = rest.findIndex((row) => row.slot > slot);
      const found = later === -1 ? rest : rest.slice(0, later);
      this.#returned += found.length;
      if (found.length > 0) yield found.map(toRawTransaction);
      if (later !== -1) return;
    }
  }

  /** Returns whether there is another transaction. */
  async #readPage(): Promise<boolean> {
    if (this.#isLastPage) return false;
    const { slot, place, signature } = this.#last;
    const { rows } = await sql<Row>`select signature, slot, place, deflated from raw_transaction
      where (slot, place, signature) > (${slot}::int8, ${place}::int4, ${signature}::bytea)
      order by slot, place, signature limit ${this.#pageSize}::int8`.execute(this.#db);
    this.#page = rows;
    this.#returned = 0;
    this.#last = rows.at(-1) ?? this.#last;
    this.#isLastPage = rows.length < this.#pageSize;
    return rows.length > 0;
  }
}

const toRawTransaction = ({ slot, place, deflated }: Row): RawTransaction => ({
  slot: toSlot(slot),
  transactionIndex: place,
  json: inflateRawSync(deflated).toString(),
});
