import { access, constants, mkdir, readdir } from 'node:fs/promises';
import { resolve, sep } from 'node:path';
import { formatError } from '@tidegate/core/base';
import { CodedError } from '../../errors.ts';
import type { Config } from '../settings/settings.ts';

type DataDirSetting = Pick<Config, 'dataDir'> & Partial<Pick<Config, 'databaseUrl'>>;

/** SQLSTATE `disk_full`, without a path. */
const DATABASE_FULL = '53100';

/** Errors of the file system that a user fixes by another folder or other permissions. */
const FOLDER_ERRORS = new Set([
  'EACCES',
  'EEXIST',
  'EISDIR',
  'ELOOP',
  'ENAMETOOLONG',
  'ENOSPC',
  'ENOTDIR',
  'EPERM',
  'EROFS',
]);

/**
 * Throws INVALID_SETTING unless DATA_DIR is usable. `write` creates the folder. `isCreated`: it did
 * not exist before.
 */
export async function requireDataDir(
  config: DataDirSetting,
  mode: 'read' | 'write',
): Promise<{ readonly isCreated: boolean }> {
  try {
    if (mode === 'read') {
      await checkReadable(config.dataDir);
      return { isCreated: false };
    }
    const created = await mkdir(config.dataDir, { recursive: true });
    await access(config.dataDir, constants.R_OK | constants.W_OK | constants.X_OK);
    return { isCreated: created !== undefined };
  } catch (error) {
    throw unusableDataDir(error, config);
  }
}

/** Converts a file system error inside DATA_DIR to INVALID_SETTING. Returns other errors unchanged. */
export function toDataDirError(error: unknown, { dataDir, databaseUrl }: DataDirSetting): unknown {
  if (databaseUrl === undefined && isDatabaseFull(error))
    return unusableDataDir(Object.assign(error, { code: 'ENOSPC' }), { dataDir });
  if (!(error instanceof Error && 'code' in error && 'path' in error)) return error;
  if (!FOLDER_ERRORS.has(String(error.code)) || !isInside(String(error.path), dataDir))
    return error;
  return unusableDataDir(error, { dataDir });
}

/** The embedded database has its files in DATA_DIR. */
const isDatabaseFull = (error: unknown): error is Error =>
  error instanceof Error && 'code' in error && error.code === DATABASE_FULL;

function unusableDataDir(error: unknown, { dataDir }: DataDirSetting): CodedError {
  const accepts = `${usableFolder(error)} (${formatError(error)})`;
  return new CodedError('INVALID_SETTING', { name: 'DATA_DIR', value: dataDir, accepts }, error);
}

/** What DATA_DIR must be instead, and so what to do. */
function usableFolder(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'ENOSPC')
    return 'a folder on a disk with free space: free some, or name another folder';
  if (code === 'EROFS')
    return 'a folder on a disk that is not read-only: mount it for writing, or name another folder';
  return 'a folder that this process can create, read and write';
}

/** A missing folder is an empty one. */
async function checkReadable(folder: string): Promise<void> {
  try {
    await readdir(folder);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
  }
}

function isInside(path: string, folder: string): boolean {
  const root = resolve(folder);
  const target = resolve(path);
  return target === root || target.startsWith(root.endsWith(sep) ? root : `${root}${sep}`);
}
