import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { formatError, type Logger } from '@tidegate/core/base';
import { lockFolder } from '@tidegate/localnet/storage';
import { CodedError } from '../../errors.ts';
import type { Config } from '../settings/settings.ts';
import { API_KEYS_NAME, listSnapshotEntries, storedClusters } from './data-folder-entries.ts';
import { describeCluster } from './describe-cluster.ts';
import { SNAPSHOT_FORMAT, type SnapshotManifest } from './snapshot-manifest.ts';
import { invalid, megabytes } from './stage-archive.ts';
import { writeArchive } from './write-archive.ts';

type SaveOptions = {
  readonly file: string;
  /** Includes the hashes of the API keys. */
  readonly withKeys: boolean;
  readonly version: string;
  /** Milliseconds since 1970. */
  readonly now: number;
  readonly log: Logger;
};

/** Saves the embedded cluster and all embedded databases of the data folder in one file. Returns a summary. */
export async function saveSnapshot(
  config: Pick<Config, 'dataDir' | 'databaseUrl'>,
  options: SaveOptions,
): Promise<string> {
  const dataDir = resolve(config.dataDir);
  const file = resolve(options.file);
  if (config.databaseUrl.value !== undefined) {
    throw usageError('DATABASE_URL is set. Save a PostgreSQL database with pg_dump.');
  }
  if (existsSync(file)) throw usageError(`${file} exists. Choose another name or remove it.`);
  const release = lockStored(dataDir);
  release();
  const clusters = [];
  for (const name of storedClusters(dataDir)) {
    clusters.push(await describeCluster(dataDir, name, options.log));
  }
  // the database releases its lock when it is closed
  const releaseAgain = lockStored(dataDir);
  try {
    const { version, withKeys: hasApiKeys, now } = options;
    const entries = [...(await listSnapshotEntries(dataDir, hasApiKeys))];
    if (clusters.length === 0 && !hasLocalnet(dataDir)) {
      throw usageError(`${dataDir} has no cluster and no history.`);
    }
    const savedAt = new Date(now).toISOString();
    const manifest = { format: SNAPSHOT_FORMAT, version, savedAt, hasApiKeys, clusters, entries };
    await writeArchive(file, dataDir, manifest).catch((error: unknown) => {
      throw toFileError(error, file);
    });
    return summarize(manifest, file);
  } finally {
    releaseAgain();
  }
}

const hasLocalnet = (dataDir: string): boolean =>
  existsSync(join(dataDir, 'localnet', 'cluster.snapshot'));

/** Throws DATA_FOLDER_IN_USE while a server has the cluster or a database open. */
export function lockStored(dataDir: string): () => void {
  const names = storedClusters(dataDir);
  const folders = [
    ...(existsSync(join(dataDir, 'localnet')) ? [['localnet', 'cluster.lock'] as const] : []),
    ...names.map((name) => [`history/${name}`, 'history.lock'] as const),
  ];
  const locks: { release(): void }[] = [];
  const release = () => {
    for (const lock of locks) lock.release();
  };
  try {
    for (const [folder, lock] of folders) locks.push(lockFolder(join(dataDir, folder), lock));
  } catch (error) {
    release();
    throw error;
  }
  return release;
}

/** The lines that both commands print. */
export function describeContent({ clusters, entries, hasApiKeys }: SnapshotManifest): string {
  const bytes = entries.reduce((sum, { size = 0 }) => sum + size, 0);
  const lines = clusters.map(({ name, slot, blockTime }) =>
    slot === null ? `${name}: no samples yet` : `${name}: slot ${slot} (${blockTime})`,
  );
  const keys = hasApiKeys ? 'with' : 'without';
  return [...lines, `${entries.length} entries, ${megabytes(bytes)}, ${keys} API keys`]
    .map((line) => `  ${line}`)
    .join('\n');
}

const summarize = (manifest: SnapshotManifest, file: string): string =>
  [
    `Saved ${file}`,
    describeContent(manifest),
    ...(manifest.hasApiKeys
      ? []
      : [`Hashes of API keys (${API_KEYS_NAME}) are saved only with --with-keys.`]),
  ].join('\n');

const usageError = (reason: string): CodedError =>
  new CodedError('INVALID_USAGE', { reason, command: 'snapshot save' });

/** Errors of the file system that concern the snapshot. */
function toFileError(error: unknown, file: string): unknown {
  if (!(error instanceof Error && 'code' in error && 'path' in error)) return error;
  return String(error.path).startsWith(file) ? invalid(file, formatError(error), error) : error;
}
