import { inflateRawSync } from 'node:zlib';
import { bytesToHex } from '@tidegate/core/base';
import { sql } from 'kysely';
import { toArrayElement } from '../schema/columns.ts';
import type { HistoryReader } from './history-reader.ts';

/** `getTransaction` results as JSON, keyed by the hex of the signature. Unknown transactions are absent. */
export async function readRawTransactionsBySignature(
  { db }: Pick<HistoryReader, 'db'>,
  signatures: readonly Uint8Array[],
): Promise<ReadonlyMap<string, string>> {
  const list = `{${signatures.map(toArrayElement).join(',')}}`;
  const { rows } = await sql<{ signature: Uint8Array; deflated: Uint8Array }>`
    select signature, deflated from raw_transaction
    where signature = any(${list}::bytea[])`.execute(db);
  return new Map(
    rows.map(({ signature, deflated }) => [
      bytesToHex(signature),
      inflateRawSync(deflated).toString(),
    ]),
  );
}
