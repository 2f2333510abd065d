import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test, vi } from 'vitest';
import { createNodeServer } from '../node-server.ts';
import { shedLoad } from './load-shedding.ts';

const servers: Server[] = [];

afterEach(() => {
  vi.useRealTimers();
  for (const server of servers.splice(0)) server.close().closeAllConnections();
});

/** A server that is overloaded while `load.isOver`. */
async function startServer() {
  const load = { isOver: true };
  const lines: [object, string][] = [];
  const record = (details: object, message: string) => lines.push([details, message]);
  const observed: object[] = [];
  const listener = shedLoad((_, response) => response.end('answered'), {
    metrics: { observe: (each) => observed.push(each) },
    requestId: () => 'id-1',
    builderErrorPrefix: '/ktx',
    strictStatuses: false,
    log: { debug: record, info: record, warn: record, error: record },
    monitor: { mustReject: () => load.isOver },
  });
  const server = createNodeServer(listener).listen(0, '127.0.0.1');
  servers.push(server);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const send = (path: string, init?: RequestInit) => fetch(`http://127.0.0.1:${port}${path}`, init);
  return { send, load, lines, observed };
}

test('a request of an overloaded process is rejected with 503 and the time to wait', async () => {
  const { send, load, observed } = await startServer();
  const rejected = await send('/v2/svc-market?env=mainnet-beta');
  expect(rejected.status).toBe(503);
  expect(Object.fromEntries(rejected.headers)).toMatchObject({
    'retry-after': '1',
    'cache-control': 'no-store',
    'content-type': 'application/json; charset=utf-8',
    'access-control-allow-origin': '*',
    'x-request-id': 'id-1',
  });
  expect(await rejected.json()).toEqual({
    error: 'Too many requests are being computed. Retry in 1 s.',
  });
  expect(observed).toEqual([{ method: 'GET', route: 'overloaded', status: 503, ms: 0 }]);
  load.isOver = false;
  expect(await (await send('/v2/svc-market')).text()).toBe('answered');
});

test.each(['keep-alive', 'close'])('a rejection leaves the connection: %s', async (connection) => {
  const { send, load } = await startServer();
  const rejected = await send('/slots', { headers: { connection } });
  expect(rejected.status).toBe(503);
  expect(rejected.headers.get('connection')).toBe(connection);
  expect(rejected.headers.get('content-length')).toBe(`${(await rejected.text()).length}`);
  load.isOver = false;
  expect(await (await send('/slots')).text()).toBe('answered');
});

test('a rejected HEAD request gets the headers without the body', async () => {
  const { send } = await startServer();
  const rejected = await send('/slots', { method: 'HEAD' });
  expect([rejected.status, rejected.headers.get('retry-after')]).toEqual([503, '1']);
  expect(await rejected.text()).toBe('');
});

test('the health of the process can always be read', async () => {
  const { send } = await startServer();
  for (const path of ['/health', '/ready?x=1', '/status', '/metrics']) {
    expect(await (await send(path)).text()).toBe('answered');
  }
  expect((await send('/healthy')).status).toBe(503);
});

test('the body has the format of the path and of the accept header, also when the request has a body', async () => {
  const { send } = await startServer();
  const rejected = await send('/ktx/klend/deposit', { method: 'POST', body: 'x'.repeat(50_000) });
  expect(await rejected.json()).toEqual({
    statusCode: 503,
    message: 'Too many requests are being computed. Retry in 1 s.',
    error: 'Service Unavailable',
  });
  const problem = await send('/slots', { headers: { accept: 'application/problem+json' } });
  expect(await problem.json()).toMatchObject({ status: 503, code: 'OVERLOADED' });
});

test('the log has one line at the begin of an overload and one at its end', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const { send, lines } = await startServer();
  for (let i = 0; i < 3; i++) await send('/slots');
  expect(lines).toEqual([[{}, 'overloaded, some requests are rejected with 503']]);
  vi.advanceTimersByTime(5_000);
  expect(lines.slice(1)).toEqual([[{ rejected: 3 }, 'the overload has ended']]);
});
