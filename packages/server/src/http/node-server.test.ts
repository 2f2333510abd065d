import { once } from 'node:events';
import type { RequestListener } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { startApi } from '../../../../test/support/http/test-api.ts';
import { createNodeServer, rejectMalformedRequest } from './node-server.ts';

const MIB = 1024 * 1024;
const SHORT = {
  headersTimeout: 60,
  requestTimeout: 120,
  connectionsCheckingInterval: 20,
  idleTimeout: 60_000,
};

/** A server that responds when it has read the body, and a client that writes `parts` with pauses, then waits. */
async function sendSlowly(parts: readonly string[]): Promise<string> {
  const server = createNodeServer((request, response) => {
    request.resume().on('end', () => response.end('read'));
  }, SHORT);
  server.on('clientError', (error, socket) => rejectMalformedRequest(error, socket as Socket));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  let index = 0;
  const timer = setInterval(() => socket.write(parts[index++] ?? 'x'), 10);
  onTestFinished(() => clearInterval(timer));
  let text = '';
  socket.on('data', (chunk) => {
    text += chunk;
  });
  socket.on('error', () => socket.destroy());
  await once(socket, 'close');
  return text;
}

test.each([
  ['a header without end', ['GET / HTTP/1.1\r\n', 'host: x\r\n', 'x-long: ']],
  ['nothing', new Array<string>(1000).fill('')],
  [
    'a body without end',
    ['POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 100000\r\n\r\n', '{', ' '],
  ],
  [
    'chunks without end',
    ['POST / HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\n', 'fffff\r\n'],
  ],
])('a client that sends %s byte by byte gets 408 and a closed connection', async (_, parts) => {
  expect(await sendSlowly(parts)).toMatch(/^HTTP\/1\.1 408 Request Timeout\r\n/);
});

test('a client that does not read its response is disconnected', async () => {
  // far more than the buffers of a connection
  const respond: RequestListener = (_, response) => void response.end(Buffer.alloc(64 * MIB));
  const server = createNodeServer(respond, { ...SHORT, idleTimeout: 100 });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
  onTestFinished(() => {
    client.destroy();
    server.close();
  });
  client.on('error', () => client.destroy());
  client.pause();
  client.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n');
  const [socket] = (await once(server, 'connection')) as [Socket];
  await once(socket, 'close');
  expect(socket.bytesWritten).toBeGreaterThan(0);
});

test('a client of the API has 10 s for the headers, 20 s for the request, and 120 s without a byte', async () => {
  const { server } = (await startApi()).app;
  expect([server.headersTimeout, server.requestTimeout, server.timeout]).toEqual([
    10_000, 20_000, 120_000,
  ]);
});
