import { connect } from 'node:net';
import { Type } from 'typebox';
import { expect, test } from 'vitest';
import { operation } from '../../src/api/operation.ts';
import { AddressText } from '../../src/api/schemas/primitives.ts';
import { type App, startApi } from '../support/api.ts';

const PATH = '/tokens-api/tokens';
const facts = { tag: 'x', summary: 'x', weight: 1 } as const;

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
  const { url, lines } = await startApi();
  const secret = 'tg_0123456789ab_SECRET';
  const headers = { 'x-api-key': secret, authorization: `Bearer ${secret}` };
  await fetch(`${url}${PATH}?symbol=SECRET`);
  await fetch(`${url}${PATH}?symbol=SECRET`, { headers: { 'x-request-id': 'mine' } });
  await fetch(`${url}${PATH}?symbol=SECRET&limit=0`);
  await fetch(`${url}${PATH}?symbol=SECRET`, { headers });
  await fetch(`${url}/SECRET?SECRET`, { method: 'POST', body: 'SECRET' });
  await expect.poll(() => lines).toHaveLength(5);
  const shown = lines.map(({ facts: { method, route, status } }) => `${method} ${route} ${status}`);
  expect(shown).toEqual([
    `GET ${PATH} 200`,
    `GET ${PATH} 200`,
    `GET ${PATH} 400`,
    `GET ${PATH} 401`,
    'POST unmatched 404',
  ]);
  expect(lines[1]?.facts).toMatchObject({ id: 'mine', ms: expect.any(Number) });
  expect(JSON.stringify(lines)).not.toContain('SECRET');
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
  for (const figure of ['tidegate_event_loop_lag_seconds', 'process_resident_memory_bytes']) {
    expect(text).toMatch(new RegExp(`^${figure}\\S* [\\d.e-]+$`, 'm'));
  }
});

function faultyRoutes(app: App): void {
  const params = Type.Object({ pubkey: AddressText });
  const answer = Type.Any();
  const fault = operation({ ...facts, operationId: 'fault', statuses: [500] }, { answer });
  const market = operation(
    { ...facts, operationId: 'getMarket', statuses: [500] },
    { params, answer },
  );
  app.get('/fault', fault, async () => {
    throw new Error('connect ECONNREFUSED 10.0.0.5:5432 at /srv/tidegate/db.js');
  });
  app.post('/ktx/fault', fault, async () => {
    throw new TypeError('cannot read properties of undefined');
  });
  app.get('/svc-market/:pubkey/reserves/metrics', market, async (request) => [
    request.params.pubkey,
  ]);
  app.get('/v2/svc-market', fault, async () => ['markets']);
}

const SOL = 'So11111111111111111111111111111111111111112';

test('an internal failure tells nothing, and is logged under the id that the caller got', async () => {
  const { get, url, lines } = await startApi({ routes: faultyRoutes });
  const { status, headers, body } = await get('/fault');
  expect(status).toBe(500);
  expect(body).toEqual({ error: 'Internal error' });
  const logged = lines.find((line) => line.level === 'error');
  expect(logged?.facts).toMatchObject({ id: headers.get('x-request-id'), route: '/fault' });
  expect(String(logged?.facts['error'])).toContain('ECONNREFUSED');
  const builder = await fetch(`${url}/ktx/fault`, { method: 'POST' });
  expect(await builder.json()).toEqual({
    statusCode: 500,
    message: 'Internal error',
    error: 'Internal Server Error',
  });
});

test('strict statuses fold what the operation does not list', async () => {
  const path = '/svc-market/abc/reserves/metrics';
  const usual = await startApi({ routes: faultyRoutes });
  expect(await usual.get(path)).toMatchObject({
    status: 400,
    body: {
      error: 'Invalid path params',
      details: [{ path: ['pubkey'], code: 'invalid_address' }],
    },
  });
  const strict = await startApi({ routes: faultyRoutes, strictStatuses: true });
  expect(await strict.get(path)).toMatchObject({ status: 500, body: { error: 'Internal error' } });
  expect((await strict.get(`${PATH}?limit=0`)).status).toBe(400);
  expect((await strict.get('/nope')).status).toBe(404);
});

test('problem+json has the same facts', async () => {
  const { get } = await startApi();
  const accept = { accept: 'application/problem+json' };
  const { status, headers, body } = await get(`${PATH}?limit=0`, accept);
  expect(status).toBe(400);
  expect(headers.get('content-type')).toBe('application/problem+json');
  expect(body).toEqual({
    type: 'urn:tidegate:error:invalid-query',
    title: 'Bad Request',
    status: 400,
    detail: 'Invalid query params',
    code: 'INVALID_QUERY',
    requestId: headers.get('x-request-id'),
    errors: [
      { path: ['limit'], code: 'too_small', message: 'limit must be at least 1', minimum: 1 },
    ],
  });
});

test('aliases answer as the path they stand for, and are in no document', async () => {
  const aliases = { marketSegments: ['lend'], legacyPaths: true };
  const { get } = await startApi({ routes: faultyRoutes, aliases });
  for (const segment of ['svc-market', 'lend']) {
    expect((await get(`/${segment}/${SOL}/reserves/metrics?env=x`)).body).toEqual([SOL]);
    expect((await get(`/${segment}?env=x`)).body).toEqual(['markets']);
    expect((await get(`/v2/${segment}`)).body).toEqual(['markets']);
  }
  expect(JSON.stringify((await get('/openapi.json')).body)).not.toContain('/lend');
  const off = await startApi({
    routes: faultyRoutes,
    aliases: { marketSegments: [], legacyPaths: false },
  });
  expect((await off.get('/svc-market')).status).toBe(404);
  expect((await off.get('/lend/x/reserves/metrics')).status).toBe(404);
});

test('headers that tell the freshness are on every answer, whichever way it is made', async () => {
  const { get } = await startApi({ freshness: () => ['x-slot', '7'] });
  for (const path of [PATH, PATH, PATH, '/nope', '/%zz', `${PATH}?limit=0`, '/status']) {
    expect((await get(path)).headers.get('x-slot')).toBe('7');
  }
});

test('what is not HTTP is answered with an error in JSON, and the connection closed', async () => {
  const { url, lines } = await startApi();
  const answer = await raw(url, 'NONSENSE\r\n\r\n');
  expect(answer).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
  expect(answer).toContain('{"error":"Bad Request. The connection is closed."}');
  expect(lines.at(-1)?.facts).toMatchObject({ route: 'unreadable', status: 400 });
});

test('every answer has a date', async () => {
  const { get } = await startApi();
  const { headers } = await get(PATH);
  expect(Date.parse(headers.get('date') ?? '')).toBeGreaterThan(Date.UTC(2024, 0));
});
