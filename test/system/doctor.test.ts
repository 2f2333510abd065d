import { startLocalnet } from '@tidegate/localnet';
import { expect, onTestFinished, test } from 'vitest';
import { runTidegate } from '../support/processes/run-tidegate.ts';

test('the doctor of the embedded default finds no problem', async () => {
  const { code, out, err } = await runTidegate(['doctor'], { PORT: '0' });
  expect([code, err]).toEqual([0, '']);
  expect(out).toMatch(/^ok +settings +Every setting has a valid value\.$/m);
  expect(out).toMatch(/^ok +endpoints +RPC_URL is not set/m);
  expect(out).toMatch(/^0 problems, \d+ warnings, \d+ ok$/m);
});

test('the doctor names the releases that a cluster runs, and one that it does not know', async () => {
  const net = await startLocalnet({ seed: 'doctor' });
  onTestFinished(() => net.stop());
  await net.upgradeProgram('klend', '1.24');
  await net.upgradeProgram('kvault', new Uint8Array([1, 2, 3]));
  const { slot } = net.now;
  const env = { PORT: '0', RPC_URL: net.rpcUrl, WS_URL: net.wsUrl, CLUSTER: 'localnet' };
  const { out } = await runTidegate(['doctor'], env);
  expect(out).toMatch(/^ok +program klend +localnet runs release 1\.24, deployed in slot \d+\.$/m);
  const unknown = out.split('\n').find((line) => line.includes('program kvault')) ?? '';
  expect(unknown).toMatch(
    /^warning +program kvault +localnet runs an unknown release since slot \d+/,
  );
  expect(unknown).toContain('(sha256 039058c6f2c0cb49…), figures follow the rules of 2.3.0.');
  expect(BigInt(/since slot (\d+)/.exec(unknown)?.[1] ?? 0)).toBeLessThanOrEqual(slot);
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
