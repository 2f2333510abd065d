import { resolve } from 'node:path';
import type { Logger } from '@tidegate/core/base';
import type { ClusterName } from '../../clusters/served-clusters.ts';
import { beginWriterEpoch, type WriterFence } from '../../history/fencing/writer-fence.ts';
import type { OnQuery } from '../../history/observed-queries.ts';
import { type History, openHistory, openReadOnlyHistory } from '../../history/open-history.ts';
import type { Config } from '../settings/settings.ts';

/** The PostgreSQL schema of a cluster. */
export const historySchemaOf = (env: ClusterName): string => `tidegate_${env.replace('-', '_')}`;

export type HistoryConfig = Pick<Config, 'databaseUrl' | 'dataDir'> & {
  /** Observes every query. */
  readonly onQuery?: OnQuery | undefined;
};

/** Opens the history of a cluster: a schema of the PostgreSQL database, or an embedded database. */
export const openClusterHistory = (
  { databaseUrl, dataDir, onQuery }: HistoryConfig,
  env: ClusterName,
  log: Logger,
): Promise<History> =>
  openHistory({
    url: databaseUrl.value,
    schema: historySchemaOf(env),
    folder: resolve(dataDir, 'history', env),
    log,
    onQuery,
  });

type WriterSettings = Pick<WriterFence, 'isHeld'> & {
  readonly log: Logger;
  readonly onQuery?: OnQuery | undefined;
};

/** Opens it for a writer that others can replace: from now on earlier writers cannot write. */
export async function openHistoryOfWriter(
  url: string,
  env: ClusterName,
  { isHeld, log, onQuery }: WriterSettings,
): Promise<{ readonly history: History; readonly epoch: number }> {
  const settings = { url, schema: historySchemaOf(env), folder: '', log, onQuery };
  const unfenced = await openHistory(settings);
  const epoch = await beginWriterEpoch(unfenced.db).finally(() => unfenced.close());
  return { history: await openHistory({ ...settings, fence: { epoch, isHeld } }), epoch };
}

/** The replica of `READ_DATABASE_URL`; undefined if it is not set. */
export function openReplica(
  { readDatabaseUrl, onQuery }: Config & HistoryConfig,
  env: ClusterName,
  log: Logger,
): History | undefined {
  const url = readDatabaseUrl.value;
  if (url === undefined) return undefined;
  return openReadOnlyHistory({ url, schema: historySchemaOf(env), log, onQuery });
}
