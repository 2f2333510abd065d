import type { Config } from '../../cli/settings/settings.ts';
import { CodedError } from '../../errors.ts';

/** Throws INVALID_SETTING for a setting that a role needs and that is empty. */
export function requireRpcUrl({ rpcUrl }: Config): void {
  if (rpcUrl.length === 0) throw missing('RPC_URL', 'the endpoints of the cluster');
}

export function requireRedisUrl({ redisUrl }: Config): string {
  if (redisUrl.value === undefined) throw missing('REDIS_URL', 'a redis:// URL');
  return redisUrl.value;
}

export function requireDatabaseUrl({ databaseUrl }: Config): string {
  if (databaseUrl.value !== undefined) return databaseUrl.value;
  throw missing('DATABASE_URL', 'a postgres:// URL');
}

/** Several processes need the database that the writer records in. */
export function requireFullHistory({ historyMode }: Config): void {
  if (historyMode === 'full') return;
  throw new CodedError('INVALID_SETTING', {
    name: 'HISTORY',
    value: historyMode,
    accepts: 'full: only `tidegate serve` without workers has the other values',
  });
}

const missing = (name: string, form: string): CodedError =>
  new CodedError('INVALID_SETTING', {
    name,
    value: '',
    accepts: `${form}: several processes cannot share the embedded cluster and database`,
  });
