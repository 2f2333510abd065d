import { expect, test } from 'vitest';
import { isLocalHost } from './local-host.ts';

test.each([
  'localhost',
  'LOCALHOST:8080',
  'app.localhost:8080',
  'localhost.',
  '127.0.0.1',
  '127.0.0.1:8080',
  '10.1.2.3:8080',
  '203.0.113.7',
  '[::1]:8080',
  '[fe80::1]',
])('%s is an address, or a name that no name server outside of this machine decides', (host) => {
  expect(isLocalHost(host)).toBe(true);
});

test.each([
  '',
  'example.org',
  'example.org:8080',
  'localhost.example.org',
  'notlocalhost',
  '127.0.0.1.example.org',
  '127.0.0.1@example.org',
  'example.org#localhost',
  'example.org/localhost',
  '0x7f000001.example.org',
  '[::1].example.org',
  ':8080',
  'localhost:',
  'localhost:port',
])('%j can be a name that a web page made resolve to this machine', (host) => {
  expect(isLocalHost(host)).toBe(false);
});
