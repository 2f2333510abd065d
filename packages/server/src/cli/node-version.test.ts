import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const program = new URL('../../bin/tidegate.js', import.meta.url);

/** Runs the program with the version number of another Node.js. */
function runAsNode(version: string) {
  const preload = `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '${version}' } })`;
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [
      ...['--import', `data:text/javascript,${encodeURIComponent(preload)}`],
      ...[fileURLToPath(program), '--version'],
    ],
    { encoding: 'utf8' },
  );
  return { status, stdout, stderr };
}

test('an old Node.js gets one line instead of a stack', () => {
  for (const version of ['12.22.0', '18.20.8', '20.18.3']) {
    expect(runAsNode(version)).toEqual({
      status: 1,
      stdout: '',
      stderr: `tidegate: Node.js ${version} is too old. Install Node.js 20.19 or later.\n`,
    });
  }
});

test('the check asks for the version in package.json', () => {
  const manifest = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');
  expect(JSON.parse(manifest).engines.node).toBe('>=20.19');
});

test('the program starts with syntax of Node.js 12', () => {
  const source = readFileSync(program, 'utf8').replaceAll(/^\s*\/\/.*$/gm, '');
  expect(source).not.toMatch(/\bawait\b|^\s*import\s|\?\.|\?\?|node:/m);
});
