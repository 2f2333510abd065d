import { execFileSync } from 'node:child_process';
import { createRunFolder } from '../../../scripts/testing/run-folder.ts';
import { removeTemplate } from '../history/postgres-server.ts';
import { programPath } from './program-path.ts';

/**
 * Compiles the packages, which child processes and worker threads run, and creates one temporary
 * folder for everything that the tests of this run write. Returns what removes it.
 */
export function setup(): () => Promise<void> {
  execFileSync(process.execPath, [programPath, '--version']);
  const folder = createRunFolder();
  return async () => {
    await removeTemplate();
    folder.remove();
  };
}
