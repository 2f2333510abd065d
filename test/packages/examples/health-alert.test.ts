import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { createTestKey, readDemo } from '../../support/hooks/served-demo.ts';
import {
  startServer,
  temporaryFolder,
  waitUntilReady,
} from '../../support/processes/run-tidegate.ts';

const example = fileURLToPath(new URL('../../../examples/health-alert.ts', import.meta.url));

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

test('the example of a health alert prints a signed delivery', async () => {
  expect(readFileSync(example, 'utf8').trimEnd().split('\n').length).toBeLessThan(60);
  const DATA_DIR = temporaryFolder();
  const key = await createTestKey(DATA_DIR);
  const server = await startServer({ DATA_DIR, WEBHOOK_PRIVATE_ADDRESSES: 'true' });
  await waitUntilReady(server.url);
  const demo = await readDemo(server);
  const receiver = `http://127.0.0.1:${await freePort()}`;
  const args = ['--import', 'tsx', example, server.url, key, demo.obligation, receiver];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  await expect.poll(() => output).toMatch(/^waiting for hook_[0-9a-f]{24}$/m);
  await demo.changeCollateralPrices(0.1);
  await expect
    .poll(() => output)
    .toMatch(/^loan\.health\.crossed: falling to -?\d+(\.\d+)? at slot \d+$/m);
});
