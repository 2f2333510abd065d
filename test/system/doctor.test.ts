import { expect, test } from 'vitest';
import { runTidegate } from '../support/processes/run-tidegate.ts';

test('the doctor of the embedded default finds no problem', async () => {
  const { code, out, err } = await runTidegate(['doctor'], { PORT: '0' });
  expect([code, err]).toEqual([0, '']);
  expect(out).toMatch(/^ok +settings +Every setting has a valid value\.$/m);
  expect(out).toMatch(/^ok +endpoints +RPC_URL is not set/m);
  expect(out).toMatch(/^0 problems, \d+ warnings, \d+ ok$/m);
});

test('a problem gives exit code 1, and JSON lists every check', async () => {
  const env = { PORT: 'many', RPC_URL: 'http://127.0.0.1:1/secret-key', WS_URL: 'none' };
  const { code, out } = await runTidegate(['doctor', '--json'], env);
  expect(code).toBe(1);
  expect(out).not.toContain('secret-key');
  const report = JSON.parse(out);
  expect(report.ok).toBe(false);
  expect(report.checks).toContainEqual({
    name: 'settings',
    status: 'problem',
    message: 'PORT has an invalid value',
    change: 'Set it to a whole number from 0 to 65535.',
  });
  expect(report.checks).toContainEqual(
    expect.objectContaining({ name: 'endpoint 127.0.0.1:1', status: 'problem' }),
  );
});
