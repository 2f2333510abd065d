import { expect, test } from 'vitest';
import { createApiKeys } from '#server/http/auth/api-keys.ts';
import { readJson, startApi, statusAndBody } from '../../support/http/test-api.ts';

const invalidQuery = (field: string, code: string, issue: string | object) => ({
  error: 'Invalid query params',
  details: [{ path: [field], code, ...(typeof issue === 'string' ? { message: issue } : issue) }],
});
const notInteger = invalidQuery('limit', 'invalid_type', {
  message: 'limit must be an integer',
  expected: 'integer',
});
const tooSmall = invalidQuery('limit', 'too_small', {
  message: 'limit must be at least 1',
  minimum: 1,
});
const notAddress = invalidQuery(
  'mint',
  'invalid_address',
  'mint must be a base58 address of 32 bytes',
);

test.each([
  ['limit=0', tooSmall],
  ['limit=-1', tooSmall],
  [
    'limit=1001',
    invalidQuery('limit', 'too_big', { message: 'limit must be at most 1000', maximum: 1000 }),
  ],
  ['limit=1.5', notInteger],
  ['limit=abc', notInteger],
  ['limit=', notInteger],
  ['limit', notInteger],
  ['limit=1e2', notInteger],
  ['limit=0x10', notInteger],
  ['limit=+5', notInteger],
  ['limit=%205', notInteger],
  ['limit=05', notInteger],
  [
    'limit=99999999999999999999',
    invalidQuery('limit', 'too_big', { message: 'limit must be at most 1000', maximum: 1000 }),
  ],
  ['limit=NaN', notInteger],
  ['limit=1&limit=2', invalidQuery('limit', 'repeated', 'limit must not be repeated')],
  ['limit=5&limit=5', invalidQuery('limit', 'repeated', 'limit must not be repeated')],
  [
    'verified=maybe',
    invalidQuery('verified', 'invalid_type', {
      message: 'verified must be true or false',
      expected: 'boolean',
    }),
  ],
  [
    'verified=1',
    invalidQuery('verified', 'invalid_type', {
      message: 'verified must be true or false',
      expected: 'boolean',
    }),
  ],
  [
    'verified=TRUE',
    invalidQuery('verified', 'invalid_type', {
      message: 'verified must be true or false',
      expected: 'boolean',
    }),
  ],
  [
    'verified=',
    invalidQuery('verified', 'invalid_type', {
      message: 'verified must be true or false',
      expected: 'boolean',
    }),
  ],
  ['mint=abc', notAddress],
  ['mint=', notAddress],
  ['mint=0OIl0OIl0OIl0OIl0OIl0OIl0OIl0OIl0OIl', notAddress],
  ['mint=zzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzz', notAddress],
  [`mint=${'1'.repeat(3000)}`, notAddress],
  ['mint=%00', notAddress],
  [
    'symbol=',
    invalidQuery('symbol', 'too_small', { message: 'symbol must not be empty', minimum: 1 }),
  ],
  ['symbol=a&symbol=b', invalidQuery('symbol', 'repeated', 'symbol must not be repeated')],
])('%s is rejected with an explanation', async (query, expected) => {
  const { get } = await startApi();
  const { status, headers, body } = await get(`/tokens-api/tokens?${query}`);
  expect(status).toBe(400);
  expect(body).toEqual(expected);
  expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
  expect(headers.get('cache-control')).toBe('no-store');
});

test('all issues are reported at once', async () => {
  const { get } = await startApi();
  const { body } = await get('/tokens-api/tokens?limit=0&verified=maybe&mint=x');
  expect(body).toMatchObject({
    details: [{ path: ['verified'] }, { path: ['limit'] }, { path: ['mint'] }],
  });
});

test('an unknown path is 404 with the nearest path, under /ktx in the builder format', async () => {
  const { get } = await startApi();
  const message = (nearest: string) =>
    `The path does not exist. The nearest is ${nearest}. GET /openapi.json lists all paths.`;
  for (const [path, nearest] of [
    ['/tokens-api', '/tokens-api/tokens'],
    ['/tokens-api/token', '/tokens-api/tokens'],
    ['/v2/svc-markets', '/v2/svc-market'],
    ['/v2/kamino-markets?env=x', '/v2/kamino-market'],
    ['//health', '/health'],
    ['/%22%3Cscript%3E/health', '/health'],
  ] as const) {
    const body = { error: message(nearest) };
    expect(statusAndBody(await get(path))).toEqual({ status: 404, body });
  }
  expect(statusAndBody(await get('/ktx/klend/deposits'))).toEqual({
    status: 404,
    body: { statusCode: 404, message: message('/ktx/klend/deposit'), error: 'Not Found' },
  });
});

