import { mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const MEMORY_FOLDER = '/dev/shm';
const MIN_FREE_BYTES = 8e9;

export type RunFolder = { remove(): void };

/**
 * Creates the folder of everything that the tests of a run write, and names it in TEST_RUN_FOLDER. A folder that is named
 * there already belongs to the run around this one.
 */
export function createRunFolder(): RunFolder {
  if (process.env['TEST_RUN_FOLDER'] !== undefined) return { remove: () => undefined };
  const folder = mkdtempSync(join(fastFolder(), 'tidegate-tests-'));
  process.env['TEST_RUN_FOLDER'] = folder;
  return { remove: () => rmSync(folder, { recursive: true, force: true, maxRetries: 20 }) };
}

/** A file system in memory if there is one with enough space: each embedded database has a thousand files. */
function fastFolder(): string {
  try {
    const { bavail, bsize } = statfsSync(MEMORY_FOLDER);
    return bavail * bsize >= MIN_FREE_BYTES ? MEMORY_FOLDER : tmpdir();
  } catch {
    return tmpdir();
  }
}
