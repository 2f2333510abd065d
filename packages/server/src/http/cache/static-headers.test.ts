import { Agent, createServer, get, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { createStaticBody, StaticHeaders, sendStaticResponse } from './static-headers.ts';

const head = new StaticHeaders(['etag', '"x"', 'content-length', '2'], 75);
const free = { outcome: 'admitted', policy: undefined, retryAfterSeconds: 0, field: '' } as const;
const policy = { name: 'p', quota: 5, windowSeconds: 60, field: '"p";q=5;w=60' };

test('a head has the status, the static headers and the headers of the request', () => {
  const lines = head
    .text('id-1', { ...free, policy, field: '"p";r=4;t=60' }, 'x-slot: 7\r\n')
    .split('\r\n');
  expect(lines.slice(0, -3)).toEqual([
    'HTTP/1.1 200 OK',
    'access-control-allow-origin: *',
    'access-control-expose-headers: *',
    'x-content-type-options: nosniff',
    'etag: "x"',
    'content-length: 2',
    'Connection: keep-alive',
    'Keep-Alive: timeout=75',
    'x-request-id: id-1',
    'ratelimit-policy: "p";q=5;w=60',
    'ratelimit: "p";r=4;t=60',
    'x-slot: 7',
  ]);
  expect(lines.at(-3)).toMatch(/^Date: \w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT$/);
  expect(lines.slice(-2)).toEqual(['', '']);
  expect(head.text('id-2', free, '')).not.toContain('ratelimit');
});

test('nothing is sent if Node has no _header field', () => {
  const response = { end: () => expect.unreachable() } as unknown as ServerResponse;
  expect(sendStaticResponse(response, 'head', createStaticBody(Buffer.from('x')))).toBe(false);
});

test.each([
  ['empty', Buffer.alloc(0)],
  ['short', Buffer.from('{"name":"Größe ✓"}')],
  ['all byte values', Buffer.from(Array.from({ length: 256 }, (_, byte) => byte))],
  ['at the inline limit', Buffer.alloc(8_192, 'ü')],
  ['above the inline limit', Buffer.alloc(8_193, 'ü')],
])('a body (%s) arrives unchanged, twice over one connection', async (_name, body) => {
  const headers = new StaticHeaders(['content-length', String(body.length)], 75);
  const sockets = new Set<unknown>();
  const server = createServer((request, response) => {
    sockets.add(request.socket);
    expect(sendStaticResponse(response, headers.text('id', free, ''), createStaticBody(body))).toBe(
      true,
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  try {
    for (const _ of ['first', 'again']) {
      const message = await new Promise<IncomingMessage>((resolve) =>
        get({ host: '127.0.0.1', port, agent }, resolve),
      );
      expect([message.statusCode, message.headers['x-request-id']]).toEqual([200, 'id']);
      expect(await buffer(message)).toEqual(body);
    }
    expect(sockets.size).toBe(1);
  } finally {
    agent.destroy();
    server.close();
    server.closeAllConnections();
  }
});
