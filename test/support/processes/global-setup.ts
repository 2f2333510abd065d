import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { programPath } from './program-path.ts';

const MEMORY_FOLDER = '/dev/shm';
const MIN_FREE_BYTES = 8e9;

/**
 * Compiles the packages, which child processes and worker threads run, and creates one temporary
 * folder for everything that the tests of this run write.
 */
export function setup(): void {
  execFileSync(process.execPath, [programPath, '--version']);
  process.env['TEST_RUN_FOLDER'] ??= mkdtempSync(join(fastFolder(), 'tidegate-tests-'));
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

export function teardown(): void {
  const folder = process.env['TEST_RUN_FOLDER'];
  if (folder !== undefined) rmSync(folder, { recursive: true, force: true, maxRetries: 20 });
}
