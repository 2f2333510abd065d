import { readdirSync, writeFileSync } from 'node:fs';
import { Agent, get, type IncomingMessage } from 'node:http';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import {
  runTidegate,
  simulatedDataDir,
  startServer,
  startServerAsIs,
  startSimulation,
  temporaryFolder,
  waitUntilReady,
} from '../support/processes/run-tidegate.ts';

const ERROR = 50;

test('the server starts, serves requests and exits with 0 on a signal', async () => {
  // this number of days is simulated in a process of its own
  const simulated = { LOCALNET_DAYS: '3' };
  for (const [signal, start] of [
    ['SIGTERM', () => startServerAsIs({ DATA_DIR: temporaryFolder(), ...simulated })],
    ['SIGINT', () => startServer({ DATA_DIR: temporaryFolder() })],
  ] as const) {
    const server = await start();
    const health = await fetch(`${server.url}/health`);
    expect([health.status, await health.json()]).toEqual([200, { status: 'ok' }]);
    await expect.poll(async () => (await fetch(`${server.url}/ready`)).status).toBe(200);
    expect((await fetch(`${server.url}/tokens-api/tokens`)).status).toBe(200);
    expect((await fetch(server.url)).url).toBe(`${server.url}/docs/`);
    server.process.kill(signal);
    const { code, out } = await server.finished;
    expect(code).toBe(0);
    const lines = out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    // on a busy machine an endpoint may be late, which is a warning and a recovery
    const messages = new Set(lines.map((line) => line.msg));
    const expected = ['listening', 'request', 'closing', 'closed'];
    expect([...messages].filter((message) => expected.includes(message))).toEqual(expected);
    expect(lines.filter(({ level }) => level >= ERROR)).toEqual([]);
    const isProbe = ({ route, status }: { route?: string; status?: number }) =>
      ['/health', '/ready'].includes(route ?? '') && status === 200;
    expect(lines.filter(isProbe)).toEqual([]);
  }
});

test('an alias of the cluster serves clients that always send the same env', async () => {
  const { url } = await startServer({ ENV_ALIASES: 'mainnet-beta' });
  await waitUntilReady(url);
  const markets = await (await fetch(`${url}/v2/svc-market?env=mainnet-beta`)).json();
  const [market] = markets as [{ readonly lendingMarket: string }];
  const path = `/svc-market/${market.lendingMarket}/reserves/metrics`;
  for (const env of ['mainnet-beta', 'localnet', 'mainnet-beta']) {
    const response = await fetch(`${url}${path}?env=${env}`);
    expect([response.status, response.headers.get('x-env')]).toEqual([200, 'localnet']);
    expect(await response.json()).not.toEqual([]);
  }
  expect((await fetch(`${url}${path}?env=devnet`)).status).toBe(400);
});

/** Sends a request without its last bytes. */
async function startRequest(url: string) {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  await new Promise((resolve) => socket.once('connect', resolve));
  await new Promise((resolve) =>
    socket.write('GET /tokens-api/tokens?limit=1 HTTP/1.1\r\nhost: x\r\n', resolve),
  );
  let text = '';
  socket.setEncoding('utf8').on('data', (chunk) => {
    text += chunk;
  });
  const closed = new Promise<string>((resolve) => socket.once('close', () => resolve(text)));
  return { socket, closed };
}

test('a signal completes open requests, closes all other connections and rejects new ones', async () => {
  const server = await startServer();
  const agent = new Agent({ keepAlive: true });
  onTestFinished(() => agent.destroy());
  const idle = await new Promise<IncomingMessage>((resolve) =>
    get(`${server.url}/health`, { agent }, resolve),
  );
  idle.resume();
  const open = await startRequest(server.url);
  const incomplete = await startRequest(server.url);
  // what was sent before a request is received when it is answered, or in the same turn of the event loop
  for (let turn = 0; turn < 2; turn++) await fetch(`${server.url}/health`);
  server.process.kill('SIGTERM');
  await expect.poll(() => fetch(`${server.url}/health`).catch(() => 'refused')).toBe('refused');
  open.socket.write('\r\n');
  const response = await open.closed;
  expect(response).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
  expect(response.toLowerCase()).toContain('\r\nconnection: close\r\n');
  // a request that never completes does not block the shutdown
  expect((await server.finished).code).toBe(0);
  expect(await incomplete.closed).toBe('');
});

test('an invalid setting fails the start with one line that names it', async () => {
  const cases = [
    [[], { PORT: 'abc' }, 'tidegate: PORT is "abc". It accepts a whole number from 0 to 65535.\n'],
    [['--rate-limit', '5'], {}, 'tidegate: RATE_LIMIT is "5". It accepts auto, off or'],
    [['--nope', '5'], {}, 'tidegate: Unknown flag --nope. Run tidegate serve --help for usage.\n'],
    [
      [],
      { TOKENS: '/nope.json' },
      'tidegate: TOKENS is "/nope.json". It accepts a usable token list',
    ],
    [
      [],
      { ENV_ALIASES: 'localnet' },
      'tidegate: ENV_ALIASES is "localnet". It accepts no name of a served cluster, and localnet is served.\n',
    ],
    [[], { HOST: '203.0.113.7' }, 'tidegate: HOST is "203.0.113.7:8080". It accepts an address of'],
  ] as const;
  const DATA_DIR = await simulatedDataDir();
  for (const [args, env, message] of cases) {
    const { code, out, err } = await runTidegate(['serve', ...args], { DATA_DIR, ...env });
    expect(err).toContain(message);
    expect(withoutProgress(err).split('\n')).toHaveLength(2);
    expect([code, out]).toEqual([1, '']);
  }
});

