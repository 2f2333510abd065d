import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { checkPublish } from './release/publish-package.ts';
import { listPackages, publishedPackages } from './release/published-packages.ts';

/**
 * Publishes all packages, each after those that it depends on: `tsx scripts/publish-packages.ts --repository URL`. With `--dry-run` it
 * only checks what would be published. Run `npm run build` first.
 */
const { values } = parseArgs({
  options: { 'dry-run': { type: 'boolean', default: false }, repository: { type: 'string' } },
});
const packages = publishedPackages(listPackages('.'));

const checks = [];
for (const { folder } of packages) checks.push(...(await checkPublish('.', folder)));
for (const problem of checks) console.error(problem);
if (checks.length > 0) process.exitCode = 1;
else if (values['dry-run']) {
  for (const { manifest } of packages) console.log(`${manifest.name} ${manifest.version}`);
} else publishAll(values.repository);

/** A provenance statement names the repository, which must be the one in package.json. */
function publishAll(repository: string | undefined): void {
  if (repository === undefined) throw new Error('Pass --repository: the URL of the repository.');
  for (const { folder, manifest } of packages) {
    if (isPublished(manifest)) {
      console.log(`${manifest.name} ${manifest.version} is already published`);
      continue;
    }
    setRepository(folder, repository);
    const tag = manifest.version.includes('-') ? 'next' : 'latest';
    const flags = ['--provenance', '--access=public', `--tag=${tag}`, `--workspace=${folder}`];
    const { status } = spawnSync('npm', ['publish', ...flags], { stdio: 'inherit' });
    if (status !== 0) throw new Error(`${manifest.name} was not published`);
  }
}

/** A release that failed halfway is continued when it is run again. */
function isPublished({
  name,
  version,
}: {
  readonly name: string;
  readonly version: string;
}): boolean {
  const { status, stdout } = spawnSync('npm', ['view', `${name}@${version}`, 'version'], {
    encoding: 'utf8',
  });
  return status === 0 && stdout.trim() === version;
}

function setRepository(directory: string, repository: string): void {
  const path = join(directory, 'package.json');
  const manifest: object = JSON.parse(readFileSync(path, 'utf8'));
  const url = `git+${repository.replace(/\.git$/, '')}.git`;
  const changed = { ...manifest, repository: { type: 'git', url, directory } };
  writeFileSync(path, `${JSON.stringify(changed, undefined, 2)}\n`);
}
