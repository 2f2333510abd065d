import { execFile } from 'node:child_process';
import { readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { temporaryFolderPath } from '../support/processes/run-folder.ts';
import { startServer, waitUntilReady } from '../support/processes/run-tidegate.ts';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../../', import.meta.url));

test('the script in the README of the client deposits into a vault', async () => {
  const readme = readFileSync(join(root, 'packages/client/README.md'), 'utf8');
  const [, script = ''] = /^```js\n([\s\S]*?)^```$/m.exec(readme) ?? [];
  const folder = temporaryFolderPath('client-readme-');
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  writeFileSync(join(folder, 'deposit.mjs'), script);

  const { url, dataDir } = await startServer();
  await waitUntilReady(url);
  const { demo } = (await (await fetch(`${url}/status`)).json()) as { demo: { rpcUrl: string } };
  const key = join(dataDir, 'localnet/keys/wallet-0.json');
  const args = ['deposit.mjs', url, demo.rpcUrl, key, '10'];
  const { stdout } = await run(process.execPath, args, { cwd: folder });
  expect(stdout).toMatch(
    /^Deposit 10 USDC .+\n[1-9A-HJ-NP-Za-km-z]{80,90}\n[\d.]+ shares at slot \d+\n$/,
  );
});
