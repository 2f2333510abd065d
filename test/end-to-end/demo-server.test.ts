import { execFile, execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { createSolanaRpc, type Signature } from '@solana/kit';
import { beforeAll, expect, test } from 'vitest';
import { crossCheck } from '../support/cross-check/cross-check.ts';
import { readWalletAddress } from '../support/localnet/wallet-keys.ts';
import {
  type RunningServer,
  startServer,
  waitUntilReady,
} from '../support/processes/run-tidegate.ts';
import { fileScope } from '../support/processes/test-scope.ts';

const run = promisify(execFile);
const root = new URL('../../', import.meta.url);
const read = (path: string): string => readFileSync(new URL(path, root), 'utf8');

const onEnd = fileScope();
let server: RunningServer;
/** A request without its last bytes, sent before the other tests because its timeout takes long. */
let incomplete: Socket;

beforeAll(async () => {
  server = await startServer({}, onEnd);
  await waitUntilReady(server.url);
  const { hostname, port } = new URL(server.url);
  incomplete = connect(Number(port), hostname);
  incomplete.write('GET /health HTTP/1.1\r\nhost: x\r\n');
});

test('volume and market cap of tokens are counted on the cluster', async () => {
  const list = async () =>
    (await (await fetch(`${server.url}/tokens-api/tokens`)).json()) as {
      readonly tradingVolume24H: number | null;
      readonly marketCapUsd: number | null;
    }[];
  await expect.poll(async () => (await list())[0]?.tradingVolume24H).toBeGreaterThan(0);
  const volumes = (await list()).map(({ tradingVolume24H }) => tradingVolume24H ?? -1);
  expect(volumes).toEqual(volumes.toSorted((a, b) => b - a));
  await expect
    .poll(async () => (await list()).filter(({ marketCapUsd }) => marketCapUsd !== null).length)
    .toBeGreaterThan(3);
});

/** The tour needs a shell and curl. */
const canRunTour = (() => {
  try {
    execFileSync('bash', ['-c', 'command -v curl'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
})();

/** The commands of docs/tour.md. */
function tourCommands(): string {
  const [, commands] = /```sh\n([\s\S]*?)```/.exec(read('docs/tour.md')) ?? [];
  if (commands === undefined) throw new Error('docs/tour.md has no commands');
  return commands;
}

test.skipIf(!canRunTour)('the commands of the tour work as written', async () => {
  const script = tourCommands()
    .replace('http://127.0.0.1:8080', server.url)
    .replaceAll('curl -s', "curl -s -w '\\n'");
  const env = { ...process.env, DATA_DIR: server.dataDir };
  const { stdout } = await run('bash', ['-c', `set -eu\n${script}`], { maxBuffer: 2 ** 26, env });
  const responses = stdout
    .trim()
    .split('\n')
    // the signature of the sent transaction is not JSON
    .filter((line) => !/^\w{80,90}$/.test(line))
    .map((line) => JSON.parse(line));
  const [markets, reserves, loans, loan, positions, metrics, rejected, ...actions] = responses;
  const [built, previewed, vaultDeposit, later] = actions;
  expect(responses).toHaveLength(11);
  expect(markets.length).toBeGreaterThanOrEqual(3);
  expect(reserves.length).toBeGreaterThan(3);
  expect(loans.length).toBeGreaterThan(0);
  expect(depositOf(loan)).toBeGreaterThan(1);
  expect(positions.length).toBeGreaterThan(0);
  expect(Number(metrics.tokensPerShare)).toBeGreaterThan(0);
  expect(rejected.error).toContain('devnet');
  expect(Buffer.from(built.transaction, 'base64').length).toBeGreaterThan(300);
  expect(previewed.preview).toMatchObject({ success: true, simulated: true, error: null });
  expect(vaultDeposit.preview).toMatchObject({ success: true, simulated: true, error: null });
  expect(depositOf(later) - depositOf(loan)).toBeGreaterThan(0);
});

type LoanReport = {
  loanInfo: { collateral: { deposits: { tokenName: string; tokenAmount: string }[] } };
};

/** The deposited SOL. */
function depositOf({ loanInfo }: LoanReport): number {
  const deposits = loanInfo.collateral.deposits.filter(({ tokenName }) => tokenName === 'SOL');
  return Number(deposits[0]?.tokenAmount);
}

test('the code in the guide is part of the example', () => {
  const [, lines] =
    /## Sign and send[\s\S]*?```js\n([\s\S]*?)```/.exec(read('docs/builders.md')) ?? [];
  expect(lines?.trim().split('\n').length).toBeLessThanOrEqual(10);
  expect(read('docs/examples/sign-deposit.js')).toContain(lines);
});

test('the example of the guide signs and sends a transaction that is confirmed', async () => {
  const { url } = server;
  const { demo } = (await (await fetch(`${url}/status`)).json()) as { demo: Demo };
  const script = fileURLToPath(new URL('docs/examples/sign-deposit.js', root));
  const { stdout } = await run(process.execPath, [script, url, server.dataDir]);
  const rpc = createSolanaRpc(demo.rpcUrl);
  const signature = stdout.trim() as Signature;
  const statusOf = async () => {
    const { value } = await rpc.getSignatureStatuses([signature]).send();
    return value[0] && { status: value[0].confirmationStatus, err: value[0].err };
  };
  await expect
    .poll(statusOf)
    .toEqual({ status: expect.stringMatching('confirmed|finalized'), err: null });
});

test('without the key the example says which setting names its folder', async () => {
  const script = fileURLToPath(new URL('docs/examples/sign-deposit.js', root));
  await expect(run(process.execPath, [script, server.url, '/nowhere'])).rejects.toThrow(
    '/nowhere/localnet/keys/wallet-0.json does not exist. Pass the DATA_DIR of the server.',
  );
});

type Demo = { readonly rpcUrl: string };

type Preview = {
  readonly success: boolean;
  readonly error: { readonly name: string } | null;
  readonly plan: { readonly notes: readonly string[] };
};

async function preview(path: string, body: object): Promise<Preview> {
  const response = await fetch(`${server.url}${path}?preview=true`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return ((await response.json()) as { preview: Preview }).preview;
}

test('the demo has a reserve that takes no deposits and a vault that keeps a penalty', async () => {
  const getJson = async (path: string) => (await fetch(`${server.url}${path}`)).json();
  const { demo } = (await getJson('/status')) as { demo: Record<string, string> };
  const { wallet, market } = demo;
  const reserves = (await getJson(`/svc-market/${market}/reserves/metrics`)) as {
    reserve: string;
    liquidityToken: string;
  }[];
  const full = reserves.find(({ liquidityToken }) => liquidityToken === 'wETH');
  const deposit = { wallet, market, reserve: full?.reserve, amount: '1' };
  const refused = await preview('/ktx/klend/deposit', deposit);
  expect([refused.success, refused.error?.name]).toEqual([false, 'DepositLimitExceeded']);
  const vaults = (await getJson('/kvaults/vaults')) as {
    address: string;
    state: { name: string };
  }[];
  const kvault = vaults.find(({ state }) => state.name.startsWith('Keel'))?.address;
  const withdraw = { wallet: readWalletAddress(server.dataDir, 91), kvault, amount: '0.01' };
  const { plan, success } = await preview('/ktx/kvault/withdraw', withdraw);
  expect(success).toBe(true);
  // 10 bps of about 0.01
  expect(plan.notes).toContainEqual(
    expect.stringMatching(/keeps about 0.00001\d* cbBTC as a penalty/),
  );
});

test('no page or response of the server names its data folder', async () => {
  const paths = ['/', '/status', '/ready', '/health', '/metrics', '/docs', '/openapi.json'];
  for (const path of [...paths, '/nothing', '/v2/svc-market', '/localnet/demo-wallet']) {
    const response = await fetch(`${server.url}${path}`);
    const text = JSON.stringify([...response.headers]) + (await response.text());
    expect(text.includes(server.dataDir) || text.includes(process.cwd()), path).toBe(false);
  }
});

test('a request with incomplete headers gets 408 and its connection is closed', async () => {
  let response = '';
  for await (const chunk of incomplete) response += chunk;
  expect(response).toMatch(/^HTTP\/1\.1 408 Request Timeout\r\n/);
  expect(response).toContain('{"error":"Request Timeout. The connection is closed."}');
  await expect.poll(server.out).toContain('"route":"unreadable","status":408');
});

test('sums, last points and current reads of all operations agree', async () => {
  const getJson = async (path: string): Promise<unknown> =>
    (await fetch(`${server.url}${path}`)).json();
  const { demo } = (await getJson('/status')) as { demo: { wallet: string } };
  const markets = (await getJson('/v2/svc-market')) as { lendingMarket: string }[];
  const vaults = (await getJson('/kvaults/vaults')) as { address: string }[];
  const { compared, exceptions } = await crossCheck(server.url, {
    markets: markets.map(({ lendingMarket }) => lendingMarket),
    vaults: vaults.map(({ address }) => address),
    wallets: [
      demo.wallet,
      ...[1, 2, 3, 4].map((index) => readWalletAddress(server.dataDir, index)),
    ],
  });
  expect(exceptions).toEqual([]);
  expect(compared.size).toBe(9);
});
