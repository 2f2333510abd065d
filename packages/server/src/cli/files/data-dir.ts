import { access, constants, mkdir, readdir } from 'node:fs/promises';
import { resolve, sep } from 'node:path';
import { CodedError, formatError } from '@tidegate/core/base';
import type { Config } from '../settings/settings.ts';

type DataDirSetting = Pick<Config, 'dataDir'>;

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
export function toDataDirError(error: unknown, { dataDir }: DataDirSetting): unknown {
  if (!(error instanceof Error && 'code' in error && 'path' in error)) return error;
  if (!FOLDER_ERRORS.has(String(error.code)) || !isInside(String(error.path), dataDir))
    return error;
  return unusableDataDir(error, { dataDir });
}

function unusableDataDir(error: unknown, { dataDir }: DataDirSetting): CodedError {
  const accepts = `a folder that this process can create, read and write (${formatError(error)})`;
  return new CodedError('INVALID_SETTING', { name: 'DATA_DIR', value: dataDir, accepts }, error);
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
