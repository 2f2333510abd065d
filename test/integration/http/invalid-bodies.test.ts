import { brotliCompressSync, gzipSync } from 'node:zlib';
import { Type } from 'typebox';
import { expect, test } from 'vitest';
import { defineOperation } from '#server/http/operation.ts';
import { AddressString } from '#server/http/schemas/primitives.ts';
import {
  type App,
  type JsonResponse,
  readJson,
  startApi,
  statusAndBody,
} from '../../support/http/test-api.ts';

/** Two operations that return their body, with and without the builder error format. */
function echoRoutes(app: App): void {
  const body = Type.Object({ wallet: AddressString, amount: Type.String({ minLength: 1 }) });
  const response = Type.Any();
  const shared = { tag: 'x', summary: 'echo', weight: 1, statuses: [400] } as const;
  const builder = defineOperation(
    { ...shared, operationId: 'builderEcho', errorFormat: 'builder' },
    { body, response },
  );
  const read = defineOperation({ ...shared, operationId: 'echo' }, { body, response });
  app.post('/ktx/echo', builder, async (request) => ({ got: request.body }));
  app.delete(
    '/echo',
    defineOperation({ ...shared, operationId: 'remove' }, { response }),
    async () => 'removed',
  );
  app.post('/echo', read, async (request) => ({ got: request.body }));
}

const wallet = 'So11111111111111111111111111111111111111112';

async function post(
  path: string,
  body: string,
  type: string | null = 'application/json',
): Promise<JsonResponse> {
  const { url } = await startApi({ routes: echoRoutes });
  const headers: Record<string, string> = type === null ? {} : { 'content-type': type };
  return readJson(
    await fetch(`${url}${path}`, { method: 'POST', body: Buffer.from(body), headers }),
  );
}

test('a valid body is passed on unchanged, with extra fields', async () => {
  const body = { wallet, amount: '1.50', extra: [1] };
  expect(statusAndBody(await post('/echo', JSON.stringify(body)))).toEqual({
    status: 200,
    body: { got: body },
  });
});

test('a body over the limit is 413', async () => {
  const body = JSON.stringify({ wallet, amount: '1'.repeat(70_000) });
  const message = 'The body exceeds 65536 bytes. Send a smaller body.';
  expect(statusAndBody(await post('/echo', body))).toEqual({
    status: 413,
    body: { error: message },
  });
  expect(statusAndBody(await post('/ktx/echo', body))).toEqual({
    status: 413,
    body: { statusCode: 413, message, error: 'Payload Too Large' },
  });
});

test('a chunked body over the limit is 413 too', async () => {
  const { url } = await startApi({ routes: echoRoutes });
  const chunks = new ReadableStream({
    start(controller) {
      for (let count = 0; count < 20; count += 1) controller.enqueue(Buffer.alloc(8192, ' '));
      controller.close();
    },
  });
  const init = { method: 'POST', body: chunks, duplex: 'half' } as RequestInit;
  const response = await fetch(`${url}/echo`, {
    ...init,
    headers: { 'content-type': 'application/json' },
  });
  expect(response.status).toBe(413);
});

test.each([
  ['{"wallet":', 'it cannot be parsed'],
  ['', 'it is empty'],
  ['nonsense', 'it cannot be parsed'],
  [`{"wallet":"${wallet}","__proto__":{"admin":true}}`, 'it cannot be parsed'],
  [`{"wallet":"${wallet}","constructor":{"prototype":{"admin":true}}}`, 'it cannot be parsed'],
])('%s is not valid JSON', async (text, reason) => {
  const message = `The body is not valid JSON: ${reason}. Fix the syntax and send the request again.`;
  expect(statusAndBody(await post('/echo', text))).toEqual({
    status: 400,
    body: { error: message, details: [{ path: [], code: 'invalid_json', message }] },
  });
  expect((await post('/ktx/echo', text)).body).toEqual({
    statusCode: 400,
    message,
    error: 'Bad Request',
  });
  expect(({} as Record<string, unknown>)['admin']).toBeUndefined();
});

