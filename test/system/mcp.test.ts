import { once } from 'node:events';
import { text as readText } from 'node:stream/consumers';
import { beforeAll, expect, test } from 'vitest';
import { jsonPoster } from '../support/http/post-json.ts';
import {
  type Agent,
  connectOverHttp,
  connectOverStdio,
  type ToolResult,
} from '../support/mcp/connect-agent.ts';
import { INITIALIZE, startRaw, toLine } from '../support/mcp/raw-process.ts';
import { startRecordingProxy } from '../support/mcp/recording-proxy.ts';
import { startCommand, startServer, waitUntilReady } from '../support/processes/run-tidegate.ts';
import { fileScope } from '../support/processes/test-scope.ts';

const MAX_LENGTH = 16_000;

type Action = { readonly reserve: string; readonly amount: string };
type Demo = Readonly<Record<'wallet' | 'market' | 'vault' | 'obligation' | 'rpcUrl', string>> & {
  readonly deposit: Action;
  readonly borrow: Action;
};

const onEnd = fileScope();
let url: string;
let demo: Demo;
let agent: Agent;
let requests: readonly string[];

beforeAll(async () => {
  const server = await startServer({}, onEnd);
  url = server.url;
  await waitUntilReady(url);
  demo = ((await (await fetch(`${url}/status`)).json()) as { demo: Demo }).demo;
  const proxy = await startRecordingProxy(url, onEnd);
  requests = proxy.requests;
  agent = await connectOverStdio(['--url', proxy.url, '--rpc-url', demo.rpcUrl], onEnd);
});

const dataOf = ({ structured }: ToolResult) => structured['data'] as Record<string, unknown>;

async function call(name: string, input: Record<string, unknown>): Promise<ToolResult> {
  const result = await agent.call(name, input);
  expect(result.text.length).toBeLessThanOrEqual(MAX_LENGTH);
  expect(JSON.stringify(result.structured).length).toBeLessThanOrEqual(MAX_LENGTH);
  return result;
}

async function answer(name: string, input: Record<string, unknown>): Promise<ToolResult> {
  const result = await call(name, input);
  expect(result.isError, result.text).toBe(false);
  return result;
}

/** Figures of the state have a slot in words and as a number. */
function expectFresh({ text, structured }: ToolResult): void {
  expect(structured['slot']).toMatch(/^\d+$/);
  expect(text).toContain(`State of localnet at slot ${structured['slot']} (confirmed)`);
  expect(structured['ageSeconds']).toBeTypeOf('number');
}

test('the host gets six tools, all read-only, with input schemas', async () => {
  const { tools } = await agent.client.listTools();
  expect(tools.map(({ name }) => name)).toEqual([
    'discover',
    'inspect',
    'explain',
    'preview',
    'prepare',
    'verify',
  ]);
  for (const { name, annotations, inputSchema, description } of tools) {
    expect(annotations, name).toMatchObject({ readOnlyHint: true, destructiveHint: false });
    expect(inputSchema, name).toMatchObject({ type: 'object', additionalProperties: false });
    expect(description?.length, name).toBeGreaterThan(80);
  }
  expect(agent.client.getServerVersion()).toMatchObject({ name: 'tidegate' });
  expect(agent.client.getInstructions()).toContain('never signs');
  await agent.client.ping();
});

test('discover finds the demo vault by a word of its name, its symbol and its address', async () => {
  for (const query of ['harbor', 'usdc prime', demo.vault]) {
    const result = await answer('discover', { kind: 'vault', query });
    expectFresh(result);
    const vaults = dataOf(result)['vaults'] as { vault: string }[];
    expect(vaults.map(({ vault }) => vault)).toContain(demo.vault);
  }
});

test('discover pages through a list and says how many are left', async () => {
  const first = await answer('discover', { kind: 'token', limit: 5 });
  const total = Number(dataOf(first)['total']);
  expect(total).toBeGreaterThan(10);
  expect(first.text).toContain(`${total - 5} more: call discover with offset 5.`);
  const second = await answer('discover', { kind: 'token', limit: 5, offset: 5 });
  const mints = [first, second].flatMap((page) =>
    (dataOf(page)['tokens'] as { mint: string }[]).map(({ mint }) => mint),
  );
  expect(new Set(mints).size).toBe(10);
  const none = await answer('discover', { kind: 'vault', query: 'no such words' });
  expect(dataOf(none)).toEqual({ total: 0, offset: 0, vaults: [] });
});

