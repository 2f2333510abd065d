import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { programPath } from './program-path.ts';

/**
 * Compiles the packages, which child processes and worker threads run, and creates one temporary
 * folder for everything that the tests of this run write.
 */
export function setup(): void {
  execFileSync(process.execPath, [programPath, '--version']);
  process.env['TEST_RUN_FOLDER'] ??= mkdtempSync(join(tmpdir(), 'tidegate-tests-'));
}

export function teardown(): void {
  const folder = process.env['TEST_RUN_FOLDER'];
  if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
}
