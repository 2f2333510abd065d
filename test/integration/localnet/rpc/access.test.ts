import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { startGoldenLocalnet } from '../../../support/localnet/golden-localnet.ts';
import { numberedAddress } from '../../../support/protocol/codecs.ts';

const WALLET = numberedAddress(77);
const AIRDROP = { jsonrpc: '2.0', id: 1, method: 'requestAirdrop', params: [WALLET, 1_000_000] };

type Sent = { readonly method?: string; readonly headers?: Record<string, string> };

/** `fetch` does not send a `Host` of one's choice. */
async function send(url: string, body: unknown, { method = 'POST', headers = {} }: Sent = {}) {
  const sent = request(url, {
    method,
    headers: { 'content-type': 'application/json', ...headers },
  });
  sent.end(method === 'POST' ? JSON.stringify(body) : undefined);
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  return { status: response.statusCode, headers: response.headers, body: await text(response) };
}

test('a page of another origin neither reads nor gets tokens', async () => {
  const { rpcUrl, localnet } = await startGoldenLocalnet();
  for (const origin of ['https://example.com', 'null', 'http://localhost.example.com']) {
    const answer = await send(rpcUrl, AIRDROP, { headers: { origin } });
    expect(answer.status, origin).toBe(403);
    expect(answer.body).toContain('LOCALNET_RPC_ORIGINS');
    expect(answer.headers['access-control-allow-origin']).toBeUndefined();
    const preflight = await send(rpcUrl, undefined, { method: 'OPTIONS', headers: { origin } });
    expect(preflight.status).toBe(403);
    const health = await send(`${rpcUrl}/health`, undefined, {
      method: 'GET',
      headers: { origin },
    });
    expect(health.status).toBe(403);
  }
  expect(localnet.bank.pendingAddresses()).toEqual([]);
});

test('a page on localhost reads and gets tokens, and a client without an origin too', async () => {
  const { rpcUrl } = await startGoldenLocalnet();
  for (const origin of ['http://localhost:3000', 'chrome-extension://abc']) {
    const preflight = await send(rpcUrl, undefined, { method: 'OPTIONS', headers: { origin } });
    expect(preflight.status).toBe(200);
    const answer = await send(rpcUrl, AIRDROP, { headers: { origin } });
    expect(answer.status).toBe(200);
    expect(JSON.parse(answer.body)).toMatchObject({ result: expect.any(String) });
    for (const { headers } of [preflight, answer]) {
      expect(headers).toMatchObject({ 'access-control-allow-origin': origin, vary: 'origin' });
    }
  }
  const answer = await send(rpcUrl, AIRDROP);
  expect(answer.status).toBe(200);
  expect(answer.headers['access-control-allow-origin']).toBeUndefined();
});

test('a name that resolves to loopback is not enough', async () => {
  const { rpcUrl } = await startGoldenLocalnet();
  const { port } = new URL(rpcUrl);
  const hosts = [`attacker.example:${port}`, `127.0.0.1.nip.io:${port}`, '10.0.0.1'];
  for (const host of hosts) {
    const answer = await send(rpcUrl, AIRDROP, { headers: { host } });
    expect(answer.status, host).toBe(403);
    expect(answer.body).toContain('LOCALNET_RPC_HOSTS');
  }
  for (const host of [`localhost:${port}`, `[::1]:${port}`]) {
    expect((await send(rpcUrl, AIRDROP, { headers: { host } })).status, host).toBe(200);
  }
});

/** `open`, or the message of the error. */
async function connect(url: string, headers: Record<string, string>): Promise<string> {
  const socket = new WebSocket(url, { headers });
  const outcome = new Promise<string>((resolve) => {
    socket.once('open', () => resolve('open'));
    socket.once('error', ({ message }) => resolve(message));
  });
  const result = await outcome;
  socket.terminate();
  return result;
}

test('a WebSocket is refused to other origins and names', async () => {
  const { wsUrl } = await startGoldenLocalnet();
  const refused = 'Unexpected server response: 403';
  expect(await connect(wsUrl, { origin: 'https://example.com' })).toBe(refused);
  expect(await connect(wsUrl, { host: 'attacker.example' })).toBe(refused);
  expect(await connect(wsUrl, { origin: 'http://localhost:3000' })).toBe('open');
  expect(await connect(wsUrl, {})).toBe('open');
});
