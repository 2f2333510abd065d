import { resolve } from 'node:path';
import type { Logger } from '@tidegate/core/base';
import type { Config } from '../../cli/settings/settings.ts';
import type { ClusterName } from '../../clusters/served-clusters.ts';
import { CodedError } from '../../errors.ts';
import { tryWriterTerm } from '../../history/fencing/writer-election.ts';
import {
  beginWriterEpoch,
  type WriterEpoch,
  type WriterFence,
} from '../../history/fencing/writer-fence.ts';
import type { OnQuery } from '../../history/observed-queries.ts';
import {
  type History,
  openHistory,
  openReadOnlyHistory,
  withoutCredentials,
} from '../../history/open-history.ts';

/** The PostgreSQL schema of a cluster. */
export const historySchemaOf = (env: ClusterName): string => `tidegate_${env.replace('-', '_')}`;

export type HistoryConfig = Pick<Config, 'databaseUrl' | 'dataDir'> & {
  /** Observes every query. */
  readonly onQuery?: OnQuery | undefined;
  /** Whether the history is deleted anyway. */
  readonly isFresh?: boolean;
};

function settingsOf(config: HistoryConfig, env: ClusterName) {
  const { databaseUrl, dataDir, onQuery, isFresh = false } = config;
  const folder = resolve(dataDir, 'history', env);
  const repair = `Load a snapshot with "tidegate snapshot load FILE --force". Without one the history is lost: ${
    env === 'localnet'
      ? 'start with --fresh, which simulates the cluster and its history again.'
      : `delete ${folder}, and load its events again with "tidegate backfill".`
  }`;
  const schema = historySchemaOf(env);
  return { url: databaseUrl.value, schema, folder, repair, onQuery, isFresh };
}

/** Opens the history of a cluster: a schema of the PostgreSQL database, or an embedded database. */
export const openClusterHistory = (
  config: HistoryConfig,
  env: ClusterName,
  log: Logger,
): Promise<History> => openHistory({ ...settingsOf(config, env), log });

/** Opens it for a server: on PostgreSQL it writes unless another process does. */
export const openServedHistory = (
  config: HistoryConfig,
  env: ClusterName,
  log: Logger,
): Promise<History> => openHistory({ ...settingsOf(config, env), isShared: true, log });

/** Opens it for a server that cannot start without it. */
export async function openRespondingHistory(
  config: HistoryConfig,
  env: ClusterName,
  log: Logger,
): Promise<History> {
  // fails if the database does not respond
  await (await openClusterHistory(config, env, log)).close();
  return await openServedHistory(config, env, log);
}

/** Opens it for a task that must be the only writer. Throws DATABASE_IN_USE if a server writes. */
export async function openHistoryOfOnlyWriter(
  config: HistoryConfig,
  env: ClusterName,
  log: Logger,
): Promise<History> {
  const url = config.databaseUrl.value;
  if (url === undefined) return await openClusterHistory(config, env, log);
  // creates the schema, and reports a database that cannot be used
  await (await openClusterHistory(config, env, log)).close();
  const election = { url, schemas: [historySchemaOf(env)], log, role: 'replay' } as const;
  const term = await tryWriterTerm(election);
  if ('writer' in term) {
    throw new CodedError('DATABASE_IN_USE', { database: withoutCredentials(url), ...term });
  }
  try {
    const { isHeld } = term;
    const { history, epoch } = await openHistoryOfWriter(url, env, { isHeld, log });
    term.watchEpoch(historySchemaOf(env), epoch);
    const close = () => history.close().finally(() => term.release());
    return { ...history, close };
  } catch (error) {
    await term.release();
    throw error;
  }
}

type WriterSettings = Pick<WriterFence, 'isHeld'> & {
  readonly log: Logger;
  readonly onQuery?: OnQuery | undefined;
};

/** Opens it for a writer that others can replace: from now on earlier writers cannot write. */
export async function openHistoryOfWriter(
  url: string,
  env: ClusterName,
  { isHeld, log, onQuery }: WriterSettings,
): Promise<{ readonly history: History; readonly epoch: WriterEpoch }> {
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