test('inspect recognizes what an address is', async () => {
  const { reserve } = demo.deposit;
  const subjects = {
    Wallet: demo.wallet,
    Loan: demo.obligation,
    Vault: demo.vault,
    Market: demo.market,
    Reserve: reserve,
  };
  for (const [word, subject] of Object.entries(subjects)) {
    const result = await answer('inspect', { subject });
    expectFresh(result);
    expect(result.text.startsWith(word), result.text.slice(0, 80)).toBe(true);
    expect(result.text).toContain(subject);
  }
});

type LoanAnswer = {
  readonly loanInfo: { readonly currentLtv: number; readonly liquidationLtv: number };
};

test('the health of a loan is its liquidation LTV divided by its LTV', async () => {
  const result = await answer('explain', { topic: 'health', subject: demo.obligation });
  expectFresh(result);
  const slot = result.structured['slot'];
  const response = await fetch(`${url}/klend/loans/${demo.obligation}?minContextSlot=${slot}`);
  const { loanInfo } = (await response.json()) as LoanAnswer;
  const shown = Number(/Health (\d+\.\d+)/.exec(result.text)?.[1]);
  // prices move between the two reads
  expect(shown / (loanInfo.liquidationLtv / loanInfo.currentLtv)).toBeCloseTo(1, 1);
  expect(dataOf(result)).toMatchObject({ isLiquidatable: false });
});

test('explain shows the parts of a yield and the limits of a reserve', async () => {
  const vault = await answer('explain', { topic: 'apy', subject: demo.vault });
  expect(vault.text).toMatch(/interest -?[\d.]+ % \+ farm rewards [\d.]+ %/);
  const reserve = await answer('explain', { topic: 'apy', subject: demo.deposit.reserve });
  expect(reserve.text).toMatch(/Utilization = borrowed \/ supplied = [\d.]+ \/ [\d.]+ = [\d.]+ %/);
  const limits = await answer('explain', { topic: 'limits', subject: demo.deposit.reserve });
  expect(limits.text).toMatch(/Deposits: [\d.]+ SOL left \(deposit limit\)/);
  const loan = await answer('explain', { topic: 'limits', subject: demo.obligation });
  expect(loan.text).toContain('can be withdrawn now');
});

test('explain knows error codes of the API and of the programs', async () => {
  const stale = await answer('explain', { topic: 'error', subject: 'STALE_READ' });
  expect(stale.text).toContain('What to do: ');
  for (const subject of ['klend:6013', 'BorrowTooLarge', 'klend:0x177d']) {
    const { text } = await answer('explain', { topic: 'error', subject });
    expect(text).toContain('fails with 6013 (BorrowTooLarge)');
  }
  const unknown = await call('explain', { topic: 'error', subject: 'NoSuchError' });
  expect(unknown.isError).toBe(true);
  expect(unknown.text).toMatch(/^Error INVALID_TOOL_INPUT: .*\nWhat to do: /);
});

const deposit = () => ({ action: 'lend-deposit', wallet: demo.wallet, ...demo.deposit });

test('a preview says what the wallet gets and pays, or why it fails', async () => {
  const good = await answer('preview', deposit());
  expect(good.text).toMatch(/^lend-deposit would succeed\./);
  expect(dataOf(good)).toMatchObject({ success: true, simulated: true, fee: '0.000005 SOL' });
  expect(good.structured['transaction']).toBeUndefined();
  const bad = await answer('preview', { ...deposit(), action: 'borrow', amount: '9000000' });
  expect(bad.text).toMatch(/^It would FAIL: .*\nWhat to do: /);
  expect(dataOf(bad)).toMatchObject({ success: false });
});

test('prepare returns an unsigned transaction of the wallet', async () => {
  const { structured, text } = await answer('prepare', deposit());
  const transaction = String(structured['transaction']);
  expect(text).toContain(transaction);
  const decoded = await jsonPoster({ url })('/ktx/decode', { transaction });
  expect(decoded.body).toMatchObject({
    feePayer: demo.wallet,
    signers: [{ address: demo.wallet, signed: false }],
    warnings: [],
  });
});

test('prepare refuses what would fail, and an action without what it needs', async () => {
  const tooMuch = { ...deposit(), action: 'borrow', amount: '9000000' };
  const { error } = dataOf(await answer('preview', tooMuch)) as { error: { name: string } };
  const rejected = await call('prepare', tooMuch);
  expect(rejected.isError).toBe(true);
  expect(rejected.structured).toMatchObject({ error: { code: error.name } });
  expect(rejected.text).not.toContain('transaction:');
  const incomplete = await call('prepare', { action: 'vault-deposit', wallet: demo.wallet });
  expect(incomplete.text).toContain('vault-deposit needs amount.');
  const invalid = await call('prepare', { ...deposit(), wallet: 'x' });
  expect(invalid.structured).toMatchObject({ error: { code: 'INVALID_TOOL_INPUT' } });
  expect(invalid.text).toContain('wallet must be a base58 address of 32 bytes');
  const unknown = await call('prepare', { ...deposit(), slippage: 1 });
  expect(unknown.text).toContain('prepare has no input slippage. It has: action, wallet,');
  const decimals = await call('prepare', { ...deposit(), amount: '0.00000000001' });
  expect(decimals.text).toMatch(/^Error \w+: .*decimals/);
});

