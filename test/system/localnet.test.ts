import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { createSolanaRpc, createSolanaRpcSubscriptions } from '@solana/kit';
import { expect, onTestFinished, test } from 'vitest';
import { programPath } from '../support/build.ts';

type Started = { readonly process: ChildProcess; readonly said: () => string };

/** `tidegate localnet`, the built program with its thread; killed with the test. */
function start(...args: readonly string[]): Started {
  const { PATH = '' } = process.env;
  const child = spawn(process.execPath, [programPath, 'localnet', ...args], {
    env: { PATH },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  onTestFinished(() => {
    child.kill('SIGKILL');
  });
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said += text;
  });
  return { process: child, said: () => said };
}

async function urlsOf({ process: child, said }: Started) {
  const form = /^Localnet is at (\S+) \(WebSocket: (\S+)\)[\s\S]*obligation {2}(\S+)/m;
  while (!form.test(said())) {
    if (child.exitCode !== null) throw new Error(`it ended: ${said()}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  const [, rpcUrl = '', wsUrl = '', obligation = ''] = form.exec(said()) ?? [];
  return { rpcUrl, wsUrl, obligation };
}

async function ask(url: string, method: string, params: unknown): Promise<unknown> {
  const answer = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  });
  return ((await answer.json()) as { result: unknown }).result;
}

test('the embedded cluster runs in its thread: slots pass by the wall clock, and it ends when told', async () => {
  const localnet = start('--port', '0');
  const { rpcUrl, wsUrl, obligation } = await urlsOf(localnet);
  const rpc = createSolanaRpc(rpcUrl);
  const first = await rpc.getSlot({ commitment: 'processed' }).send();
  const time = await rpc.getBlockTime(first - 1n).send();
  expect(Math.abs(Number(time) - Date.now() / 1000)).toBeLessThan(5);

  const { signal } = new AbortController();
  const subscriptions = createSolanaRpcSubscriptions(wsUrl);
  const slots = await subscriptions.slotNotifications().subscribe({ abortSignal: signal });
  const heard: bigint[] = [];
  const begun = performance.now();
  for await (const { slot } of slots) {
    heard.push(slot);
    if (heard.length === 6) break;
  }
  const seconds = (performance.now() - begun) / 1000;
  const [from = 0n] = heard;
  expect(heard).toEqual([0n, 1n, 2n, 3n, 4n, 5n].map((i) => from + i));
  expect(seconds).toBeGreaterThan(1.5);

  expect(await ask(rpcUrl, 'getAccountInfo', [obligation, { encoding: 'base64' }])).toMatchObject({
    value: { owner: 'KLend2g3cP87fffoy8q1mQqGKjrxjC8boSyAYavgmjD', space: 3344 },
  });
  localnet.process.kill('SIGTERM');
  const [code] = await once(localnet.process, 'close');
  expect(code).toBe(0);
});

test('the same seed gives the same addresses, another seed others', async () => {
  const seeds = ['a', 'a', 'b'];
  const [one, two, other] = await Promise.all(
    seeds.map(async (seed) => (await urlsOf(start('--port', '0', '--seed', seed))).obligation),
  );
  expect(one).toBe(two);
  expect(one).not.toBe(other);
});

test('a port that is taken is told in one line', async () => {
  const taken = createServer().listen(0, '127.0.0.1');
  onTestFinished(() => {
    taken.close();
  });
  await once(taken, 'listening');
  const address = taken.address();
  const port = address !== null && typeof address === 'object' ? address.port : 0;
  const localnet = start('--port', `${port}`);
  const [code] = await once(localnet.process, 'close');
  expect(code).toBe(1);
  expect(localnet.said()).toBe(
    `tidegate: LOCALNET_RPC_PORT is "${port}". It accepts a port that is free, as must be the one after it (${port} is in use), or 0 for any.\n`,
  );
});
