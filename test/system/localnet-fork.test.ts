import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, onTestFinished, test } from 'vitest';
import { FAST_START, programPath } from '../support/processes/program-path.ts';
import { temporaryFolder } from '../support/processes/run-tidegate.ts';
import { findAccount } from '../support/recorded-mainnet/edit-account.ts';
import { MAIN_MARKET } from '../support/recorded-mainnet/recorded-addresses.ts';
import { startRecordedMainnet } from '../support/recorded-mainnet/recorded-mainnet.ts';
import { completeCluster } from '../support/recorded-mainnet/scenarios.ts';

function start(...args: readonly string[]) {
  const { PATH = '' } = process.env;
  const allArgs = ['--port', '0', '--data-dir', temporaryFolder(), ...args];
  const child = spawn(process.execPath, [FAST_START, programPath, 'localnet', ...allArgs], {
    env: { PATH },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  onTestFinished(() => {
    child.kill('SIGKILL');
  });
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  return { child, stderr: () => stderr };
}

test('tidegate localnet --fork serves accounts of the origin and stops on SIGTERM', async () => {
  const origin = await startRecordedMainnet();
  const { child, stderr } = start('--fork', `${origin.rpcUrl}?api-key=secret`);
  await expect.poll(stderr).toMatch(/^Localnet is at \S+[\s\S]*fork of \S+ at slot \d+/m);
  expect(stderr()).not.toContain('secret');
  const [, rpcUrl = ''] = /^Localnet is at (\S+)/m.exec(stderr()) ?? [];
  const response = await fetch(rpcUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'getAccountInfo',
      params: [MAIN_MARKET, { encoding: 'base64', commitment: 'processed' }],
    }),
  });
  const { data } = findAccount(completeCluster(), MAIN_MARKET);
  expect(await response.json()).toMatchObject({
    result: { value: { data: [Buffer.from(data).toString('base64'), 'base64'] } },
  });
  const closed = once(child, 'close');
  child.kill('SIGTERM');
  expect((await closed)[0]).toBe(0);
});

test.each([
  [['--fork', 'ftp://example'], /fork is "ftp:\/\/example"\. It accepts the http or https URL/],
  [['--fork', 'http://127.0.0.1:1', '--fork-slot', 'x'], /--fork-slot is "x"\. It accepts a slot/],
])('%j is rejected with one line', async (args, message) => {
  const { child, stderr } = start(...args);
  const [code] = await once(child, 'close');
  expect(code).toBe(1);
  expect(stderr()).toMatch(message);
  expect(stderr().trim().split('\n')).toHaveLength(1);
});
