import { Type } from 'typebox';
import { expect, test } from 'vitest';
import { defineOperation } from '#server/http/operation.ts';
import { type App, startApi } from '../../support/http/test-api.ts';

const PATH = '/tokens-api/tokens';
const shared = { tag: 'x', summary: 'x', weight: 1, statuses: [500] } as const;

/** Operations that fail or never finish. */
function faultyRoutes(app: App): void {
  const response = Type.Any();
  const fault = defineOperation({ ...shared, operationId: 'fault' }, { response });
  const builder = { ...shared, operationId: 'builderFault', errorFormat: 'builder' } as const;
  app.get('/fault', fault, async () => {
    throw new Error('connect ECONNREFUSED 10.0.0.5:5432 at /srv/tidegate/db.js');
  });
  app.get('/slow', { ...fault, handlerTimeout: 20 }, () => new Promise(() => undefined));
  app.post('/ktx/fault', defineOperation(builder, { response }), async () => {
    throw new TypeError('cannot read properties of undefined');
  });
}

test('an internal error hides its cause and is logged with the request id', async () => {
  const { get, url, logLines } = await startApi({ routes: faultyRoutes });
  const { status, headers, body } = await get('/fault');
  expect(status).toBe(500);
  expect(body).toEqual({ error: 'Internal error' });
  const logged = logLines.find((line) => line.level === 'error');
  expect(logged?.fields).toMatchObject({ id: headers.get('x-request-id'), route: '/fault' });
  expect(String(logged?.fields['error'])).toContain('ECONNREFUSED');
  const builder = await fetch(`${url}/ktx/fault`, { method: 'POST' });
  expect(await builder.json()).toEqual({
    statusCode: 500,
    message: 'Internal error',
    error: 'Internal Server Error',
  });
});

test('a handler that takes too long times out', async () => {
  const { get } = await startApi({ routes: faultyRoutes });
  expect(await get('/slow')).toMatchObject({
    status: 503,
    body: { error: 'The request timed out. Retry it, or request less data.' },
  });
});

test('strict statuses report an unlisted status as 500', async () => {
  const path = '/svc-market/abc/reserves/metrics';
  const lenient = await startApi({ routes: faultyRoutes });
  expect(await lenient.get(path)).toMatchObject({
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

test('problem+json has the same content', async () => {
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

test('aliases are served as their canonical path, of which the OpenAPI document lists them', async () => {
  const aliases = { marketSegments: ['lend'], legacyPaths: true };
  const { get } = await startApi({ aliases });
  const { body: markets } = await get('/v2/svc-market');
  const [{ lendingMarket }] = markets as [{ lendingMarket: string }];
  const { body: reserves } = await get(`/svc-market/${lendingMarket}/reserves/metrics`);
  expect(reserves).not.toEqual([]);
  expect((await get(`/lend/${lendingMarket}/reserves/metrics`)).body).toEqual(reserves);
  for (const path of ['/v2/lend', '/svc-market?env=localnet', '/lend']) {
    expect((await get(path)).body).toEqual(markets);
  }
  type Document = { paths: Record<string, Record<string, { 'x-aliases'?: string[] }>> };
  const { paths } = (await get('/openapi.json')).body as Document;
  expect(Object.keys(paths).filter((path) => /\/(lend|kamino-market)\b/.test(path))).toEqual([]);
  expect(paths['/v2/svc-market']?.['get']?.['x-aliases']).toEqual([
    '/v2/kamino-market',
    '/v2/lend',
    '/svc-market',
    '/kamino-market',
    '/lend',
  ]);
  const off = await startApi({ aliases: { marketSegments: [], legacyPaths: false } });
  expect((await off.get('/svc-market')).status).toBe(404);
  expect((await off.get('/lend/x/reserves/metrics')).status).toBe(404);
});
