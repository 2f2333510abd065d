import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/*
 * Upgrades a deployment under load from an earlier release, which is built in a temporary folder:
 *
 *   npm run test:upgrade -- REF        a tag or commit; by default the newest tag before this commit
 */
const ref = process.argv[2] ?? newestTag();
const folder = mkdtempSync(join(tmpdir(), 'tidegate-previous-'));
const inFolder = { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] };
try {
  execFileSync('git', ['worktree', 'add', '--detach', '--force', folder, ref], {
    stdio: 'inherit',
  });
  execFileSync('npm', ['ci', '--no-audit', '--no-fund'], inFolder);
  execFileSync('npm', ['run', 'build'], inFolder);
  const env = {
    ...process.env,
    PREVIOUS_RELEASE: join(folder, 'packages/server/bin/tidegate.js'),
  };
  const command = ['vitest', 'run', 'test/chaos/upgrade.test.ts'];
  process.exitCode = spawnSync('npx', command, { stdio: 'inherit', env }).status ?? 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
  execFileSync('git', ['worktree', 'prune']);
}

function newestTag() {
  try {
    return execFileSync('git', ['describe', '--tags', '--abbrev=0', 'HEAD^'], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim();
  } catch {
    console.error(
      'There is no tag of an earlier release. Name a commit: npm run test:upgrade -- REF',
    );
    process.exit(1);
  }
}