test('repeated keys are rejected at any depth', async () => {
  const repeated = `{"wallet":"${wallet}","amount":"1","more":{"a":1,"a":2},"amount":"2"}`;
  expect((await post('/ktx/echo', repeated)).body).toEqual({
    statusCode: 400,
    message: 'a must not be repeated; amount must not be repeated',
    error: 'Bad Request',
  });
  expect(statusAndBody(await post('/echo', repeated))).toEqual({
    status: 400,
    body: {
      error: 'Invalid body',
      details: ['a', 'amount'].map((key) => ({
        path: [key],
        code: 'repeated',
        message: `${key} must not be repeated`,
      })),
    },
  });
});

test.each([['text/plain'], ['application/x-www-form-urlencoded'], [null]])(
  'a body of type %s is 415',
  async (type) => {
    const message =
      'The content type or encoding of the body is not supported. Send JSON that is not compressed, with content-type: application/json.';
    expect(statusAndBody(await post('/ktx/echo', '{}', type))).toEqual({
      status: 415,
      body: { statusCode: 415, message, error: 'Unsupported Media Type' },
    });
  },
);

test('body values are not converted, and issues have the field name', async () => {
  expect((await post('/echo', JSON.stringify({ wallet: 'abc', amount: 5 }))).body).toEqual({
    error: 'Invalid body',
    details: [
      {
        path: ['amount'],
        code: 'invalid_type',
        message: 'amount must be a string',
        expected: 'string',
      },
      {
        path: ['wallet'],
        code: 'invalid_address',
        message: 'wallet must be a base58 address of 32 bytes',
      },
    ].reverse(),
  });
  expect((await post('/ktx/echo', '{}')).body).toEqual({
    statusCode: 400,
    message: 'wallet is required; amount is required',
    error: 'Bad Request',
  });
  const message = 'the body must be an object';
  for (const text of ['[]', 'null', '5', '"x"']) {
    expect((await post('/ktx/echo', text)).body).toEqual({
      statusCode: 400,
      message,
      error: 'Bad Request',
    });
  }
});

test('a body of a GET request is ignored, and rejected if it is over the limit', async () => {
  const { app } = await startApi();
  const request = (payload: string) =>
    app.inject({ method: 'GET', url: '/tokens-api/tokens?limit=1', payload });
  expect((await request('{broken')).statusCode).toBe(200);
  expect((await request(' '.repeat(70_000))).statusCode).toBe(413);
});

test('a DELETE without a body may have any content type', async () => {
  const { app } = await startApi({ routes: echoRoutes });
  const types = ['application/json', 'application/json; charset=utf-8', 'text/plain'];
  const lengths = [{}, { 'content-length': '0' }];
  for (const type of types) {
    for (const length of lengths) {
      const headers = { 'content-type': type, ...length };
      const { statusCode, body } = await app.inject({ method: 'DELETE', url: '/echo', headers });
      expect([headers, statusCode, body]).toEqual([headers, 200, 'removed']);
    }
  }
  const chunked = { 'content-type': 'application/json', 'transfer-encoding': 'chunked' };
  const empty = await app.inject({ method: 'DELETE', url: '/echo', headers: chunked });
  expect(empty.statusCode).toBe(200);
  // a body is still read, and a POST needs one
  const json = { 'content-type': 'application/json' };
  const broken = { method: 'DELETE', url: '/echo', headers: json, payload: '{' } as const;
  expect((await app.inject(broken)).statusCode).toBe(400);
  expect((await app.inject({ method: 'POST', url: '/echo', headers: json })).statusCode).toBe(400);
});

test('a compressed body is 415 and never decompressed', async () => {
  const { url } = await startApi({ routes: echoRoutes });
  const json = JSON.stringify({ wallet, amount: '1' });
  const bomb = gzipSync(Buffer.alloc(8 * 1024 * 1024));
  const send = async (encoding: string, body: Buffer) => {
    const headers = { 'content-type': 'application/json', 'content-encoding': encoding };
    const response = await fetch(`${url}/echo`, { method: 'POST', headers, body });
    await response.text();
    return response.status;
  };
  expect(await send('gzip', gzipSync(json))).toBe(415);
  expect(await send('gzip', bomb)).toBe(415);
  expect(await send('br', brotliCompressSync(json))).toBe(415);
  expect(await send('gzip, identity', gzipSync(json))).toBe(415);
  // not compressed, but said to be
  expect(await send('deflate', Buffer.from(json))).toBe(415);
  expect(await send('Identity', Buffer.from(json))).toBe(200);
});
