import type { ServerResponse } from 'node:http';
import { expect, test } from 'vitest';
import { PreparedHead, sendPrepared } from './prepared-head.ts';

const head = new PreparedHead(['etag', '"x"', 'content-length', '2'], 75);
const free = { outcome: 'admitted', policy: undefined, retryAfterSeconds: 0, field: '' } as const;
const policy = { name: 'p', quota: 5, windowSeconds: 60, field: '"p";q=5;w=60' };

test('a head has the status, what is fixed, and what differs', () => {
  const lines = head
    .text('id-1', { ...free, policy, field: '"p";r=4;t=60' }, ['x-slot', '7'])
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
  expect(head.text('id-2', free, [])).not.toContain('ratelimit');
});

test('where Node keeps its head elsewhere, nothing is sent', () => {
  const response = { end: () => expect.unreachable() } as unknown as ServerResponse;
  expect(sendPrepared(response, 'head', Buffer.from('x'))).toBe(false);
});
