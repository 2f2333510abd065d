import { connect } from 'node:net';
import { expect, test } from 'vitest';
import { startApi } from '../../support/http/test-api.ts';

const PATH = '/tokens-api/tokens';

/** What a server sends for a request written by hand, until it closes the connection. */
async function raw(url: string, request: string): Promise<string> {
  const { hostname, port } = new URL(url);
  const socket = connect({ port: Number(port), host: hostname, allowHalfOpen: true });
  socket.write(request);
  let text = '';
  for await (const chunk of socket) text += chunk;
  return text;
}

test('the first answer, made by the router, and the next, found by URL, are the same', async () => {
  const { url } = await startApi();
  const shown = async () => {
    const response = await fetch(`${url}${PATH}`);
    const headers = [...response.headers].filter(
      ([name]) => !['date', 'x-request-id'].includes(name),
    );
    return { status: response.status, headers: headers.sort(), body: await response.text() };
  };
  const first = await shown();
  expect(await shown()).toEqual(first);
  expect(await shown()).toEqual(first);
});

test('requests sent in one go on one connection are answered in order', async () => {
  const { url } = await startApi();
  await fetch(`${url}${PATH}?limit=1`);
  await fetch(`${url}${PATH}?limit=2`);
  const ask = (path: string, connection: string) =>
    `GET ${path} HTTP/1.1\r\nhost: x\r\nconnection: ${connection}\r\n\r\n`;
  const answer = await raw(
    url,
    ask(`${PATH}?limit=1`, 'keep-alive') +
      ask('/nope', 'keep-alive') +
      ask(`${PATH}?limit=2`, 'keep-alive') +
      ask(`${PATH}?limit=1`, 'close'),
  );
  const statuses = [...answer.matchAll(/HTTP\/1\.1 (\d+)/g)].map((match) => match[1]);
  expect(statuses).toEqual(['200', '404', '200', '200']);
  expect([...answer.matchAll(/"symbol":"(\w+)"/g)].map((match) => match[1])).toEqual([
    'SOL',
    'SOL',
    'USDC',
    'SOL',
  ]);
  expect([...answer.matchAll(/^connection: (.*)\r$/gim)].map((match) => match[1])).toEqual([
    'keep-alive',
    'keep-alive',
    'keep-alive',
    'close',
  ]);
});

test('a caller of HTTP/1.0 gets a whole answer and a closed connection', async () => {
  const { url, get } = await startApi();
  const { body } = await get(PATH);
  await get(PATH);
  const answer = await raw(url, `GET ${PATH} HTTP/1.0\r\n\r\n`);
  const [head = '', text = ''] = answer.split('\r\n\r\n');
  expect(head).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
  expect(head.toLowerCase()).toContain('\r\nconnection: close');
  expect(JSON.parse(text)).toEqual(body);
});

test('large answers are compressed for callers that accept it, and only for them', async () => {
  const { url } = await startApi();
  for (const path of [PATH, '/openapi.json', '/metrics', '/docs/docs.js']) {
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

test('if-none-match gets 304, on the first request too', async () => {
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

test('reads are open to pages of any origin, with the headers that matter readable', async () => {
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

test('a request has an id, the caller’s own when it is a plain one', async () => {
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

test('one log line a request, with neither key nor query nor body in any', async () => {
  const { url, logLines } = await startApi();
  const secret = 'tg_0123456789ab_SECRET';
  const headers = { 'x-api-key': secret, authorization: `Bearer ${secret}` };
  await fetch(`${url}${PATH}?symbol=SECRET`);
  await fetch(`${url}${PATH}?symbol=SECRET`, { headers: { 'x-request-id': 'mine' } });
  await fetch(`${url}${PATH}?symbol=SECRET&limit=0`);
  await fetch(`${url}${PATH}?symbol=SECRET`, { headers });
  await fetch(`${url}/SECRET?SECRET`, { method: 'POST', body: 'SECRET' });
  await expect.poll(() => logLines).toHaveLength(5);
  const shown = logLines.map(({ fields: { method, route, status } }) => `${method} ${route} ${status}`);
  expect(shown).toEqual([
    `GET ${PATH} 200`,
    `GET ${PATH} 200`,
    `GET ${PATH} 400`,
    `GET ${PATH} 401`,
    'POST unmatched 404',
  ]);
  expect(logLines[1]?.fields).toMatchObject({ id: 'mine', ms: expect.any(Number) });
  expect(JSON.stringify(logLines)).not.toContain('SECRET');
});

test('figures count requests by route and status, on both ways', async () => {
  const { url, get } = await startApi();
  for (let time = 0; time < 3; time += 1) await get(PATH);
  await get(`${PATH}?limit=0`);
  const read = async () => (await fetch(`${url}/metrics`)).text();
  const name = 'tidegate_http_request_duration_seconds';
  await expect.poll(read).toContain(`${name}_count{method="GET",route="${PATH}",status="400"} 1`);
  const text = await read();
  expect(text).toContain(`${name}_count{method="GET",route="${PATH}",status="200"} 3`);
  expect(text).toContain(`${name}_bucket{method="GET",route="${PATH}",status="200",le="+Inf"} 3`);
  expect(text).toContain('\ntidegate_kept_answers 1\n');
  for (const figure of ['tidegate_event_loop_lag_seconds', 'process_resident_memory_bytes']) {
    expect(text).toMatch(new RegExp(`^${figure}\\S* [\\d.e-]+$`, 'm'));
  }
});

test('headers that tell the freshness are on every answer, whichever way it is made', async () => {
  const { get } = await startApi();
  for (const path of [PATH, PATH, PATH, '/nope', '/%zz', `${PATH}?limit=0`, '/status']) {
    expect((await get(path)).headers.get('x-slot')).toBe('373737304');
  }
});

test('what is not HTTP is answered with an error in JSON, and the connection closed', async () => {
  const { url, logLines } = await startApi();
  const answer = await raw(url, 'NONSENSE\r\n\r\n');
  expect(answer).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
  expect(answer).toContain('{"error":"Bad Request. The connection is closed."}');
  expect(logLines.at(-1)?.fields).toMatchObject({ route: 'unreadable', status: 400 });
});

test('every answer has a date', async () => {
  const { get } = await startApi();
  const { headers } = await get(PATH);
  expect(Date.parse(headers.get('date') ?? '')).toBeGreaterThan(Date.UTC(2024, 0));
});
