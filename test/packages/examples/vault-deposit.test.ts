import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { startServer } from '../../support/processes/run-tidegate.ts';

const run = promisify(execFile);
const example = fileURLToPath(new URL('../../../examples/vault-deposit.ts', import.meta.url));

type Demo = { readonly rpcUrl: string; readonly vault: string; readonly wallet: string };
type Vault = { readonly state: { readonly tokenMint: string } };

test('the example of a vault deposit deposits, and waits until the shares are there', async () => {
  expect(readFileSync(example, 'utf8').trimEnd().split('\n').length).toBeLessThan(60);
  const { url, dataDir } = await startServer();
  const read = async <Body>(path: string) => (await (await fetch(`${url}${path}`)).json()) as Body;
  await expect.poll(async () => (await fetch(`${url}/ready`)).status).toBe(200);
  const { demo } = await read<{ demo: Demo }>('/status');
  const { state } = await read<Vault>(`/kvaults/vaults/${demo.vault}`);
  const key = join(dataDir, 'localnet', 'keys', 'wallet-0.json');
  const args = [example, url, demo.rpcUrl, key, state.tokenMint, '10'];
  const { stdout } = await run(process.execPath, ['--import', 'tsx', ...args]);
  expect(stdout).toMatch(/^Deposits at most 10 tokens from /m);
  const shares = new RegExp(`^${demo.wallet} had [\\d.]+ shares of \\w+ and has more\\.$`, 'm');
  expect(stdout).toMatch(shares);
});
