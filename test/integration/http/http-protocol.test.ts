import { connect } from 'node:net';
import { expect, test } from 'vitest';
import { goldenCluster } from '../../support/golden/golden.ts';
import { startApi } from '../../support/http/test-api.ts';

const { slot: SLOT } = goldenCluster().at;
const PATH = '/tokens-api/tokens';

/** Sends raw bytes and resolves to everything that the server sends until it closes the connection. */
async function sendRaw(url: string, request: string): Promise<string> {
  const { hostname, port } = new URL(url);
  const socket = connect({ port: Number(port), host: hostname, allowHalfOpen: true });
  socket.write(request);
  let text = '';
  for await (const chunk of socket) text += chunk;
  return text;
}

test('responses of the router and of the fast path are equal', async () => {
  const { url } = await startApi();
  const request = async () => {
    const response = await fetch(`${url}${PATH}`);
    const headers = [...response.headers].filter(
      ([name]) => !['date', 'x-request-id'].includes(name),
    );
    return { status: response.status, headers: headers.sort(), body: await response.text() };
  };
  const first = await request();
  expect(await request()).toEqual(first);
  expect(await request()).toEqual(first);
});

test('pipelined requests are answered in order', async () => {
  const { url } = await startApi();
  await fetch(`${url}${PATH}?limit=1`);
  await fetch(`${url}${PATH}?limit=2`);
  const format = (path: string, connection: string) =>
    `GET ${path} HTTP/1.1\r\nhost: x\r\nconnection: ${connection}\r\n\r\n`;
  const response = await sendRaw(
    url,
    format(`${PATH}?limit=1`, 'keep-alive') +
      format('/nope', 'keep-alive') +
      format(`${PATH}?limit=2`, 'keep-alive') +
      format(`${PATH}?limit=1`, 'close'),
  );
  const statuses = [...response.matchAll(/HTTP\/1\.1 (\d+)/g)].map((match) => match[1]);
  expect(statuses).toEqual(['200', '404', '200', '200']);
  expect([...response.matchAll(/"symbol":"(\w+)"/g)].map((match) => match[1])).toEqual([
    'SOL',
    'SOL',
    'USDC',
    'SOL',
  ]);
  expect([...response.matchAll(/^connection: (.*)\r$/gim)].map((match) => match[1])).toEqual([
    'keep-alive',
    'keep-alive',
    'keep-alive',
    'close',
  ]);
});

test('an HTTP/1.0 client gets a complete response and a closed connection', async () => {
  const { url, get } = await startApi();
  const { body } = await get(PATH);
  await get(PATH);
  const response = await sendRaw(url, `GET ${PATH} HTTP/1.0\r\n\r\n`);
  const [head = '', text = ''] = response.split('\r\n\r\n');
  expect(head).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
  expect(head.toLowerCase()).toContain('\r\nconnection: close');
  expect(JSON.parse(text)).toEqual(body);
});

test('large responses are compressed only for clients that accept gzip', async () => {
  const { url } = await startApi();
  for (const path of [PATH, '/openapi.json', '/metrics', '/docs/try-it.js']) {
    for (let time = 0; time < 2; time += 1) {
      const zipped = await fetch(`${url}${path}`, { headers: { 'accept-encoding': 'gzip' } });
      expect(zipped.headers.get('content-encoding')).toBe('gzip');
      expect(zipped.headers.get('vary')).toBe('accept-encoding');
      expect((await zipped.text()).length).toBeGreaterThan(1024);
      const plain = await fetch(`${url}${path}`, { headers: { 'accept-encoding': 'identity' } });
      expect(plain.headers.get('content-encoding')).toBeNull();
      await plain.text();
    }
  }
  const small = await fetch(`${url}/health`, { headers: { 'accept-encoding': 'gzip' } });
  expect(small.headers.get('content-encoding')).toBeNull();
});

test('if-none-match gets 304, also on the first request', async () => {
  const one = await startApi();
  const etag = (await fetch(`${one.url}${PATH}`)).headers.get('etag') ?? '';
  const other = await startApi();
  for (let time = 0; time < 3; time += 1) {
    const response = await fetch(`${other.url}${PATH}`, { headers: { 'if-none-match': etag } });
    expect(response.status).toBe(304);
    expect(response.headers.get('etag')).toContain(etag.slice(1, 10));
    expect(await response.text()).toBe('');
  }
});

test('HEAD has the headers of GET and no body', async () => {
  const { url } = await startApi();
  for (let time = 0; time < 3; time += 1) {
    const response = await fetch(`${url}${PATH}`, {
      method: 'HEAD',
      headers: { 'accept-encoding': 'identity' },
    });
    expect(response.status).toBe(200);
    expect(Number(response.headers.get('content-length'))).toBeGreaterThan(1024);
    expect(await response.text()).toBe('');
  }
});

