import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** Builds before the tests, so that processes of parallel tests do not build at the same time. */
export function setup(): void {
  execFileSync(process.execPath, [programPath, '--version']);
}

export const programPath = fileURLToPath(
  new URL('../../../packages/server/bin/tidegate.js', import.meta.url),
);
