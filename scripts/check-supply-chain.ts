import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import type { Lockfile } from './supply-chain/lockfile.ts';
import {
  checkSupplyChain,
  type InstalledPackage,
  type Manifest,
} from './supply-chain/supply-chain-rules.ts';

/** Checks that an installation is what the lockfile says, runs no foreign code, and may be distributed. */
const files = execFileSync('git', ['ls-files', '-co', '--exclude-standard'], { encoding: 'utf8' })
  .trim()
  .split('\n')
  .filter((file) => existsSync(file));
const readJson = <Value>(path: string): Value => JSON.parse(readFileSync(path, 'utf8')) as Value;

const manifests = files.filter((file) => /^(?:packages\/\w+\/)?package\.json$/.test(file));
const installers = files.filter((file) => /^\.ci\/|^deploy\/.*(?:Dockerfile|\.sh)$/.test(file));

const problems = checkSupplyChain({
  lock: readJson<Lockfile>('package-lock.json'),
  manifests: Object.fromEntries(manifests.map((file) => [file, readJson<Manifest>(file)])),
  readInstalled: (folder) => {
    const path = `${folder}/package.json`;
    return existsSync(path) ? readJson<InstalledPackage>(path) : undefined;
  },
  installers: Object.fromEntries(installers.map((file) => [file, readFileSync(file, 'utf8')])),
});
for (const problem of problems) console.error(problem);
if (problems.length > 0) process.exitCode = 1;
