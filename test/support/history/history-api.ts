import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll } from 'vitest';
import { type Cluster, createClusters } from '#server/clusters/served-clusters.ts';
import { VaultHistoryCache } from '#server/clusters/vault-history-cache.ts';
import { type History, openHistory } from '#server/history/open-history.ts';
import { createHistoryReader } from '#server/history/queries/history-reader.ts';
import { HistoryWriter } from '#server/history/writing/history-writer.ts';
import { silentLog } from '../fakes/silent-log.ts';
import { staticCluster } from '../golden/golden-clusters.ts';
import { startApi } from '../http/test-api.ts';

const CLOSING_MS = 30_000;

/** One embedded database for all tests of a file, as it takes seconds to open; emptied for each. */
export function historyApis() {
  const folder = mkdtempSync(join(tmpdir(), 'past-'));
  let opened: Promise<History> | undefined;
  afterAll(async () => {
    await (await opened)?.close();
    rmSync(folder, { recursive: true, force: true });
  }, CLOSING_MS);

  /** The golden cluster with a history that the test writes. */
  return async (changes: Partial<Cluster> = {}) => {
    opened ??= openHistory({ url: undefined, folder, log: silentLog });
    const history = await opened;
    await empty(history);
    const reader = createHistoryReader(history.db);
    const cluster = staticCluster({ history: reader, ...changes });
    const vaultHistoryCache = new VaultHistoryCache({ ...cluster, history: reader, log: silentLog });
    await vaultHistoryCache.refreshIfStale();
    const api = await startApi({ clusters: createClusters([{ ...cluster, vaultHistoryCache }]) });
    return { ...api, history, reader, vaultPasts: vaultHistoryCache, writer: new HistoryWriter(history.db) };
  };
}

async function empty({ db }: History): Promise<void> {
  const { rows } = await sql<{ name: string }>`
    select relname as name from pg_class
    where relkind in ('r', 'p') and not relispartition and relname <> 'migration'
    and relnamespace = current_schema()::regnamespace`.execute(db);
  await sql`truncate ${sql.join(rows.map(({ name }) => sql.table(name)))}`.execute(db);
}
