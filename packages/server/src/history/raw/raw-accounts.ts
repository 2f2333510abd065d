import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { type Address, addressFromBytes, addressToBytes } from '@tidegate/core/base';
import { type Kysely, sql, type Transaction } from 'kysely';
import { toArrayElement } from '../schema/columns.ts';
import type { HistoryTables } from '../schema/tables.ts';
import { MIN_DELTA_BYTES, type RawAccountChange } from './raw-step-codec.ts';

const LEVEL = { level: 1 };
const OWNER_BYTES = 32;
/** Rows per statement. */
const CHUNK_ROWS = 500;

type Stored = { readonly address: Uint8Array; readonly deflated: Uint8Array };

/** All accounts as of the first stored step. Large ones come first, because decoding steps needs them. */
export async function* readRawAccounts(
  db: Kysely<HistoryTables>,
): AsyncGenerator<readonly RawAccountChange[]> {
  yield await readLargeRawAccounts(db);
  let after = new Uint8Array();
  for (;;) {
    const { rows } = await sql<Stored>`
      select address, deflated from raw_account
      where size < ${MIN_DELTA_BYTES}::int4 and address > ${after}::bytea
      order by address limit ${CHUNK_ROWS}::int8`.execute(db);
    const last = rows.at(-1);
    if (last === undefined) return;
    after = new Uint8Array(last.address);
    yield rows.map(toChange);
  }
}

/** The accounts that steps store as differences. */
export async function readLargeRawAccounts(
  db: Kysely<HistoryTables>,
): Promise<readonly RawAccountChange[]> {
  const { rows } = await sql<Stored>`
    select address, deflated from raw_account where size >= ${MIN_DELTA_BYTES}::int4
    order by address`.execute(db);
  return rows.map(toChange);
}

function toChange({ address, deflated }: Stored): RawAccountChange {
  const bytes = inflateRawSync(deflated);
  return {
    address: addressFromBytes(address),
    account: {
      owner: addressFromBytes(bytes.subarray(0, OWNER_BYTES)),
      data: new Uint8Array(bytes.subarray(OWNER_BYTES)),
    },
  };
}

/** Stores the current version of each account. Deletes closed ones. */
export async function writeRawAccounts(
  transaction: Transaction<HistoryTables>,
  accounts: ReadonlyMap<Address, RawAccountChange['account']>,
): Promise<void> {
  const all = [...accounts];
  for (let start = 0; start < all.length; start += CHUNK_ROWS) {
    const chunk = all.slice(start, start + CHUNK_ROWS);
    const addresses = chunk.map(([address]) => toArrayElement(addressToBytes(address)));
    await sql`delete from raw_account
      where address = any(${`{${addresses.join(',')}}`}::bytea[])`.execute(transaction);
    const rows = chunk.flatMap(([address, account]) =>
      account === undefined ? [] : [toRow(address, account)],
    );
    if (rows.length > 0) await transaction.insertInto('raw_account').values(rows).execute();
  }
}

function toRow(address: Address, { owner, data }: NonNullable<RawAccountChange['account']>) {
  const bytes = Buffer.concat([addressToBytes(owner), data]);
  return {
    address: addressToBytes(address),
    size: data.length,
    deflated: deflateRawSync(bytes, LEVEL),
  };
}
