import { expect, test } from 'vitest';
import { createClient } from '#client/client.ts';
import { addDecimals } from '#client/decimals/decimal.ts';
import { readAllPages } from '#client/pages.ts';
import { answerJson, startScriptedServer } from '../../support/http/scripted-server.ts';

const ADDRESS = 'So11111111111111111111111111111111111111112';
const NEVER = () => undefined;

test('an aborted call ends, also while it waits for its repetition', async () => {
  const server = await startScriptedServer((_, response, count) => {
    if (count > 0) response.writeHead(503, { 'retry-after': '20' }).end('{}');
  });
  const client = createClient({ baseUrl: server.url });
  const during = new AbortController();
  const call = client.get('/kvaults/vaults', { signal: during.signal });
  await expect.poll(() => server.requests.length).toBe(1);
  during.abort(new Error('enough'));
  expect(await call).toMatchObject({
    ok: false,
    error: { kind: 'aborted', code: 'ABORTED', cause: new Error('enough') },
  });
  await expect.poll(server.openConnections).toBe(0);

  const waiting = new AbortController();
  const repeated = client.get('/kvaults/vaults', { signal: waiting.signal });
  await expect.poll(() => server.requests.length).toBe(2);
  waiting.abort();
  expect(await repeated).toMatchObject({ error: { kind: 'aborted' } });
  expect(await client.get('/kvaults/vaults', { signal: AbortSignal.abort() })).toMatchObject({
    error: { kind: 'aborted' },
  });
  expect(server.requests).toHaveLength(2);
});

test('a server that does not answer in time, or not at all, is an error with a code', async () => {
  const silent = await startScriptedServer(NEVER);
  const client = createClient({ baseUrl: silent.url, timeoutMs: 30, retries: 0 });
  expect(await client.get('/kvaults/vaults')).toMatchObject({
    error: { kind: 'timeout', code: 'REQUEST_TIMEOUT', message: 'No answer within 30 ms.' },
  });
  const absent = createClient({ baseUrl: 'http://127.0.0.1:1', retries: 0 });
  expect(await absent.get('/kvaults/vaults')).toMatchObject({
    error: { kind: 'network', code: 'NETWORK_ERROR' },
  });
});

test('a broken connection is repeated for a read and a build, and not for a call with an effect', async () => {
  const server = await startScriptedServer((request, response, count) => {
    if (count % 2 === 0) request.socket.destroy();
    else answerJson(response, 200, { transaction: 'AQ==' });
  });
  const client = createClient({ baseUrl: server.url });
  const body = { wallet: ADDRESS, kvault: ADDRESS, amount: '1' };
  expect((await client.get('/kvaults/vaults')).ok).toBe(true);
  expect((await client.post('/ktx/kvault/deposit', { body })).ok).toBe(true);
  expect(server.requests).toHaveLength(4);
  // an operation of a later release
  const request = client.request as unknown as (
    operation: string,
    parameters: unknown,
  ) => Promise<unknown>;
  expect(await request('POST /hooks', { body })).toMatchObject({ error: { kind: 'network' } });
  expect(server.requests).toHaveLength(5);
});

test('attempts are limited, and a wait that is too long is not begun', async () => {
  let retryAfter = '0';
  const server = await startScriptedServer((_, response) => {
    response.writeHead(503, { 'retry-after': retryAfter });
    response.end('{"error":"busy","code":"OVERLOADED"}');
  });
  const client = createClient({ baseUrl: server.url, retries: 3 });
  expect(await client.get('/kvaults/vaults')).toMatchObject({ error: { code: 'OVERLOADED' } });
  expect(server.requests).toHaveLength(4);
  retryAfter = '3600';
  expect(await client.get('/kvaults/vaults')).toMatchObject({
    error: { code: 'OVERLOADED', retryAfterMs: 3_600_000 },
  });
  expect(server.requests).toHaveLength(5);
});

test('a page of a proxy is not taken for an answer', async () => {
  const { url } = await startScriptedServer((_, response) => {
    response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Log in</h1>');
  });
  expect(await createClient({ baseUrl: url }).get('/kvaults/vaults')).toMatchObject({
    error: {
      kind: 'malformed',
      code: 'MALFORMED_RESPONSE',
      message: 'The answer is not JSON (text/html).',
    },
  });
});

test('the hosted API is served as far as it goes: another segment, exponents, no slot', async () => {
  const paths: string[] = [];
  const { url } = await startScriptedServer((request, response) => {
    paths.push(request.url ?? '');
    const reserve = { reserve: ADDRESS, borrowApy: '4.2e-8', totalSupply: '12.50' };
    answerJson(response, 200, [reserve]);
  });
  const client = createClient({ baseUrl: `${url}/hosted`, marketSegment: 'other-market' });
  const call = { path: { pubkey: ADDRESS } };
  const result = await client.get('/svc-market/{pubkey}/reserves/metrics', call);
  if (!result.ok) throw new Error(result.error.message);
  expect(paths).toEqual([`/hosted/other-market/${ADDRESS}/reserves/metrics`]);
  expect(result.freshness).toMatchObject({ slot: undefined, ageMs: undefined, gaps: [] });
  const [{ borrowApy, totalSupply } = { borrowApy: '', totalSupply: '' }] = result.data;
  expect(addDecimals(borrowApy, totalSupply)).toBe('12.500000042');
  const minContextSlot = 1n;
  expect(
    await client.get('/svc-market/{pubkey}/reserves/metrics', { ...call, minContextSlot }),
  ).toMatchObject({
    error: {
      code: 'SLOT_NOT_INCLUDED',
      message: expect.stringContaining('does not name its slot'),
    },
  });
});

test('pages of a search have their token in the body, and a repeated page ends the list', async () => {
  const tokens: unknown[] = [];
  const { url } = await startScriptedServer(async (request, response) => {
    let text = '';
    for await (const chunk of request) text += String(chunk);
    const { paginationToken } = JSON.parse(text) as { paginationToken?: string };
    tokens.push(paginationToken);
    const next = paginationToken === undefined ? 'a' : 'b';
    answerJson(response, 200, { result: [], paginationToken: next });
  });
  const client = createClient({ baseUrl: url });
  const body = { instruction: 'deposit' };
  expect(await readAllPages(client, 'POST /kvaults/transactions', { body })).toMatchObject({
    error: { kind: 'loop', code: 'REPEATED_PAGE' },
  });
  expect(tokens).toEqual([undefined, 'a', 'b']);
});
