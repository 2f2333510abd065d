import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../../../', import.meta.url));

test('the example of a test in CI passes, with its two tests isolated', async () => {
  const args = ['--import', 'tsx', '--test', '--test-reporter=tap', 'examples/program-test.ts'];
  // the published modules, as in a project of somebody else: without the aliases of this one
  const env = { ...process.env, TSX_TSCONFIG_PATH: 'packages/localnet/tsconfig.build.json' };
  // a failed run has its output too, which says what failed
  const { stdout } = await run(process.execPath, args, { cwd: root, env }).catch((error) => error);
  expect(stdout).toMatch(/^# pass 2$/m);
  expect(stdout).toMatch(/^# fail 0$/m);
});
