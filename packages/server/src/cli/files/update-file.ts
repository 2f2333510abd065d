import { mkdir, open, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { CodedError } from '@tidegate/core/base';

const LOCK_WAIT_MS = 50;
const LOCK_TRIES = 100;

type FileChange = {
  /** The new text, of the old one; undefined where there is no file. */
  readonly change: (old: string | undefined) => string;
  readonly refused: (reason: string) => CodedError;
};

/** Changes a file as one step: under a lock, written beside and renamed, readable by the owner alone. */
export async function updateFile(path: string, { change, refused }: FileChange): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  const lock = await takeLock(`${path}.lock`, refused);
  try {
    await writeFile(`${path}.new`, change(await readIfPresent(path)), { mode: 0o600 });
    await rename(`${path}.new`, path);
  } finally {
    await lock.release();
  }
}

/** Differs whenever the file has been written; undefined when there is none. */
export async function readFileStamp(path: string): Promise<string | undefined> {
  try {
    const { ino, mtimeMs, size } = await stat(path);
    return `${ino}-${mtimeMs}-${size}`;
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

export async function readIfPresent(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

async function takeLock(
  path: string,
  refused: FileChange['refused'],
): Promise<{ release: () => Promise<void> }> {
  for (let tries = 0; tries < LOCK_TRIES; tries += 1) {
    try {
      const file = await open(path, 'wx');
      await file.close();
      return { release: () => rm(path, { force: true }) };
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
      await sleep(LOCK_WAIT_MS);
    }
  }
  throw refused(`it is locked; remove ${path} if no other command is changing it`);
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}