test('an invalid setting ends a simulation', async () => {
  const DATA_DIR = temporaryFolder();
  const env = { DATA_DIR, LOCALNET_DAYS: '365', TOKENS: '/nope.json' };
  const { code, err } = await runTidegate(['serve'], env);
  expect([code, withoutProgress(err).split('\n')]).toEqual([1, [expect.any(String), '']]);
  expect(err).toContain('tidegate: TOKENS is "/nope.json".');
  expect(err).not.toContain('100 %');
  expect(readdirSync(join(DATA_DIR, 'localnet'))).not.toContain('cluster.snapshot');
});

test('during a simulation the server answers with its progress, and a signal ends it', async () => {
  const server = await startSimulation({ LOCALNET_DAYS: '365' });
  // a parent that has the URL may stop reading
  server.process.stderr?.destroy();
  const request = async (path: string) => {
    const response = await fetch(`${server.url}${path}`, { redirect: 'manual' });
    return { status: response.status, headers: response.headers, text: await response.text() };
  };
  const simulating = /localnet: simulating history, \d+ %/;
  await expect.poll(async () => (await request('/ready')).text).toMatch(simulating);
  const { progress } = JSON.parse((await request('/ready')).text) as { progress: unknown };
  expect(progress).toEqual({ stage: 'simulating', fraction: expect.any(Number) });
  expect((await request('/ready')).status).toBe(503);
  expect((await request('/health')).status).toBe(200);
  const page = await request('/');
  expect([page.status, page.headers.get('refresh')]).toEqual([503, '1']);
  expect(page.text).toMatch(simulating);
  expect(page.text).toContain('This page opens by itself when everything is ready.');
  for (const path of [
    '/kvaults/vaults',
    '/tokens-api/tokens',
    '/v2/svc-market',
    '/kvaults/summary',
  ]) {
    const { status, headers } = await request(path);
    expect([path, status, headers.get('retry-after')]).toEqual([path, 503, expect.any(String)]);
  }
  expect(JSON.parse((await request('/status')).text)).toMatchObject({ ready: false, clusters: [] });
  server.process.kill('SIGTERM');
  expect((await server.finished).code).toBe(0);
});

/** Standard error without progress lines, which a slow machine may print. */
const withoutProgress = (err: string): string =>
  err.replaceAll(/^(?:\w+ .*: \d+ % \(.*\)|Tidegate is starting at .*)\n/gm, '');

test('the server applies settings: rate limits, tokens of a file', async () => {
  const folder = temporaryFolder();
  const file = join(folder, 'list.json');
  const mint = 'So11111111111111111111111111111111111111112';
  writeFileSync(
    file,
    JSON.stringify([{ address: mint, symbol: 'X', name: 'X', decimals: 9, tags: [] }]),
  );
  const env = { DATA_DIR: folder, TOKENS: file, TOKENS_FORMAT: 'jupiter-v1', RATE_LIMIT: '3/1h' };
  const { url } = await startServer(env);
  expect(await (await fetch(`${url}/tokens-api/tokens?mint=${mint}`)).json()).toMatchObject([
    { mint, symbol: 'X' },
  ]);
  const status = await (await fetch(`${url}/status`)).json();
  expect(status).toMatchObject({
    tokens: { source: 'list.json', count: 1, fromCopy: false, ageMs: expect.any(Number) },
    limits: [{ policy: 'anonymous', quota: 3, windowSeconds: 3600 }, { policy: 'key' }],
  });
  await fetch(`${url}/status`);
  expect((await fetch(`${url}/status`)).status).toBe(429);
});

test('a token URL that is down at the start is served once it is up', async () => {
  const folder = temporaryFolder();
  const reserved = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => reserved.once('listening', resolve));
  const { port } = reserved.address() as { port: number };
  await new Promise((resolve) => reserved.close(resolve));
  const env = {
    DATA_DIR: folder,
    TOKENS: `http://127.0.0.1:${port}/list`,
    TOKENS_POLL_SECONDS: '1',
  };
  const { url } = await startServer(env);
  expect((await fetch(`${url}/health`)).status).toBe(200);
  const ready = await fetch(`${url}/ready`);
  expect([ready.status, await ready.json()]).toMatchObject([
    503,
    { ready: false, waitingFor: expect.arrayContaining(['tokens']) },
  ]);
  expect((await fetch(`${url}/tokens-api/tokens`)).status).toBe(503);

  const body = JSON.stringify([
    { mint: 'So11111111111111111111111111111111111111112', symbol: 'X', name: 'X', decimals: 9 },
  ]);
  const { createServer: createHttp } = await import('node:http');
  const source = createHttp((_request, response) => response.end(body)).listen(port, '127.0.0.1');
  onTestFinished(() => void source.close());
  await expect.poll(async () => (await fetch(`${url}/ready`)).status).toBe(200);
  expect((await fetch(`${url}/tokens-api/tokens`)).status).toBe(200);
});
