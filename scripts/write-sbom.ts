import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import type { Lockfile } from './supply-chain/lockfile.ts';
import { keepShipped, type Sbom } from './supply-chain/sbom.ts';

/** Prints the packages that users get, as CycloneDX. Needs no network. */
const all = execFileSync('npm', ['sbom', '--package-lock-only', '--sbom-format', 'cyclonedx'], {
  encoding: 'utf8',
  maxBuffer: 64 * 1024 * 1024,
  stdio: ['ignore', 'pipe', 'ignore'],
});
const lock = JSON.parse(readFileSync('package-lock.json', 'utf8')) as Lockfile;
const { version = '' } = lock.packages['packages/server'] ?? {};
console.log(JSON.stringify(keepShipped(JSON.parse(all) as Sbom, lock, version), null, 2));
