import { spawnSync } from 'node:child_process';
import { lstatSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { reportCost } from './report-cost.ts';
import { isSmoke, reportBudget } from './smoke.ts';

/** `npm ci` in a clean clone: its time with the build, and the size of the packages that a server needs. */
const BUDGET_SECONDS = 15;
const BUDGET_MB = 60;
const root = fileURLToPath(new URL('..', import.meta.url));

function run(command: string, args: readonly string[], cwd: string): string {
  const { status, stdout, stderr } = spawnSync(command, args, { cwd, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} failed: ${stderr}`);
  return stdout;
}

/** Bytes of the files of a package, without the packages inside it. */
function packageBytes(folder: string): number {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.name !== 'node_modules')
    .map((entry) => [entry, join(folder, entry.name)] as const)
    .reduce((sum, [entry, path]) => {
      if (entry.isDirectory()) return sum + packageBytes(path);
      return sum + (entry.isFile() ? lstatSync(path).size : 0);
    }, 0);
}

/** Packages of the registry that a server without the development packages has. */
function serverPackages(): readonly string[] {
  const listed = run('npm', ['ls', '--omit=dev', '--all', '--parseable'], root).split('\n');
  const folders = listed.filter((path) => path.includes('node_modules'));
  return folders.filter((path) => !lstatSync(path).isSymbolicLink());
}

function installTime(): number {
  const folder = mkdtempSync(join(tmpdir(), 'tidegate-install-'));
  try {
    run('git', ['clone', '--quiet', root, folder], root);
    const startedAt = performance.now();
    run('npm', ['ci', '--no-audit', '--no-fund'], folder);
    return (performance.now() - startedAt) / 1000;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const megabytes = serverPackages().reduce((sum, path) => sum + packageBytes(path), 0) / 1e6;
const isSmall = megabytes <= BUDGET_MB;
reportCost({
  work: 'packages of a server without dev',
  measured: `${megabytes.toFixed(0)} MB`,
  budget: `${BUDGET_MB} MB`,
  isWithinBudget: isSmall,
});
if (isSmoke) {
  reportBudget(isSmall);
} else {
  const seconds = installTime();
  const isQuick = seconds <= BUDGET_SECONDS;
  reportCost({
    work: 'npm ci, with the build',
    measured: `${seconds.toFixed(1)} s`,
    budget: `${BUDGET_SECONDS} s`,
    isWithinBudget: isQuick,
  });
  reportBudget(isSmall && isQuick);
}
