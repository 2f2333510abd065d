import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** Builds once, so that the processes that tests start side by side do not build at the same time. */
export function setup(): void {
  execFileSync(process.execPath, [programPath, '--version']);
}

export const programPath = fileURLToPath(
  new URL('../../../packages/server/bin/tidegate.js', import.meta.url),
);
