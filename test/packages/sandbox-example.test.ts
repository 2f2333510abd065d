import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const run = promisify(execFile);

test('the example test for integrators passes', async () => {
  const script = fileURLToPath(new URL('../../docs/examples/sandbox.js', import.meta.url));
  const args = ['--test', '--test-reporter=tap', script];
  // a failed run has its output too, which says what failed
  const { stdout } = await run(process.execPath, args).catch((error) => error);
  expect(stdout).toMatch(/^# pass 1$/m);
  expect(stdout).toMatch(/^# fail 0$/m);
});
