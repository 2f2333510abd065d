import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { createSolanaRpc, type Signature } from '@solana/kit';
import { expect, test } from 'vitest';
import { startServer } from '../support/processes/run-tidegate.ts';

const run = promisify(execFile);

const root = new URL('../../', import.meta.url);
const read = (path: string): string => readFileSync(new URL(path, root), 'utf8');

test('the code in the guide is part of the example', () => {
  const [, lines] =
    /## Sign and send[\s\S]*?```js\n([\s\S]*?)```/.exec(read('docs/builders.md')) ?? [];
  expect(lines?.trim().split('\n').length).toBeLessThanOrEqual(10);
  expect(read('docs/examples/sign-deposit.js')).toContain(lines);
});

test('the example of the guide signs and sends a transaction that is confirmed', async () => {
  const { url } = await startServer();
  await expect
    .poll(async () => (await fetch(`${url}/ready`)).status, { timeout: 20_000 })
    .toBe(200);
  const { demo } = (await (await fetch(`${url}/status`)).json()) as { demo: Demo };
  const script = fileURLToPath(new URL('docs/examples/sign-deposit.js', root));
  const { stdout } = await run(process.execPath, [script, url]);
  const rpc = createSolanaRpc(demo.rpcUrl);
  const signature = stdout.trim() as Signature;
  const statusOf = async () => {
    const { value } = await rpc.getSignatureStatuses([signature]).send();
    return value[0] && { status: value[0].confirmationStatus, err: value[0].err };
  };
  await expect
    .poll(statusOf, { timeout: 20_000 })
    .toEqual({ status: expect.stringMatching('confirmed|finalized'), err: null });
});

type Demo = { readonly rpcUrl: string };