test('any origin can read responses and their headers', async () => {
  const { url } = await startApi();
  const response = await fetch(`${url}${PATH}`, { headers: { origin: 'https://app.example' } });
  expect(response.headers.get('access-control-allow-origin')).toBe('*');
  expect(response.headers.get('access-control-expose-headers')).toBe('*');
  const preflight = await fetch(`${url}${PATH}`, {
    method: 'OPTIONS',
    headers: { origin: 'https://app.example', 'access-control-request-headers': 'x-api-key' },
  });
  expect(preflight.status).toBe(204);
  expect(preflight.headers.get('access-control-allow-methods')).toBe('GET, HEAD');
  expect(preflight.headers.get('access-control-allow-headers')).toContain('x-api-key');
  expect((await fetch(`${url}/nope`, { method: 'OPTIONS' })).status).toBe(404);
  expect((await fetch(`${url}/nope`)).headers.get('access-control-allow-origin')).toBe('*');
});

test('a request keeps its x-request-id if it is a plain token', async () => {
  const { get } = await startApi();
  const idFor = async (headers?: Record<string, string>) =>
    (await get(PATH, headers)).headers.get('x-request-id');
  expect(await idFor({ 'x-request-id': 'trace-1' })).toBe('trace-1');
  expect(await idFor({ 'x-request-id': 'trace-2' })).toBe('trace-2');
  expect(await idFor({ 'x-request-id': 'a b' })).not.toBe('a b');
  expect(await idFor({ 'x-request-id': 'a'.repeat(65) })).toHaveLength(
    (await idFor())?.length ?? 0,
  );
  expect(await idFor()).not.toBe(await idFor());
});

test('each request has one log line without key, query or body', async () => {
  const { url, logLines } = await startApi();
  const secret = 'tg_0123456789ab_SECRET';
  const headers = { 'x-api-key': secret, authorization: `Bearer ${secret}` };
  await fetch(`${url}${PATH}?symbol=SECRET`);
  await fetch(`${url}${PATH}?symbol=SECRET`, { headers: { 'x-request-id': 'mine' } });
  await fetch(`${url}${PATH}?symbol=SECRET&limit=0`);
  await fetch(`${url}${PATH}?symbol=SECRET`, { headers });
  await fetch(`${url}/SECRET?SECRET`, { method: 'POST', body: 'SECRET' });
  await expect.poll(() => logLines).toHaveLength(5);
  const logged = logLines.map(
    ({ fields: { method, route, status } }) => `${method} ${route} ${status}`,
  );
  expect(logged).toEqual([
    `GET ${PATH} 200`,
    `GET ${PATH} 200`,
    `GET ${PATH} 400`,
    `GET ${PATH} 401`,
    'POST unmatched 404',
  ]);
  expect(logLines[1]?.fields).toMatchObject({ id: 'mine', ms: expect.any(Number) });
  expect(JSON.stringify(logLines)).not.toContain('SECRET');
});

test('metrics count requests by route and status, of the router and of the fast path', async () => {
  const { url, get } = await startApi();
  for (let time = 0; time < 3; time += 1) await get(PATH);
  await get(`${PATH}?limit=0`);
  const read = async () => (await fetch(`${url}/metrics`)).text();
  const name = 'tidegate_http_request_duration_seconds';
  await expect.poll(read).toContain(`${name}_count{method="GET",route="${PATH}",status="400"} 1`);
  const text = await read();
  expect(text).toContain(`${name}_count{method="GET",route="${PATH}",status="200"} 3`);
  expect(text).toContain(`${name}_bucket{method="GET",route="${PATH}",status="200",le="+Inf"} 3`);
  expect(text).toContain('\ntidegate_cached_responses 1\n');
  for (const metric of ['tidegate_event_loop_lag_seconds', 'process_resident_memory_bytes']) {
    expect(text).toMatch(new RegExp(`^${metric}\\S* [\\d.e-]+$`, 'm'));
  }
});

test('freshness headers are on every response, including errors', async () => {
  const { get } = await startApi();
  for (const path of [PATH, PATH, PATH, '/nope', '/%zz', `${PATH}?limit=0`, '/status']) {
    expect((await get(path)).headers.get('x-slot')).toBe(String(SLOT));
  }
});

test('a request that is not HTTP gets a JSON error and a closed connection', async () => {
  const { url, logLines } = await startApi();
  const response = await sendRaw(url, 'NONSENSE\r\n\r\n');
  expect(response).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
  expect(response).toContain('{"error":"Bad Request. The connection is closed."}');
  expect(logLines.at(-1)?.fields).toMatchObject({ route: 'unreadable', status: 400 });
});

test('every response has a date', async () => {
  const { get } = await startApi();
  const { headers } = await get(PATH);
  expect(Date.parse(headers.get('date') ?? '')).toBeGreaterThan(Date.UTC(2024, 0));
});
