import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CodedError } from '@tidegate/core/base';
import { isErrno } from './errno.ts';

/** Between making the file and writing into it another process passes less time than this. */
const WRITING_MS = 50;

export type FolderLock = { release(): void };

/** Makes the folder if it is missing; the lock is a file of that name in it. No second caller gets it before it is released or this process has ended. */
export function lockFolder(folder: string, name: string): FolderLock {
  mkdirSync(folder, { recursive: true });
  const path = join(folder, name);
  const own = `${process.pid}\n${birthOf(process.pid)}\n`;
  while (!madeFile(path, own)) {
    const text = readHolder(path);
    const pid = livingHolder(text);
    if (pid !== undefined) throw new CodedError('DATA_FOLDER_IN_USE', { folder, pid });
    takeAway(path, text);
  }
  return {
    release: () => {
      if (readIfPresent(path) === own) rmSync(path, { force: true });
    },
  };
}

function madeFile(path: string, text: string): boolean {
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
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, WRITING_MS);
  return readIfPresent(path);
}

/** Numbers of processes come again, in a container even the same one with every start: hence the birth. */
function livingHolder(text: string): number | undefined {
  const [number = '', birth = ''] = text.split('\n');
  const pid = Number(number);
  if (!Number.isSafeInteger(pid) || pid <= 0 || !isAlive(pid)) return undefined;
  const isSame = birth === '' || birth === birthOf(pid);
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

/** When a process was started, as far as the system tells: on Linux since boot, and which boot that was. */
function birthOf(pid: number): string {
  const stat = readIfPresent(`/proc/${pid}/stat`);
  // the name of the command, in parentheses, may hold spaces; the start is the 20th field after it
  const started = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
  const boot = readIfPresent('/proc/sys/kernel/random/boot_id').trim();
  return started === undefined || boot === '' ? '' : `${started} ${boot}`;
}

/** A lock that somebody else has taken in the meantime is put back. */
function takeAway(path: string, text: string): void {
  const aside = `${path}.${process.pid}`;
  try {
    renameSync(path, aside);
    if (readIfPresent(aside) !== text) linkSync(aside, path);
  } catch (error) {
    if (!isErrno(error, 'ENOENT') && !isErrno(error, 'EEXIST')) throw error;
  } finally {
    rmSync(aside, { force: true });
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
