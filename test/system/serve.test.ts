import { writeFileSync } from 'node:fs';
import { Agent, get, type IncomingMessage } from 'node:http';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import {
  runTidegate,
  simulatedDataDir,
  startServer,
  startServerAsIs,
  temporaryFolder,
} from '../support/processes/run-tidegate.ts';

test('the server starts, serves requests and exits with 0 on a signal', async () => {
  for (const [signal, start] of [
    ['SIGTERM', startServerAsIs],
    ['SIGINT', startServer],
  ] as const) {
    const server = await start({ DATA_DIR: temporaryFolder() });
    const health = await fetch(`${server.url}/health`);
    expect([health.status, await health.json()]).toEqual([200, { status: 'ok' }]);
    await expect
      .poll(async () => (await fetch(`${server.url}/ready`)).status, { timeout: 20_000 })
      .toBe(200);
    expect((await fetch(`${server.url}/tokens-api/tokens`)).status).toBe(200);
    server.process.kill(signal);
    const { code, out } = await server.finished;
    expect(code).toBe(0);
    const lines = out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    const messages = new Set(lines.map((line) => line.msg));
    expect([...messages]).toEqual(['listening', 'request', 'closing', 'closed']);
  }
});

/** Sends a request without its last bytes. */
async function startRequest(url: string) {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  await new Promise((resolve) => socket.once('connect', resolve));
  socket.write('GET /tokens-api/tokens?limit=1 HTTP/1.1\r\nhost: x\r\n');
  let text = '';
  socket.setEncoding('utf8').on('data', (chunk) => {
    text += chunk;
  });
  const closed = new Promise<string>((resolve) => socket.once('close', () => resolve(text)));
  return { socket, closed };
}

test('a signal completes open requests, closes idle connections and rejects new ones', async () => {
  const server = await startServer();
  const agent = new Agent({ keepAlive: true });
  onTestFinished(() => agent.destroy());
  const idle = await new Promise<IncomingMessage>((resolve) =>
    get(`${server.url}/health`, { agent }, resolve),
  );
  idle.resume();
  const { socket, closed } = await startRequest(server.url);
  await new Promise((resolve) => setTimeout(resolve, 100));
  server.process.kill('SIGTERM');
  await expect.poll(() => fetch(`${server.url}/health`).catch(() => 'refused')).toBe('refused');
  socket.write('\r\n');
  const response = await closed;
  expect(response).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
  expect(response.toLowerCase()).toContain('\r\nconnection: close\r\n');
  expect((await server.finished).code).toBe(0);
});

test('an incomplete request does not block the shutdown', async () => {
  const server = await startServer();
  const { closed } = await startRequest(server.url);
  await new Promise((resolve) => setTimeout(resolve, 100));
  server.process.kill('SIGTERM');
  expect((await server.finished).code).toBe(0);
  await closed;
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

/** Standard error without progress lines, which a slow machine may print. */
const withoutProgress = (err: string): string => err.replaceAll(/^\w+ .*: \d+ % \(.*\)\n/gm, '');

test('a port in use fails the start with one line', async () => {
  const blocker = createServer().listen(0, '127.0.0.1');
  onTestFinished(() => void blocker.close());
  await new Promise((resolve) => blocker.once('listening', resolve));
  const { port } = blocker.address() as { port: number };
  const env = { DATA_DIR: await simulatedDataDir() };
  const { code, err } = await runTidegate(['serve', '--port', String(port)], env);
  expect(code).toBe(1);
  expect(withoutProgress(err)).toBe(
    `tidegate: 127.0.0.1:${port} is already in use. Stop the process that listens there, or set PORT to another port (0 selects a free one).\n`,
  );
});

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
  expect([ready.status, await ready.json()]).toEqual([
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
  await expect
    .poll(async () => (await fetch(`${url}/ready`)).status, { timeout: 10_000 })
    .toBe(200);
  expect((await fetch(`${url}/tokens-api/tokens`)).status).toBe(200);
});