test('verify accepts the prepared transaction and rejects it for another amount', async () => {
  const { structured } = await answer('prepare', deposit());
  const { transaction } = structured;
  const same = await answer('verify', { ...deposit(), transaction });
  expect(dataOf(same), same.text).toMatchObject({
    verdict: 'accepted',
    chainDataFrom: 'endpoint',
    reasons: [],
  });
  const other = await answer('verify', { ...deposit(), amount: '0.02', transaction });
  expect(dataOf(other)).toMatchObject({ verdict: 'rejected' });
  expect(other.text).toContain('WRONG_AMOUNT');
});

test('inspect explains a transaction by its signature', async () => {
  const events = await fetch(`${url}/events/recent`);
  const list = ((await events.json()) as { events: { signature: string }[] }).events;
  const result = await answer('inspect', { subject: list[0]?.signature ?? '' });
  expect(result.text).toMatch(/^Transaction paid by \w+: \d+ instructions/);
  const unknown = await call('inspect', { subject: '1'.repeat(64) });
  expect(unknown.isError).toBe(true);
  expect(unknown.structured).toMatchObject({ error: { code: 'NOT_FOUND' } });
});

test('a tool that does not exist is an error of the protocol', async () => {
  await expect(agent.client.callTool({ name: 'send', arguments: {} })).rejects.toThrow(
    'There is no such tool.',
  );
});

test('no tool sends anything: all requests read, or build and explain transactions', () => {
  const posts = requests.filter((each) => !each.startsWith('GET '));
  expect(posts.length).toBeGreaterThan(0);
  expect(posts.filter((each) => !each.startsWith('POST /ktx/'))).toEqual([]);
  expect(requests.filter((each) => each.includes('/localnet/'))).toEqual([]);
});

test.each(['legacy', 'modern'] as const)('the same tools over HTTP, %s protocol', async (era) => {
  const server = await startCommand(['mcp', '--http', '0', '--url', url], {});
  expect(server.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/mcp$/);
  const remote = await connectOverHttp(server.url, onEnd, era);
  expect(remote.client.getProtocolEra()).toBe(era);
  const { tools } = await remote.client.listTools();
  expect(tools).toHaveLength(6);
  const result = await remote.call('inspect', { subject: demo.vault, kind: 'vault' });
  expect(result.text).toMatch(/^Vault /);
  expectFresh(result);
  server.process.kill('SIGTERM');
  expect((await server.finished).code).toBe(0);
});

test('a server that is not there, or refuses the key, is an error that says what to do', async () => {
  const nowhere = await connectOverStdio(['--url', 'http://127.0.0.1:9'], onEnd);
  const unreachable = await nowhere.call('discover', { kind: 'vault' });
  expect(unreachable.structured).toMatchObject({ error: { code: 'API_UNREACHABLE' } });
  expect(unreachable.text).toContain('tidegate serve');
  const env = { TIDEGATE_URL: url, TIDEGATE_API_KEY: 'not-a-key' };
  const stranger = await connectOverStdio([], onEnd, env);
  const refused = await stranger.call('discover', { kind: 'vault' });
  expect(refused.structured).toMatchObject({ error: { code: 'UNKNOWN_API_KEY' } });
  expect(refused.text).not.toContain('not-a-key');
});

test('the process answers what it was sent and ends with its input', async () => {
  const child = startRaw(url);
  const messages = [
    INITIALIZE,
    { method: 'notifications/initialized' },
    { id: 2, method: 'tools/call', params: { name: 'discover', arguments: { kind: 'market' } } },
  ];
  child.stdin.end(messages.map(toLine).join(''));
  const [out, [code]] = await Promise.all([readText(child.stdout), once(child, 'close')]);
  expect(code).toBe(0);
  const lines = out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { id: number });
  expect(lines.map(({ id }) => id)).toEqual([1, 2]);
  expect(lines[1]).toMatchObject({ jsonrpc: '2.0', result: { structuredContent: { data: {} } } });
});

test('the process ends on a signal while its input is open', async () => {
  const child = startRaw(url);
  child.stdin.write(toLine(INITIALIZE));
  await once(child.stdout, 'data');
  child.kill('SIGTERM');
  expect(await once(child, 'close')).toEqual([0, null]);
});
