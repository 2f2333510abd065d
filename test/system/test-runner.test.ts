import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../support/processes/run-tidegate.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** A project with one test that passes and one with the given body; it runs with the runner of this repository. */
function createProject(body: string): string {
  const folder = temporaryFolder();
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  mkdirSync(join(folder, 'test'));
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  writeFileSync(
    join(folder, 'vitest.config.ts'),
    "export default { test: { include: ['test/*.test.ts'] } };",
  );
  writeFileSync(
    join(folder, 'test/a.test.ts'),
    `import { existsSync, writeFileSync } from 'node:fs';
     import { expect, test } from 'vitest';
     test('passes', () => undefined);
     test("it's the (second) one", () => { ${body} });`,
  );
  return folder;
}

function runTests(cwd: string) {
  const { TEST_RUN_FOLDER: _, TEST_STAGE: __, VITEST: ___, ...rest } = process.env;
  const env = { ...rest, TEST_SEED: '4711' };
  const tsx = join(root, 'node_modules/tsx/dist/cli.mjs');
  const args = [tsx, join(root, 'scripts/run-tests.ts')];
  const { status, stdout } = spawnSync(process.execPath, args, { cwd, env, encoding: 'utf8' });
  const lines = stdout.trimEnd().split('\n');
  return { status, lines, command: lines.at(-1) ?? '', env };
}

test('a test that fails only once fails the run; the last line repeats it alone, with its seed', () => {
  const folder = createProject(
    "const isFirst = !existsSync('ran'); writeFileSync('ran', ''); expect(isFirst).toBe(false);",
  );
  const { status, lines, command, env } = runTests(folder);
  expect(status).toBe(1);
  expect(lines).toContain("failed once, passed alone: test/a.test.ts it's the (second) one");
  expect(lines).toContain('seed 4711');
  expect(command).toMatch(
    /^TEST_SERVICES=none TEST_SEED=4711 npx vitest run test\/a\.test\.ts -t /,
  );
  const repeated = spawnSync('sh', ['-c', command], { cwd: folder, env, encoding: 'utf8' });
  expect(repeated.stdout).toMatch(/1 passed/);
  expect(repeated.status).toBe(0);
});

test('a test that fails again alone is named as such, and a run without failures ends with 0', () => {
  const failing = runTests(createProject('expect(1).toBe(2);'));
  expect(failing.status).toBe(1);
  expect(failing.lines).toContain("failed, also alone: test/a.test.ts it's the (second) one");
  const passing = createProject('expect(1).toBe(1);');
  const { status, lines } = runTests(passing);
  expect([status, lines.at(-1)]).toEqual([0, 'seed 4711']);
  expect(existsSync(join(passing, 'ran'))).toBe(false);
});
