import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { changelogSections } from './release/changelog.ts';
import { listPackages, readManifest } from './release/published-packages.ts';
import { checkRelease } from './release/release-rules.ts';

/**
 * Checks that all packages have one version, what users need to know about a package, and the changelog:
 * `tsx scripts/check-release.ts [--tag v1.2.3] [--notes]`. With a tag, it must be that of the version, and the changelog must have an
 * entry for it; `--notes` prints that entry.
 */
const { values } = parseArgs({
  options: { tag: { type: 'string' }, notes: { type: 'boolean', default: false } },
});
const { tag, notes } = values;

type Lock = { readonly packages: Readonly<Record<string, { readonly version?: string }>> };

const lock = JSON.parse(readFileSync('package-lock.json', 'utf8')) as Lock;
const license = readFileSync('LICENSE', 'utf8');
const changelog = readFileSync('CHANGELOG.md', 'utf8');
const root = readManifest('.', '.');

const problems = checkRelease({
  root,
  packages: listPackages('.'),
  lockedVersions: Object.fromEntries(
    Object.entries(lock.packages).map(([folder, { version }]) => [folder, version]),
  ),
  changelog,
  hasLicense: (folder) => {
    const path = join(folder, 'LICENSE');
    return existsSync(path) && readFileSync(path, 'utf8') === license;
  },
  hasReadme: (folder) => existsSync(join(folder, 'README.md')),
  tag,
});
for (const problem of problems) console.error(problem);
if (problems.length > 0) process.exitCode = 1;
else if (notes) {
  const entry = changelogSections(changelog).find(({ version }) => version === root.version);
  console.log(entry?.text.trim() ?? '');
}
