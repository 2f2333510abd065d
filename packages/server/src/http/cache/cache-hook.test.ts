import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import { gunzipSync } from 'node:zlib';
import fastify from 'fastify';
import { expect, onTestFinished, test } from 'vitest';
import { setDataHeader } from '../data-headers.ts';
import type { Operation } from '../operation.ts';
import { addCacheHook } from './cache-hook.ts';
import { ResponseCache } from './response-cache.ts';

/** A server with one operation, whose response starts with the number of handler calls. */
async function startCounter(bytes: number) {
  const data = { version: 1, calls: 0, versionReads: 0 };
  const operation: Operation = {
    operationId: 'count',
    tag: 'x',
    summary: 'x',
    weight: 1,
    statuses: [],
    dependsOn: [],
  };
  const currentVersion = () => {
    data.versionReads++;
    return data.version;
  };
  const app = fastify();
  onTestFinished(() => app.close());
  addCacheHook(app, { responses: new ResponseCache(), versions: () => currentVersion });
  const rest = randomBytes(bytes).toString('base64');
  app.get('/count', { config: { operation } }, async () => `${++data.calls} ${rest}`);
  const url = new URL(await app.listen({ port: 0, host: '127.0.0.1' }));
  const request = (clients: number, encoding = 'gzip') =>
    requestAtOnce(Number(url.port), clients, encoding);
  return { data, request };
}

/** Sends one request per connection after all connections are open. Resolves to the first word of each body. */
async function requestAtOnce(port: number, clients: number, encoding: string): Promise<string[]> {
  const head = `GET /count HTTP/1.1\r\nhost: x\r\naccept-encoding: ${encoding}\r\nconnection: close\r\n\r\n`;
  const sockets = Array.from({ length: clients }, () => connect({ port, host: '127.0.0.1' }));
  await Promise.all(sockets.map((socket) => once(socket, 'connect')));
  for (const socket of sockets) socket.write(head);
  return Promise.all(
    sockets.map(async (socket) => {
      const message = Buffer.concat(await socket.toArray());
      const bodyStart = message.indexOf('\r\n\r\n') + 4;
      const isGzip = message.toString('latin1', 0, bodyStart).includes('content-encoding: gzip');
      const body = message.subarray(bodyStart);
      return /^\w+/.exec((isGzip ? gunzipSync(body) : body).toString())?.[0] ?? '';
    }),
  );
}

test.each(['gzip', 'identity'])(
  'concurrent requests for %s share one handler call per data version',
  async (encoding) => {
    const { data, request } = await startCounter(100_000);
    expect(await request(40, encoding)).toEqual(Array(40).fill('1'));
    data.version = 2;
    expect(await request(40, encoding)).toEqual(Array(40).fill('2'));
  },
);

test('a client without gzip gets the response that is being compressed for another', async () => {
  const { data, request } = await startCounter(4_000_000);
  const compressed = request(1);
  await expect.poll(() => data.calls, { interval: 1 }).toBe(1);
  expect(await request(1, 'identity')).toEqual(['1']);
  expect(await compressed).toEqual(['1']);
  expect(data.calls).toBe(1);
});

test('long queries of one length have a response each', async () => {
  let calls = 0;
  const operation: Operation = {
    operationId: 'echo',
    tag: 'x',
    summary: 'x',
    weight: 1,
    statuses: [],
    dependsOn: [],
  };
  const app = fastify();
  onTestFinished(() => app.close());
  addCacheHook(app, { responses: new ResponseCache(), versions: () => () => 1 });
  app.get('/echo', { config: { operation } }, async ({ query }) => {
    calls += 1;
    return (query as { q: string }).q.slice(-1);
  });
  const long = 'q'.repeat(20_000);
  const read = async (end: string) => (await app.inject(`/echo?q=${long}${end}`)).body;
  expect([await read('a'), await read('b'), await read('a')]).toEqual(['a', 'b', 'a']);
  expect(calls).toBe(2);
});

test('a response that is compressed while the data changes is not served to later requests', async () => {
  const { data, request } = await startCounter(4_000_000);
  const before = request(1);
  await expect.poll(() => data.calls, { interval: 1 }).toBe(1);
  data.version = 2;
  expect(await request(1)).toEqual(['2']);
  expect(await before).toEqual(['1']);
});

test('a request that waits while the data changes gets a new response', async () => {
  const { data, request } = await startCounter(4_000_000);
  const before = request(1);
  await expect.poll(() => data.calls, { interval: 1 }).toBe(1);
  const { versionReads } = data;
  const waiting = request(1);
  await expect.poll(() => data.versionReads, { interval: 1 }).toBeGreaterThan(versionReads);
  data.version = 2;
  expect(await waiting).toEqual(['2']);
  expect(await before).toEqual(['1']);
});

test('a cached response repeats the headers that say what its data lacks', async () => {
  const operation: Operation = {
    operationId: 'list',
    tag: 'x',
    summary: 'x',
    weight: 1,
    statuses: [],
    dependsOn: [],
  };
  const app = fastify();
  onTestFinished(() => app.close());
  addCacheHook(app, { responses: new ResponseCache(), versions: () => () => 1 });
  let calls = 0;
  app.get('/list', { config: { operation } }, async (_request, reply) => {
    calls += 1;
    setDataHeader(reply, 'x-omitted', ['A;reason="no price"', 'B;reason="too old"']);
    setDataHeader(reply, 'x-estimated', []);
    return 'body';
  });
  for (let i = 0; i < 3; i++) {
    const { headers } = await app.inject('/list');
    expect(headers['x-omitted']).toBe('A;reason="no price", B;reason="too old"');
    expect(headers).not.toHaveProperty('x-estimated');
  }
  const { etag = '' } = (await app.inject('/list')).headers;
  const unchanged = await app.inject({ url: '/list', headers: { 'if-none-match': etag } });
  expect(unchanged.statusCode).toBe(304);
  expect(unchanged.headers['x-omitted']).toBe('A;reason="no price", B;reason="too old"');
  expect(calls).toBe(1);
});
