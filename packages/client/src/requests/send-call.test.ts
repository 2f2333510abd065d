import { expect, test } from 'vitest';
import { createClient } from '../client.ts';

const ADDRESS = '7u3HeHxYDLhnCoErrtycNokbQYbWGzLs6JSDqGAv5PfF';

/** A client of a server that answers each call with the next response, and the requests that it got. */
function clientOf(responses: readonly Response[], options: object = {}) {
  const requests: { readonly url: string; readonly headers: Headers }[] = [];
  const waiting = [...responses];
  const fake: typeof fetch = (url, init) => {
    requests.push({ url: String(url), headers: new Headers(init?.headers) });
    const response = waiting.shift();
    return response === undefined
      ? Promise.reject(new Error('no response'))
      : Promise.resolve(response);
  };
  const client = createClient({ baseUrl: 'http://server/v1', retries: 0, fetch: fake, ...options });
  return { client, requests };
}

const vault = { path: { pubkey: ADDRESS } };

test('an answer that has not changed is not sent again', async () => {
  const { client, requests } = clientOf([
    new Response('{"a":1}', { headers: { etag: '"one"', 'x-slot': '7' } }),
    new Response(null, { status: 304, headers: { etag: '"one"', 'x-slot': '9' } }),
  ]);
  const first = await client.revalidate('GET /kvaults/vaults/{pubkey}', vault);
  expect(first).toMatchObject({
    ok: true,
    data: { isChanged: true, data: { a: 1 }, etag: '"one"' },
  });
  const second = await client.revalidate('GET /kvaults/vaults/{pubkey}', {
    ...vault,
    etag: '"one"',
  });
  expect(second).toMatchObject({ ok: true, data: { isChanged: false }, freshness: { slot: 9n } });
  expect(requests.map(({ headers }) => headers.get('if-none-match'))).toEqual([null, '"one"']);
});

test('an unchanged answer that was not asked for is an error', async () => {
  const { client } = clientOf([new Response(null, { status: 304 })]);
  expect(await client.revalidate('GET /kvaults/vaults/{pubkey}', vault)).toMatchObject({
    ok: false,
    error: { kind: 'http', status: 304 },
  });
});

test('an unchanged answer of an older slot than required is an error', async () => {
  const { client } = clientOf([new Response(null, { status: 304, headers: { 'x-slot': '9' } })]);
  const options = { ...vault, etag: '"one"', minContextSlot: 10 };
  expect(await client.revalidate('GET /kvaults/vaults/{pubkey}', options)).toMatchObject({
    ok: false,
    error: { kind: 'stale' },
  });
});

test('a parser of the caller reads answers and errors', async () => {
  const parseJson = (json: string): unknown =>
    JSON.parse(json, (_, value) => (typeof value === 'string' ? value.toUpperCase() : value));
  const { client } = clientOf(
    [new Response('{"a":"b"}'), new Response('{"detail":"no"}', { status: 400 })],
    { parseJson },
  );
  expect(await client.get('/kvaults/vaults/{pubkey}', vault)).toMatchObject({ data: { a: 'B' } });
  expect(await client.get('/kvaults/vaults/{pubkey}', vault)).toMatchObject({
    error: { message: 'NO' },
  });
});

test.each([
  [9, false],
  [10, true],
])('an answer of ten bytes with a limit of %i is accepted: %s', async (maxResponseBytes, ok) => {
  const { client } = clientOf([new Response('"12345678"')], { maxResponseBytes });
  const result = await client.get('/kvaults/vaults/{pubkey}', vault);
  expect(result.ok).toBe(ok);
  if (!result.ok) expect(result.error.message).toBe('The answer has more than 9 bytes.');
});

test('the address of a call', () => {
  const { client, requests } = clientOf([]);
  const query = { start: '2026-01-01T00:00:00Z' };
  expect(client.urlOf('GET /kvaults/vaults/{pubkey}/metrics/history', { ...vault, query })).toBe(
    `http://server/v1/kvaults/vaults/${ADDRESS}/metrics/history?start=2026-01-01T00%3A00%3A00Z`,
  );
  expect(client.urlOf('GET /kvaults/vaults/{pubkey}', { path: { pubkey: '..' } })).toBeUndefined();
  expect(requests).toEqual([]);
});
