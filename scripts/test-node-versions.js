import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';

// Runs `npm test` on each supported Node version: `npm run test:node [-- VERSION ...] [--all [STAGE ...] | options of npm test]`.
// npm distributes the binaries, so nothing else has to be installed.
const SUPPORTED = ['20', '22', '24'];

const args = process.argv.slice(2);
const versions = args.filter((arg) => /^\d+(\.\d+)*$/.test(arg));
const options = args.filter((arg) => !versions.includes(arg));
const failed = [];
for (const version of versions.length === 0 ? SUPPORTED : versions) {
  const folder = mkdtempSync(join(tmpdir(), `tidegate-node-${version}-`));
  try {
    const node = installNode(version, folder);
    const actual = execFileSync(node, ['--version'], { encoding: 'utf8' }).trim();
    console.log(`\n== Node ${actual} ==`);
    const { status } = spawnSync(node, ['--import', 'tsx', 'scripts/run-tests.ts', ...options], {
      stdio: 'inherit',
      // tests start processes with the same Node
      env: { ...process.env, PATH: `${dirname(node)}${delimiter}${process.env.PATH}` },
    });
    if (status !== 0) failed.push(actual);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
if (failed.length > 0) {
  console.error(`Tests failed on Node ${failed.join(', ')}.`);
  process.exitCode = 1;
}

/** The binary package of this platform needs no install script. */
function installNode(version, folder) {
  const system = process.platform === 'win32' ? 'win' : process.platform;
  const name = `node-${system}-${process.arch}`;
  const flags = ['--no-audit', '--no-fund', '--ignore-scripts', '--prefix', folder];
  execFileSync('npm', ['install', ...flags, `${name}@${version}`], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  return join(folder, 'node_modules', name, 'bin', system === 'win' ? 'node.exe' : 'node');
}
