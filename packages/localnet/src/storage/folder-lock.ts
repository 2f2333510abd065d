import {
  linkSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { CodedError } from '../errors/index.ts';
import { isErrno } from './errno.ts';

/** Longest time that another process takes between creating the file and writing into it. */
const MAX_WRITE_MS = 50;

export type FolderLock = { release(): void };

/**
 * Creates the folder if it is missing. The lock is a file with that name in it, held until it is
 * released or this process ends.
 */
export function lockFolder(folder: string, name: string): FolderLock {
  mkdirSync(folder, { recursive: true });
  const path = join(folder, name);
  const identity = folderIdentity(folder);
  const { inode, realPath } = identity;
  const content = `${process.pid}\n${startTimeOf(process.pid)}\n${inode}\n${realPath}\n`;
  while (!createFile(path, content)) {
    const text = readHolder(path);
    const pid = isOfOtherFolder(text, identity) ? undefined : holderPid(text);
    if (pid !== undefined) throw new CodedError('DATA_FOLDER_IN_USE', { folder, pid });
    removeStaleLock(path, text);
  }
  return {
    release: () => {
      if (readIfPresent(path) === content) rmSync(path, { force: true });
    },
  };
}

type FolderIdentity = { readonly inode: string; readonly realPath: string };

function folderIdentity(folder: string): FolderIdentity {
  const { dev, ino } = statSync(folder, { bigint: true });
  return { inode: `${dev}:${ino}`, realPath: realpathSync(folder) };
}

/**
 * Whether the lock was copied here with its folder. A folder that was moved has the same inode, one
 * that was replaced has the same path: both may still be in use. Earlier releases store neither.
 */
function isOfOtherFolder(text: string, { inode, realPath }: FolderIdentity): boolean {
  const [, , lockInode = '', ...pathLines] = text.split('\n');
  return lockInode !== '' && lockInode !== inode && pathLines.join('\n') !== `${realPath}\n`;
}

function createFile(path: string, text: string): boolean {
  try {
    writeFileSync(path, text, { flag: 'wx' });
    return true;
  } catch (error) {
    if (isErrno(error, 'EEXIST')) return false;
    throw error;
  }
}

function readHolder(path: string): string {
  const text = readIfPresent(path);
  if (text !== '') return text;
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, MAX_WRITE_MS);
  return readIfPresent(path);
}

/** PIDs are reused, in containers even with every start, so the start time is compared too. */
function holderPid(text: string): number | undefined {
  const [number = '', startTime = ''] = text.split('\n');
  const pid = Number(number);
  if (!Number.isSafeInteger(pid) || pid <= 0 || !isAlive(pid)) return undefined;
  const isSame = startTime === '' || startTime === startTimeOf(pid);
  return isSame ? pid : undefined;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return isErrno(error, 'EPERM');
  }
}

/**
 * The start time of a process, where the system provides it: on Linux since boot, with the boot ID.
 */
function startTimeOf(pid: number): string {
  const stat = readIfPresent(`/proc/${pid}/stat`);
  // The command name in parentheses may contain spaces; the start time is the 20th field after it.
  const started = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
  const boot = readIfPresent('/proc/sys/kernel/random/boot_id').trim();
  return started === undefined || boot === '' ? '' : `${started} ${boot}`;
}

/** Puts the lock back if another process has taken it in the meantime. */
function removeStaleLock(path: string, text: string): void {
  const renamedPath = `${path}.${process.pid}`;
  try {
    renameSync(path, renamedPath);
    if (readIfPresent(renamedPath) !== text) linkSync(renamedPath, path);
  } catch (error) {
    if (!isErrno(error, 'ENOENT') && !isErrno(error, 'EEXIST')) throw error;
  } finally {
    rmSync(renamedPath, { force: true });
  }
}

function readIfPresent(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (isErrno(error, 'ENOENT')) return '';
    throw error;
  }
}
