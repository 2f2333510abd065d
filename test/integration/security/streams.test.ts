import { once } from 'node:events';
import { request as sendRequest } from 'node:http';
import { connect } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { goldenMarket, goldenUser } from '../../support/golden/golden-addresses.ts';
import { StreamClient, sendStreamRequest } from '../../support/http/stream-client.ts';
import { startStreamedValue } from '../../support/http/streamed-value.ts';
import { type RunningApi, startApp, trustProxies } from '../../support/http/test-api.ts';

const PATIENTLY = { interval: 5 };
const STATE = `/v2/svc-market/${goldenMarket('Main Market').address}`;
const WALLET = goldenUser('treasury').address;

let api: RunningApi;

beforeAll(async () => {
  api = await startApp({ trustedProxies: trustProxies('127.0.0.1') });
});
afterAll(() => api.app.close());

test('any origin may read a stream, and a page may send last-event-id', async () => {
  const client = await StreamClient.open(`${api.url}${STATE}`, {
    origin: 'https://other.example',
    host: 'rebound.example',
  });
  // as every read: responses do not depend on who the browser's user is
  expect(client.headers).toMatchObject({
    'access-control-allow-origin': '*',
    'x-content-type-options': 'nosniff',
  });
  expect(client.headers).not.toHaveProperty('set-cookie');
  expect(client.headers).not.toHaveProperty('access-control-allow-credentials');
  expect(JSON.stringify([client.headers, client.events])).not.toContain('rebound.example');
  client.close();
  for (const path of [STATE, '/stream/transactions']) {
    const response = await fetch(`${api.url}${path}`, { method: 'OPTIONS' });
    expect(response.status).toBe(204);
    expect(response.headers.get('access-control-allow-headers')).toContain('last-event-id');
  }
});

test('an ambiguous host is rejected before a stream begins', async () => {
  const text = await new Promise<string>((resolve, reject) => {
    const { hostname, port } = new URL(api.url);
    const request = sendRequest(
      { hostname, port, path: STATE, setHost: false, headers: { accept: 'text/event-stream' } },
      (response) => {
        resolve(String(response.statusCode));
        response.destroy();
      },
    );
    request.on('error', reject).end();
  });
  expect(text).toBe('400');
});

test('an unknown key opens no stream', async () => {
  for (const path of [STATE, `/stream/transactions?wallet=${WALLET}`]) {
    const { response } = await sendStreamRequest(`${api.url}${path}`, { 'x-api-key': 'wrong' });
    expect(response.statusCode, path).toBe(401);
    response.destroy();
  }
});

test('forwarding headers of others evade no limit', async () => {
  const limited = await startStreamedValue({ streamSettings: { maxPerClient: 2 } });
  const clients: StreamClient[] = [];
  for (const address of ['192.0.2.1', '192.0.2.2']) {
    const headers = { 'x-forwarded-for': address };
    clients.push(await StreamClient.open(limited.streamUrl, headers));
  }
  const { response } = await sendStreamRequest(limited.streamUrl, { forwarded: 'for=192.0.2.3' });
  expect(response.statusCode).toBe(429);
  response.destroy();
  for (const client of clients) client.close();
  await limited.app.close();
});

test('ids and cursors with line breaks or control characters inject nothing', async () => {
  const client = await StreamClient.open(`${api.url}${STATE}`, { 'last-event-id': '1e9 data: x' });
  await expect.poll(() => client.data('update').length, PATIENTLY).toBe(1);
  client.close();
  for (const cursor of ['1%0Adata:%20x', '1%0D%0A', '%00', '-1', '9'.repeat(30)]) {
    const path = `/stream/transactions?wallet=${WALLET}&cursor=${cursor}`;
    const { response } = await sendStreamRequest(`${api.url}${path}`);
    expect(response.statusCode, cursor).toBe(400);
    response.destroy();
  }
});

test('clients that connect and leave at once leave nothing behind', async () => {
  const metric = async () => {
    const text = await (await fetch(`${api.url}/metrics`)).text();
    return /tidegate_open_streams\{kind="state"\} (\d+)/.exec(text)?.[1];
  };
  const { port } = new URL(api.url);
  const sockets = Array.from({ length: 40 }, () => connect(Number(port), '127.0.0.1'));
  await Promise.all(sockets.map((socket) => once(socket, 'connect')));
  for (const socket of sockets) {
    socket.write(`GET ${STATE} HTTP/1.1\r\nhost: x\r\naccept: text/event-stream\r\n\r\n`);
    socket.destroy();
  }
  const client = await StreamClient.open(`${api.url}${STATE}`);
  await expect.poll(metric, PATIENTLY).toBe('1');
  client.close();
  await expect.poll(metric, PATIENTLY).toBe('0');
});
