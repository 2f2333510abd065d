import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { networkInterfaces } from 'node:os';
import { text } from 'node:stream/consumers';
import { beforeAll, expect, test } from 'vitest';
import { startApp } from '../../support/http/test-api.ts';
import { startTools } from '../../support/mcp/connect-agent.ts';
import { fileScope } from '../../support/processes/test-scope.ts';

const LIST = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} };

const onEnd = fileScope();
let url: string;

beforeAll(async () => {
  const { app, url: apiUrl } = await startApp();
  onEnd(() => void app.close());
  ({ url } = await startTools(apiUrl, onEnd));
});

/** `fetch` does not send a `Host` of one's choice. */
async function send(
  headers: Record<string, string>,
  { method = 'POST', body = LIST as unknown } = {},
) {
  const accept = 'application/json, text/event-stream';
  const types = { 'content-type': 'application/json', accept };
  const sent = request(url, { method, headers: { ...types, ...headers } });
  sent.end(method === 'POST' ? JSON.stringify(body) : undefined);
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  return { status: response.statusCode, headers: response.headers, body: await text(response) };
}

test('a name that a page resolved to loopback is refused', async () => {
  const { port } = new URL(url);
  for (const host of [
    `attacker.example:${port}`,
    `127.0.0.1.nip.io:${port}`,
    'localhost.evil.example',
  ]) {
    const answer = await send({ host });
    expect(answer.status, host).toBe(403);
    expect(answer.body).not.toContain('discover');
  }
});

test('pages of other origins are refused, also their preflights', async () => {
  for (const origin of ['https://example.com', 'null', 'http://localhost.example.com']) {
    expect((await send({ origin })).status, origin).toBe(403);
    const preflight = await send({ origin }, { method: 'OPTIONS' });
    expect(preflight.status).toBe(403);
    expect(preflight.headers['access-control-allow-origin']).toBeUndefined();
  }
});

test('a local client is answered, and no page may read the answer of another origin', async () => {
  const answer = await send({});
  expect(answer.status, answer.body).toBe(200);
  expect(answer.body).toContain('discover');
  expect(answer.headers['access-control-allow-origin']).toBeUndefined();
  expect(answer.headers['x-content-type-options']).toBe('nosniff');
});

test('the server listens on loopback only', async () => {
  const outside = Object.values(networkInterfaces())
    .flatMap((list) => list ?? [])
    .find(({ family, internal }) => family === 'IPv4' && !internal);
  if (outside === undefined) return;
  const { port } = new URL(url);
  await expect(fetch(`http://${outside.address}:${port}/mcp`)).rejects.toThrow('fetch failed');
});

test('other paths do not exist, and a body that is too long is refused', async () => {
  const { origin } = new URL(url);
  expect((await fetch(`${origin}/`)).status).toBe(404);
  const long = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ ...LIST, params: { padding: 'x'.repeat(300_000) } }),
  });
  expect(long.status).toBe(413);
});
