import { writeFileSync } from 'node:fs';
import { Agent, get, type IncomingMessage } from 'node:http';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { runTidegate, startServer, temporaryFolder } from '../support/processes/run-tidegate.ts';

test('the built program serves, and ends with 0 on a signal', async () => {
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    const server = await startServer({ DATA_DIR: temporaryFolder() });
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

/** A request whose last bytes are still to come. */
async function halfARequest(url: string) {
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

test('on a signal what is under way is finished, idle connections are closed, new ones refused', async () => {
  const server = await startServer({ DATA_DIR: temporaryFolder() });
  const agent = new Agent({ keepAlive: true });
  onTestFinished(() => agent.destroy());
  const idle = await new Promise<IncomingMessage>((resolve) =>
    get(`${server.url}/health`, { agent }, resolve),
  );
  idle.resume();
  const { socket, closed } = await halfARequest(server.url);
  await new Promise((resolve) => setTimeout(resolve, 100));
  server.process.kill('SIGTERM');
  await expect.poll(() => fetch(`${server.url}/health`).catch(() => 'refused')).toBe('refused');
  socket.write('\r\n');
  const answer = await closed;
  expect(answer).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
  expect(answer.toLowerCase()).toContain('\r\nconnection: close\r\n');
  expect((await server.finished).code).toBe(0);
});

test('a connection that never finishes does not hold up the end', async () => {
  const server = await startServer({ DATA_DIR: temporaryFolder() });
  const { closed } = await halfARequest(server.url);
  await new Promise((resolve) => setTimeout(resolve, 100));
  server.process.kill('SIGTERM');
  expect((await server.finished).code).toBe(0);
  await closed;
});

test('a wrong setting stops the start with one line that names it', async () => {
  const cases = [
    [[], { PORT: 'abc' }, 'tidegate: PORT is "abc". It accepts a whole number from 0 to 65535.\n'],
    [['--rate-limit', '5'], {}, 'tidegate: RATE_LIMIT is "5". It accepts auto, off or'],
    [['--nope', '5'], {}, "tidegate: Unknown option '--nope'. Run tidegate --help for usage.\n"],
    [
      [],
      { TOKENS: '/nope.json' },
      'tidegate: TOKENS is "/nope.json". It accepts a usable token list',
    ],
    [[], { HOST: '203.0.113.7' }, 'tidegate: HOST is "203.0.113.7:8080". It accepts an address of'],
  ] as const;
  for (const [args, env, message] of cases) {
    const { code, out, err } = await runTidegate(['serve', ...args], env);
    expect(err).toContain(message);
    expect(err.trim().split('\n')).toHaveLength(1);
    expect([code, out]).toEqual([1, '']);
  }
});

test('a port in use is told as such', async () => {
  const taken = createServer().listen(0, '127.0.0.1');
  onTestFinished(() => void taken.close());
  await new Promise((resolve) => taken.once('listening', resolve));
  const { port } = taken.address() as { port: number };
  const { code, err } = await runTidegate(['serve', '--port', String(port)]);
  expect(code).toBe(1);
  expect(err).toBe(
    `tidegate: 127.0.0.1:${port} is already in use. Stop the process that listens there, or set PORT to another port (0 selects a free one).\n`,
  );
});

test('settings reach the server: limits, tokens of a file, strict statuses off', async () => {
  const folder = temporaryFolder();
  const file = join(folder, 'list.json');
  const mint = 'So11111111111111111111111111111111111111112';
  writeFileSync(
    file,
    JSON.stringify([{ address: mint, symbol: 'X', name: 'X', decimals: 9, tags: [] }]),
  );
  const env = { DATA_DIR: folder, TOKENS: file, TOKENS_FORMAT: 'jupiter-v1', RATE_LIMIT: '3/1h' };
  const { url } = await startServer(env);
  expect(await (await fetch(`${url}/tokens-api/tokens`)).json()).toMatchObject([
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

test('a URL that is down at the start: not ready, then served once it is up', async () => {
  const folder = temporaryFolder();
  const holder = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => holder.once('listening', resolve));
  const { port } = holder.address() as { port: number };
  await new Promise((resolve) => holder.close(resolve));
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
