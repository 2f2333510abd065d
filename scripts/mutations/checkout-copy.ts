import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** A built copy of the checkout, which can be broken without harm. Ends in a slash. */
export function copyCheckout(root: string): string {
  const copy = `${mkdtempSync(join(realpathSync(tmpdir()), 'tidegate-mutations-'))}/`;
  for (const file of checkoutFiles(root)) {
    mkdirSync(dirname(join(copy, file)), { recursive: true });
    cpSync(join(root, file), join(copy, file), { verbatimSymlinks: true });
  }
  // links of the workspace are relative, so they lead to the packages of the copy
  cpSync(join(root, 'node_modules'), join(copy, 'node_modules'), {
    recursive: true,
    verbatimSymlinks: true,
  });
  // some tests list the files of the repository
  execFileSync('git', ['init', '--quiet'], { cwd: copy });
  execFileSync('git', ['add', '--all'], { cwd: copy });
  buildCopy(copy);
  return copy;
}

export function removeCopy(copy: string): void {
  rmSync(copy, { recursive: true, force: true, maxRetries: 20 });
}

/** Compiles what changed, as every start does. Throws if the program does not start. */
export function buildCopy(copy: string): void {
  execFileSync(process.execPath, ['packages/server/bin/tidegate.js', '--version'], {
    cwd: copy,
    stdio: 'pipe',
    timeout: BUILD_TIMEOUT_MS,
  });
}

const BUILD_TIMEOUT_MS = 300_000;

export function checkoutFiles(root: string): string[] {
  const listed = execFileSync('git', ['ls-files', '-co', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  return listed
    .trim()
    .split('\n')
    .filter((file) => existsSync(join(root, file)));
}
