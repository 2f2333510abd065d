import { mkdir, open, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { CodedError } from '../../errors.ts';

const LOCK_RETRY_MS = 50;
const MAX_LOCK_ATTEMPTS = 100;

type FileChange = {
  /** Returns the new text. The old text is undefined if there is no file. */
  readonly change: (old: string | undefined) => string;
  readonly toError: (reason: string) => CodedError;
};

/** Replaces a file atomically under a lock. Only the owner can read the file. */
export async function updateFile(path: string, { change, toError }: FileChange): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  const lock = await acquireLock(`${path}.lock`, toError);
  try {
    await writeFile(`${path}.new`, change(await readIfPresent(path)), { mode: 0o600 });
    await rename(`${path}.new`, path);
  } finally {
    await lock.release();
  }
}

/** Changes with every write of the file; undefined if there is no file. */
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

async function acquireLock(
  path: string,
  toError: FileChange['toError'],
): Promise<{ release: () => Promise<void> }> {
  for (let attempt = 0; attempt < MAX_LOCK_ATTEMPTS; attempt += 1) {
    try {
      const file = await open(path, 'wx');
      await file.close();
      return { release: () => rm(path, { force: true }) };
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
      await sleep(LOCK_RETRY_MS);
    }
  }
  throw toError(`it is locked; remove ${path} if no other command is changing it`);
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}
