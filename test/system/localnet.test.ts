import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { createSolanaRpc, createSolanaRpcSubscriptions } from '@solana/kit';
import { expect, onTestFinished, test } from 'vitest';
import { programPath } from '../support/processes/build-once.ts';
import { temporaryFolder } from '../support/processes/run-tidegate.ts';

type Started = { readonly process: ChildProcess; readonly said: () => string };

/** `tidegate localnet` with one day behind it, the built program with its thread; killed with the test. */
function start(...args: readonly string[]): Started {
  const { PATH = '' } = process.env;
  const given = ['--days', '1', '--data-dir', temporaryFolder(), ...args];
  const child = spawn(process.execPath, [programPath, 'localnet', ...given], {
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
  const form =
    /^Localnet is at (\S+) \(WebSocket: (\S+)\)[\s\S]*wallet {6}(\S+)[\s\S]*obligation {2}(\S+)/m;
  while (!form.test(said())) {
    if (child.exitCode !== null) throw new Error(`it ended: ${said()}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  const [, rpcUrl = '', wsUrl = '', wallet = '', obligation = ''] = form.exec(said()) ?? [];
  return { rpcUrl, wsUrl, wallet, obligation };
}

async function ask(url: string, method: string, params: unknown): Promise<unknown> {
  const answer = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  });
  return ((await answer.json()) as { result: unknown }).result;
}

async function endOf({ process: child }: Started, signal: NodeJS.Signals) {
  const closed = once(child, 'close');
  child.kill(signal);
  const [code] = await closed;
  return code;
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
  expect(await endOf(localnet, 'SIGTERM')).toBe(0);
});

test.each(['SIGTERM', 'SIGKILL'] as const)(
  'what has landed is there again after %s, and the clock is at now',
  async (signal) => {
    const folder = temporaryFolder();
    const first = start('--port', '0', '--data-dir', folder);
    const { rpcUrl, wallet } = await urlsOf(first);
    const signature = await ask(rpcUrl, 'requestAirdrop', [wallet, 7_000_000_000]);
    const status = async (url: string) => {
      const asked = [[signature], { searchTransactionHistory: true }];
      const { value } = (await ask(url, 'getSignatureStatuses', asked)) as { value: unknown[] };
      return value[0];
    };
    await expect.poll(() => status(rpcUrl), { timeout: 5_000 }).toMatchObject({ err: null });
    const asked = [wallet, { commitment: 'processed' }];
    const before = await ask(rpcUrl, 'getBalance', asked);
    const slot = await ask(rpcUrl, 'getSlot', [{ commitment: 'processed' }]);
    const past = await ask(rpcUrl, 'getSignaturesForAddress', [wallet]);
    await endOf(first, signal);

    const again = await urlsOf(start('--port', '0', '--data-dir', folder));
    expect(again.wallet).toBe(wallet);
    expect(await status(again.rpcUrl)).toMatchObject({ err: null });
    const after = await ask(again.rpcUrl, 'getBalance', asked);
    expect(after).toMatchObject({ value: (before as { value: number }).value });
    expect(await ask(again.rpcUrl, 'getSlot', [{ commitment: 'processed' }])).toBeGreaterThan(
      slot as number,
    );
    expect(await ask(again.rpcUrl, 'getSignaturesForAddress', [wallet])).toMatchObject(
      (past as { signature: string }[]).map((each) => ({ signature: each.signature })),
    );
    const rpc = createSolanaRpc(again.rpcUrl);
    const newest = await rpc.getSlot({ commitment: 'processed' }).send();
    const time = await rpc.getBlockTime(newest - 1n).send();
    expect(Math.abs(Number(time) - Date.now() / 1000)).toBeLessThan(5);
  },
);

test('what is kept is not overwritten: another seed or length is refused, and made with --fresh', async () => {
  const folder = temporaryFolder();
  const first = start('--port', '0', '--data-dir', folder, '--seed', 'a');
  const { wallet } = await urlsOf(first);
  const second = start('--port', '0', '--data-dir', folder, '--seed', 'a');
  await once(second.process, 'close');
  expect(second.said()).toMatch(/^tidegate: The data folder \S+ is in use by process \d+\. /);
  await endOf(first, 'SIGTERM');

  const refused = start('--port', '0', '--data-dir', folder, '--seed', 'b');
  const [code] = await once(refused.process, 'close');
  expect([code, refused.said()]).toEqual([
    1,
    'tidegate: LOCALNET_SEED is "b". It accepts what the cluster in the data folder was played with (a), or anything together with --fresh, which plays another one.\n',
  ]);
  const fresh = await urlsOf(start('--port', '0', '--data-dir', folder, '--seed', 'b', '--fresh'));
  expect(fresh.wallet).not.toBe(wallet);
});

test('the same seed and end give the same cluster on every start, another seed another one', async () => {
  const until = '2026-02-01T00:00:00Z';
  const seeds = ['a', 'a', 'b'];
  const [one, two, other] = await Promise.all(
    seeds.map(async (seed) => {
      const { rpcUrl, obligation, wallet } = await urlsOf(
        start('--port', '0', '--seed', seed, '--until', until),
      );
      const signed = (await ask(rpcUrl, 'getSignaturesForAddress', [wallet])) as object[];
      const past = signed.map((each) => ('signature' in each ? each.signature : ''));
      return { obligation, past };
    }),
  );
  expect(one?.past.length).toBeGreaterThan(5);
  expect(one).toEqual(two);
  expect(one?.obligation).not.toBe(other?.obligation);
});

test('a clock that is told to runs faster', async () => {
  const { rpcUrl } = await urlsOf(start('--port', '0', '--speed', '50'));
  const rpc = createSolanaRpc(rpcUrl);
  const slotNow = () => rpc.getSlot({ commitment: 'processed' }).send();
  const [slot, begun] = [await slotNow(), performance.now()];
  await new Promise((resolve) => setTimeout(resolve, 1_000));
  const passed = Number((await slotNow()) - slot);
  const seconds = (performance.now() - begun) / 1_000;
  expect(passed).toBeGreaterThan(2.5 * 50 * 0.5);
  expect(passed).toBeLessThan(2.5 * 50 * seconds * 1.5);
});

test.each([
  [['--days', '0'], 'LOCALNET_DAYS is "0". It accepts a whole number from 1 to 3650.'],
  [['--until', '2199-01-01'], 'LOCALNET_UNTIL is "2199-01-01". It accepts a date such as'],
  [['--until', '2020-12-31'], 'LOCALNET_UNTIL is "2020-12-31". It accepts a date such as'],
  [['--until', 'yesterday'], 'LOCALNET_UNTIL is "yesterday". It accepts a date such as'],
  [['--speed', '0'], 'LOCALNET_SPEED is "0". It accepts a whole number from 1 to 1000.'],
  [
    ['--days', '3000', '--until', '2026-01-01'],
    'LOCALNET_DAYS is "3000". It accepts at most 2115 for a time that ends then.',
  ],
])('%j is refused in one line', async (args, said) => {
  const localnet = start('--port', '0', ...args);
  const [code] = await once(localnet.process, 'close');
  expect(code).toBe(1);
  expect(localnet.said()).toContain(`tidegate: ${said}`);
  expect(localnet.said().split('\n')).toHaveLength(2);
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
