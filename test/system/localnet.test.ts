import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { createSolanaRpc, createSolanaRpcSubscriptions } from '@solana/kit';
import { expect, onTestFinished, test } from 'vitest';
import { FAST_START, programPath } from '../support/processes/program-path.ts';
import { simulatedDataDir, temporaryFolder } from '../support/processes/run-tidegate.ts';
import { waitUntil } from '../support/waiting/wait-until.ts';

type LocalnetProcess = { readonly process: ChildProcess; readonly stderr: () => string };

const SHIFT_CLOCK = new URL('../support/chaos/shift-clock.js', import.meta.url).href;
const HOUR = 3_600;

/** The wall clock of processes, which the test moves. */
class MovableClock {
  readonly file = join(temporaryFolder(), 'clock');
  #shiftMs = 0;

  /** Unix time in seconds. */
  get now(): number {
    return Math.floor((Date.now() + this.#shiftMs) / 1_000);
  }

  move(seconds: number): void {
    this.#shiftMs += seconds * 1_000;
    writeFileSync(this.file, String(this.#shiftMs));
  }
}

/** Starts `tidegate localnet` with one day of history. Kills it after the test. */
const start = (...args: readonly string[]): LocalnetProcess => startWithClock('', ...args);

function startWithClock(clockFile: string, ...args: readonly string[]): LocalnetProcess {
  const { PATH = '' } = process.env;
  const allArgs = ['--days', '1', '--data-dir', temporaryFolder(), ...args];
  const child = spawn(process.execPath, [FAST_START, programPath, 'localnet', ...allArgs], {
    env: { PATH, NODE_OPTIONS: `--import ${SHIFT_CLOCK}`, CLOCK_SHIFT_FILE: clockFile },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  onTestFinished(() => {
    child.kill('SIGKILL');
  });
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  return { process: child, stderr: () => stderr };
}

async function waitForUrls({ process: child, stderr }: LocalnetProcess) {
  const pattern =
    /^Localnet is at (\S+) \(WebSocket: (\S+)\)[\s\S]*wallet {6}(\S+)[\s\S]*obligation {2}(\S+)/m;
  const match = await waitUntil(() => {
    const found = pattern.exec(stderr());
    if (found === null && child.exitCode !== null) throw new Error(`it exited: ${stderr()}`);
    return found ?? undefined;
  }, 'localnet prints its addresses');
  const [, rpcUrl = '', wsUrl = '', wallet = '', obligation = ''] = match;
  return { rpcUrl, wsUrl, wallet, obligation };
}

async function request(url: string, method: string, params: unknown): Promise<unknown> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  });
  return ((await response.json()) as { result: unknown }).result;
}

async function stop({ process: child }: LocalnetProcess, signal: NodeJS.Signals) {
  const closed = once(child, 'close');
  child.kill(signal);
  const [code] = await closed;
  return code;
}

/** The time of the cluster reaches that of the wall clock, and is never ahead of it. */
async function expectTimeOf(clock: MovableClock, rpcUrl: string): Promise<void> {
  const rpc = createSolanaRpc(rpcUrl);
  const blockTime = async () => {
    const newest = await rpc.getSlot({ commitment: 'confirmed' }).send();
    return Number(await rpc.getBlockTime(newest).send());
  };
  const before = clock.now;
  await expect.poll(blockTime).toBeGreaterThanOrEqual(before);
  const time = await waitUntil(() => blockTime().catch(() => undefined), 'a block time');
  expect(time).toBeLessThanOrEqual(clock.now);
}

test('the embedded cluster advances slots with the wall clock and exits on SIGTERM', async () => {
  const clock = new MovableClock();
  const args = ['--port', '0', '--data-dir', await simulatedDataDir()];
  const localnet = startWithClock(clock.file, ...args);
  const { rpcUrl, wsUrl, obligation } = await waitForUrls(localnet);
  await expectTimeOf(clock, rpcUrl);
  clock.move(10 * HOUR);
  await expectTimeOf(clock, rpcUrl);

  const { signal } = new AbortController();
  const subscriptions = createSolanaRpcSubscriptions(wsUrl);
  const slots = await subscriptions.slotNotifications().subscribe({ abortSignal: signal });
  const received: bigint[] = [];
  for await (const { slot } of slots) {
    received.push(slot);
    if (received.length === 6) break;
  }
  const [from = 0n] = received;
  expect(received).toEqual([0n, 1n, 2n, 3n, 4n, 5n].map((i) => from + i));
  expect(
    await request(rpcUrl, 'getAccountInfo', [obligation, { encoding: 'base64' }]),
  ).toMatchObject({
    value: { owner: 'KLend2g3cP87fffoy8q1mQqGKjrxjC8boSyAYavgmjD', space: 3344 },
  });
  expect(await stop(localnet, 'SIGTERM')).toBe(0);
});

test.each(['SIGTERM', 'SIGKILL'] as const)(
  'transactions survive %s, and the clock continues at the current time',
  async (signal) => {
    const clock = new MovableClock();
    const args = ['--port', '0', '--data-dir', await simulatedDataDir()];
    const first = startWithClock(clock.file, ...args);
    const { rpcUrl, wallet } = await waitForUrls(first);
    const signature = await request(rpcUrl, 'requestAirdrop', [wallet, 7_000_000_000]);
    const status = async (url: string) => {
      const params = [[signature], { searchTransactionHistory: true }];
      const { value } = (await request(url, 'getSignatureStatuses', params)) as {
        value: unknown[];
      };
      return value[0];
    };
    await expect.poll(() => status(rpcUrl)).toMatchObject({ err: null });
    const balanceParams = [wallet, { commitment: 'processed' }];
    const before = await request(rpcUrl, 'getBalance', balanceParams);
    const slot = await request(rpcUrl, 'getSlot', [{ commitment: 'processed' }]);
    const signatures = await request(rpcUrl, 'getSignaturesForAddress', [wallet]);
    await stop(first, signal);

    clock.move(10 * HOUR);
    const restarted = await waitForUrls(startWithClock(clock.file, ...args));
    expect(restarted.wallet).toBe(wallet);
    expect(await status(restarted.rpcUrl)).toMatchObject({ err: null });
    const after = await request(restarted.rpcUrl, 'getBalance', balanceParams);
    expect(after).toMatchObject({ value: (before as { value: number }).value });
    expect(
      await request(restarted.rpcUrl, 'getSlot', [{ commitment: 'processed' }]),
    ).toBeGreaterThan(slot as number);
    // the list has finalized transactions only, so the last one may be missing before the restart
    const listed = (list: unknown) =>
      (list as { signature: string }[]).map((each) => each.signature);
    const restored = listed(await request(restarted.rpcUrl, 'getSignaturesForAddress', [wallet]));
    expect(restored.slice(-listed(signatures).length)).toEqual(listed(signatures));
    await expectTimeOf(clock, restarted.rpcUrl);
  },
);

const UNTIL = '2026-02-01T00:00:00Z';

/** What a new cluster of a seed has. */
async function clusterOf(localnet: LocalnetProcess) {
  const { rpcUrl, obligation, wallet } = await waitForUrls(localnet);
  const listed = (await request(rpcUrl, 'getSignaturesForAddress', [wallet])) as object[];
  const signatures = listed.map((each) => ('signature' in each ? each.signature : ''));
  return { obligation, wallet, signatures };
}

/** The cluster of seed b, simulated by the first of the tests that need it. */
let other: ReturnType<typeof clusterOf> | undefined;

test('a stored cluster is not overwritten: another seed needs --fresh', async () => {
  const folder = await simulatedDataDir();
  const first = start('--port', '0', '--data-dir', folder);
  const { wallet } = await waitForUrls(first);
  const second = start('--port', '0', '--data-dir', folder);
  await once(second.process, 'close');
  expect(second.stderr()).toMatch(/^tidegate: The data folder \S+ is in use by process \d+\. /);
  await stop(first, 'SIGTERM');

  const rejected = start('--port', '0', '--data-dir', folder, '--seed', 'b');
  const [code] = await once(rejected.process, 'close');
  expect([code, rejected.stderr()]).toEqual([
    1,
    'tidegate: LOCALNET_SEED is "b". It accepts the value of the stored cluster (tidegate), or any value with --fresh, which simulates a new cluster.\n',
  ]);
  const args = ['--port', '0', '--data-dir', folder, '--seed', 'b', '--until', UNTIL];
  other = clusterOf(start(...args, '--fresh'));
  expect((await other).wallet).not.toBe(wallet);
});

test('the same seed and end give the same cluster, another seed gives another one', async () => {
  const simulate = (seed: string) =>
    clusterOf(start('--port', '0', '--seed', seed, '--until', UNTIL));
  other ??= simulate('b');
  const [one, two, third] = await Promise.all([simulate('a'), simulate('a'), other]);
  expect(one.signatures.length).toBeGreaterThan(5);
  expect(one).toEqual(two);
  expect(one.obligation).not.toBe(third.obligation);
});

test('--speed makes the clock run faster', async () => {
  const clock = new MovableClock();
  const args = ['--port', '0', '--speed', '50', '--data-dir', await simulatedDataDir()];
  const { rpcUrl } = await waitForUrls(startWithClock(clock.file, ...args));
  const rpc = createSolanaRpc(rpcUrl);
  const slotNow = () => rpc.getSlot({ commitment: 'processed' }).send();
  const slot = await slotNow();
  clock.move(HOUR);
  // 2.5 slots per second of the cluster; without the speed they take two days
  await expect.poll(slotNow).toBeGreaterThanOrEqual(slot + BigInt(HOUR * 50 * 2.5));
});

test.each([
  [['--days', '0'], 'LOCALNET_DAYS is "0". It accepts a whole number from 1 to 3650.'],
  [['--until', '2199-01-01'], 'LOCALNET_UNTIL is "2199-01-01". It accepts a date such as'],
  [['--until', '2020-12-31'], 'LOCALNET_UNTIL is "2020-12-31". It accepts a date such as'],
  [['--until', 'yesterday'], 'LOCALNET_UNTIL is "yesterday". It accepts a date such as'],
  [['--speed', '0'], 'LOCALNET_SPEED is "0". It accepts a whole number from 1 to 1000.'],
  [
    ['--days', '3000', '--until', '2026-01-01'],
    'LOCALNET_DAYS is "3000". It accepts at most 2115 with this end time.',
  ],
])('%j is rejected with one line', async (args, message) => {
  const localnet = start('--port', '0', ...args);
  const [code] = await once(localnet.process, 'close');
  expect(code).toBe(1);
  expect(localnet.stderr()).toContain(`tidegate: ${message}`);
  expect(localnet.stderr().split('\n')).toHaveLength(2);
});

test('a port in use is rejected with one line', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  onTestFinished(() => {
    server.close();
  });
  await once(server, 'listening');
  const address = server.address();
  const port = address !== null && typeof address === 'object' ? address.port : 0;
  const localnet = start('--port', `${port}`);
  const [code] = await once(localnet.process, 'close');
  expect(code).toBe(1);
  expect(localnet.stderr()).toBe(
    `tidegate: LOCALNET_RPC_PORT is "${port}". It accepts a port N where N and N+1 are both free (${port} is in use), or 0 for any free port.\n`,
  );
});
