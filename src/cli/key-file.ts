import { mkdir, open, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Static, Type } from 'typebox';
import { Compile } from 'typebox/compile';
import type { KeyRecord } from '../api/keys.ts';
import { CodedError } from '../base/errors.ts';

const Text = Type.String({ minLength: 1 });
const KeyFileContent = Type.Object({
  keys: Type.Array(
    Type.Object({
      id: Text,
      name: Type.String(),
      salt: Text,
      hash: Text,
      createdAt: Text,
      revokedAt: Type.Union([Text, Type.Null()]),
      limit: Type.Union([Text, Type.Null()]),
    }),
  ),
});
const content = Compile(KeyFileContent);

const LOCK_WAIT_MS = 50;
const LOCK_TRIES = 100;

/** Keys of a file that is not there are no keys; a file that is damaged is an error, never an empty list. */
export async function readKeys(path: string): Promise<readonly KeyRecord[]> {
  const text = await readIfPresent(path);
  if (text === undefined) return [];
  const parsed = parseJson(text, path);
  if (!content.Check(parsed)) {
    throw new CodedError('INVALID_KEY_FILE', { path, reason: 'it does not have the form of one' });
  }
  return (parsed satisfies Static<typeof KeyFileContent>).keys;
}

/** Changes the keys as one step: under a lock, written beside and renamed, readable by the owner alone. */
export async function changeKeys(
  path: string,
  change: (keys: readonly KeyRecord[]) => readonly KeyRecord[],
): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  const lock = await takeLock(`${path}.lock`);
  try {
    const keys = change(await readKeys(path));
    await writeFile(`${path}.new`, `${JSON.stringify({ keys }, null, 2)}\n`, { mode: 0o600 });
    await rename(`${path}.new`, path);
  } finally {
    await lock.release();
  }
}

/** Differs whenever the file has been written; undefined when there is none. */
export async function stampOf(path: string): Promise<string | undefined> {
  try {
    const { ino, mtimeMs, size } = await stat(path);
    return `${ino}-${mtimeMs}-${size}`;
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

async function takeLock(path: string): Promise<{ release: () => Promise<void> }> {
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
  const reason = `it is locked; remove ${path} if no other command is changing keys`;
  throw new CodedError('INVALID_KEY_FILE', { path, reason });
}

async function readIfPresent(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

function parseJson(text: string, path: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new CodedError('INVALID_KEY_FILE', { path, reason: 'it is not JSON' }, error);
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}
