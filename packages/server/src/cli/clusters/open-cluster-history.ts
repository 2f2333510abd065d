import { resolve } from 'node:path';
import type { Logger } from '@tidegate/core/base';
import type { ClusterName } from '../../clusters/served-clusters.ts';
import { type History, openHistory } from '../../history/open-history.ts';
import type { Config } from '../settings/settings.ts';

/** Opens the history of a cluster: a schema of the PostgreSQL database, or an embedded database. */
export const openClusterHistory = (
  { databaseUrl, dataDir }: Pick<Config, 'databaseUrl' | 'dataDir'>,
  env: ClusterName,
  log: Logger,
): Promise<History> =>
  openHistory({
    url: databaseUrl.value,
    schema: `tidegate_${env.replace('-', '_')}`,
    folder: resolve(dataDir, 'history', env),
    log,
  });
