import { closeSync, existsSync, fsyncSync, openSync, rmSync, statfsSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { formatError } from '@tidegate/core/base';
import { lockFolder } from '@tidegate/localnet/storage';
import { CodedError } from '../../errors.ts';
import { apiKeyFilePath, readApiKeys } from '../files/api-key-file.ts';
import type { Config } from '../settings/settings.ts';
import { storedClusters } from '../snapshot/data-folder-entries.ts';
import { type Finding, ok, problem, warning } from './finding.ts';

const MIN_FREE_BYTES = 500e6;
const LOW_FREE_BYTES = 5e9;
/** An embedded database has about a thousand files. */
const MIN_FREE_FILES = 5_000;

/** Magic numbers of Linux file systems. */
const FILE_SYSTEMS: Readonly<Record<number, { readonly name: string; readonly risk?: string }>> = {
  61267: { name: 'ext4' },
  1481003842: { name: 'xfs' },
  2435016766: { name: 'btrfs' },
  801189825: { name: 'zfs' },
  2035054128: { name: 'overlay', risk: 'its content is lost with the container' },
  16914836: { name: 'tmpfs', risk: 'its content is lost with a restart' },
  26985: { name: 'nfs', risk: 'a database on it can be damaged by a lost connection' },
  4283649346: { name: 'cifs', risk: 'a database on it can be damaged by a lost connection' },
  4266872130: { name: 'smb', risk: 'a database on it can be damaged by a lost connection' },
};

/** Free space, permissions and kind of the file system of DATA_DIR, and what is in it. */
export async function checkDataFolder(config: Config): Promise<readonly Finding[]> {
  const folder = resolve(config.dataDir);
  if (!existsSync(folder)) return [checkParent(folder)];
  const findings = [checkWritable(folder), checkSpace(folder), checkFileSystem(folder)];
  return [...findings, ...checkStored(folder), await checkKeyFile(config)];
}

/** The server creates DATA_DIR. */
function checkParent(folder: string): Finding {
  const existing = nearestFolder(folder);
  const finding = checkWritable(existing);
  if (finding.status !== 'ok') return finding;
  return ok('disk', `DATA_DIR does not exist and is created in ${existing}.`);
}

function nearestFolder(path: string): string {
  return existsSync(path) ? path : nearestFolder(dirname(path));
}

function checkWritable(folder: string): Finding {
  const path = join(folder, `doctor-${process.pid}.tmp`);
  try {
    const file = openSync(path, 'wx');
    try {
      fsyncSync(file);
    } finally {
      closeSync(file);
      rmSync(path);
    }
    return ok('disk', `${folder} can be written.`);
  } catch (error) {
    const change = 'Give the user of the server read and write permission, or change DATA_DIR.';
    return problem('disk', `${folder} cannot be written: ${formatError(error)}`, change);
  }
}

function checkSpace(folder: string): Finding {
  const { bavail, bsize, files, ffree } = statfsSync(folder);
  const free = bavail * bsize;
  const message = `${(free / 1e9).toFixed(1)} GB are free`;
  if (files > 0 && ffree < MIN_FREE_FILES) {
    return problem('disk', `Only ${ffree} files can be created`, 'Free inodes of the file system.');
  }
  const change = 'Free space or move DATA_DIR. docs/operations.md has the sizes.';
  if (free < MIN_FREE_BYTES) return problem('disk', message, change);
  return free < LOW_FREE_BYTES ? warning('disk', message, change) : ok('disk', `${message}.`);
}

function checkFileSystem(folder: string): Finding {
  const { type } = statfsSync(folder);
  const { name, risk } = FILE_SYSTEMS[type >>> 0] ?? { name: `of type 0x${type.toString(16)}` };
  if (risk === undefined) return ok('disk', `The file system is ${name}.`);
  return warning('disk', `The file system is ${name}: ${risk}`, 'Use a local disk or a volume.');
}

/** Embedded databases, and whether a server has them open. */
function checkStored(folder: string): readonly Finding[] {
  return storedClusters(folder).map((name) => {
    try {
      lockFolder(join(folder, 'history', name), 'history.lock').release();
      return ok('embedded database', `DATA_DIR has the history of ${name}.`);
    } catch (error) {
      if (!(error instanceof CodedError)) throw error;
      return ok('embedded database', `The history of ${name} is open in a running server.`);
    }
  });
}

async function checkKeyFile(config: Config): Promise<Finding> {
  const path = apiKeyFilePath(config);
  try {
    const keys = await readApiKeys(path);
    if (keys.length === 0) return ok('keys', 'There are no API keys.');
    if ((statSync(path).mode & 0o077) !== 0) {
      return warning('keys', `Others can read ${path}`, `Run chmod 600 ${path}.`);
    }
    return ok('keys', `There are ${keys.length} API keys.`);
  } catch (error) {
    return problem('keys', formatError(error), 'Restore the file from a backup.');
  }
}