test.each([
  ['/strategies', 'another product, of programs that are not read here: automated liquidity'],
  [
    '/strategies/abc/metrics',
    'another product, of programs that are not read here: automated liquidity',
  ],
  ['/kswap', 'another product, of programs that are not read here: swaps'],
  ['/tokens', 'its fields are those of a token list; tokens are at /tokens-api/tokens'],
  [
    '/kamino-market/abc/users/def/interest-fees',
    'fees per loan are at /v2/svc-market/{marketPubkey}/obligations/{obligationPubkey}/interest-fees',
  ],
  [
    '/kvaults/private-credit/metrics',
    'it reports single loans with a liquidation status; no document says which loans these are and what the statuses mean, and the registry only marks vaults',
  ],
])('the path %s of the hosted API is 404 with the reason', async (path, reason) => {
  const { get } = await startApi();
  const error = `The path is not served: ${reason}. GET /openapi.json lists all paths.`;
  expect(statusAndBody(await get(path))).toEqual({ status: 404, body: { error } });
});

test('a path that resembles no other is 404 without a suggestion', async () => {
  const { get } = await startApi();
  const error = 'The path does not exist. GET /openapi.json lists all paths.';
  for (const path of ['/nonsense', '/lend/positions']) {
    expect(statusAndBody(await get(path))).toEqual({ status: 404, body: { error } });
  }
});

test('a known path with another method is 405 with the allowed methods', async () => {
  const { url } = await startApi();
  for (const method of ['POST', 'PUT', 'DELETE', 'PATCH']) {
    const response = await fetch(`${url}/tokens-api/tokens`, { method, body: '{broken' });
    const { status, headers, body } = await readJson(response);
    expect(status).toBe(405);
    expect(headers.get('allow')).toBe('GET, HEAD, OPTIONS');
    expect(body).toEqual({
      error: `This path does not support ${method}. Use GET or HEAD or OPTIONS.`,
    });
  }
});

test('a malformed escape in the path is 400', async () => {
  const { get, logLines } = await startApi();
  const message = 'The path contains a malformed percent escape. Percent-encode the path as UTF-8.';
  const { status, headers, body } = await get('/tokens-api/%zz');
  expect(status).toBe(400);
  expect(body).toEqual({ error: message, details: [{ path: [], code: 'invalid_url', message }] });
  expect(headers.get('x-request-id')).not.toBeNull();
  await expect.poll(() => logLines.map((line) => line.fields['status'])).toContain(400);
});

test('a path or query that is too long is 414', async () => {
  const { get } = await startApi();
  expect(statusAndBody(await get(`/${'a'.repeat(10_000)}`))).toEqual({
    status: 414,
    body: { error: 'The path exceeds 2048 characters. Shorten it.' },
  });
  // a parameter that the router itself rejects
  const { get: getLogged, logLines } = await startApi();
  const loan = await getLogged(`/klend/loans/${'a'.repeat(10_000)}`);
  expect([loan.status, loan.body]).toEqual([
    414,
    { error: 'The path exceeds 2048 characters. Shorten it.' },
  ]);
  expect(logLines.filter(({ level }) => level === 'error')).toEqual([]);
  expect(statusAndBody(await get(`/tokens-api/tokens?symbol=${'a'.repeat(10_000)}`))).toEqual({
    status: 414,
    body: { error: 'The query string exceeds 4096 characters. Shorten it.' },
  });
});

test('headers above the size limit are 431, in JSON', async () => {
  const { get } = await startApi();
  const { status, headers, body } = await get('/health', { 'x-long': 'a'.repeat(60_000) });
  expect(status).toBe(431);
  expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
  expect(body).toEqual({ error: 'Request Header Fields Too Large. The connection is closed.' });
});

test('an unknown key is 401, not anonymous', async () => {
  const { get } = await startApi({ keys: createApiKeys([]) });
  const error =
    'The API key is unknown or revoked. Send a valid key, or omit it to use the limit per IP address.';
  const rejected: Record<string, string>[] = [
    { 'x-api-key': 'nope' },
    { 'x-api-key': '' },
    { 'x-api-key': `tg_0123456789ab_${'A'.repeat(43)}` },
    { authorization: 'Bearer nope' },
    { authorization: 'bearer' },
  ];
  for (const headers of rejected) {
    const response = await get('/tokens-api/tokens', headers);
    expect(statusAndBody(response)).toEqual({ status: 401, body: { error } });
    expect(response.headers.get('www-authenticate')).toBe('Bearer');
  }
  expect((await get('/ktx/x', { 'x-api-key': 'nope' })).body).toEqual({
    statusCode: 401,
    message: error,
    error: 'Unauthorized',
  });
});
