import { readFileSync } from 'node:fs';
import { brotliDecompressSync } from 'node:zlib';
import { sql } from 'kysely';
import { onTestFinished } from 'vitest';
import { toAddress } from '#core/base/encoding/address.ts';
import { bytesFromHex } from '#core/base/encoding/bytes.ts';
import { toSlot, toUnixSeconds } from '#core/base/time.ts';
import { ClusterState } from '#core/state/cluster-state.ts';
import type { ClusterMetadata } from '#localnet/genesis/cluster-metadata.ts';
import { createLocalnetRegistry } from '#server/composition/localnet/localnet-registry.ts';
import { allMigrations } from '#server/history/migrations/all-migrations.ts';
import { migrate } from '#server/history/migrations/migrate.ts';
import type { History } from '#server/history/open-history.ts';
import { silentLog } from '../fakes/silent-log.ts';
import type { RecordedSimulation } from './recorded-simulation.ts';
import { emptyWorkerDatabase } from './worker-database.ts';

/** An answer that an earlier release gave. */
type EarlierAnswer = {
  readonly path: string;
  readonly status: number;
  readonly body: unknown;
};

/** What an earlier release stored and served: its rows, the accounts of its cluster, and its answers about the past. */
type StoredHistory = {
  readonly at: { readonly slot: string; readonly unix: string };
  /** See `revive`. */
  readonly metadata: unknown;
  readonly accounts: readonly {
    readonly address: string;
    readonly owner: string;
    /** Hexadecimal. */
    readonly data: string;
  }[];
  /** By table: a row as JSON in each line. */
  readonly tables: Readonly<Record<string, string>>;
  readonly answers: readonly EarlierAnswer[];
};

export type EarlierHistory = RecordedSimulation & { readonly answers: readonly EarlierAnswer[] };

const FOLDER = new URL('../../fixtures/stored-history/', import.meta.url);

/** Migrates what an earlier release stored, as an upgrade does. `migrations` is the number that the release had. */
export async function upgradeHistory(name: string, migrations: number): Promise<EarlierHistory> {
  const compressed = readFileSync(new URL(`${name}.json.br`, FOLDER));
  const stored = JSON.parse(brotliDecompressSync(compressed).toString()) as StoredHistory;
  const history = await emptyWorkerDatabase();
  await restore(history, stored, migrations);
  const metadata = revive(stored.metadata) as ClusterMetadata;
  const { answers } = stored;
  const registry = createLocalnetRegistry(metadata);
  return { answers, history, metadata, registry, state: stateOf(stored) };
}

/** In a schema of its own; the embedded database has one connection. */
async function restore(
  { db }: History,
  { tables }: StoredHistory,
  migrations: number,
): Promise<void> {
  await sql`create schema earlier`.execute(db);
  await sql`set search_path to earlier`.execute(db);
  onTestFinished(async () => {
    await sql`set search_path to default`.execute(db);
    await sql`drop schema earlier cascade`.execute(db);
  });
  await migrate(db, silentLog, allMigrations.slice(0, migrations));
  const { rows: partitioned } = await sql<{ name: string }>`
    select relname as name from pg_class
    where relkind = 'p' and relnamespace = current_schema()::regnamespace`.execute(db);
  for (const { name } of partitioned) {
    const part = sql.table(`${name}_part`);
    await sql`create table ${part} partition of ${sql.table(name)} default`.execute(db);
  }
  for (const [name, lines] of Object.entries(tables)) {
    const rows = `[${lines.split('\n').join(',')}]`;
    await sql`delete from ${sql.table(name)}`.execute(db);
    await sql`insert into ${sql.table(name)} overriding system value
      select * from json_populate_recordset(null::${sql.table(name)}, ${rows}::json)`.execute(db);
  }
  await migrate(db, silentLog);
}

function stateOf({ at, accounts }: StoredHistory): ClusterState {
  const state = new ClusterState({ log: silentLog });
  const slot = toSlot(BigInt(at.slot));
  for (const { address, owner, data } of accounts) {
    const account = { owner: toAddress(owner), data: bytesFromHex(data) };
    state.apply({ address: toAddress(address), account, slot });
  }
  state.setAt({ slot, unix: toUnixSeconds(BigInt(at.unix)) });
  return state;
}

/** Whole numbers end with n; maps are lists of their entries. */
function revive(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value), (_, each: unknown) => {
    if (typeof each === 'string' && /^\d+n$/.test(each)) return BigInt(each.slice(0, -1));
    const isMap = typeof each === 'object' && each !== null && 'map' in each;
    return isMap && Array.isArray(each.map) ? new Map(each.map) : each;
  });
}
