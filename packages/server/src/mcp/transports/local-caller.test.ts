import { expect, test } from 'vitest';
import { refuseForeignCaller } from './local-caller.ts';

const host = '127.0.0.1:8090';

test.each(['127.0.0.1:8090', 'localhost:8090', '[::1]:8090', 'LOCALHOST'])(
  'the name %s of this machine is accepted',
  (name) => {
    expect(refuseForeignCaller({ host: name })).toBeUndefined();
  },
);

test.each([
  undefined,
  '',
  'attacker.example:8090',
  '127.0.0.1.nip.io',
  'localhost.attacker.example',
])('the name %s is refused', (name) => {
  expect(refuseForeignCaller({ ...(name !== undefined && { host: name }) })).toContain('Host');
});

test.each([
  'http://localhost:3000',
  'http://127.0.0.1',
  'https://app.localhost:8443',
  'http://[::1]:1',
])('pages of %s may call', (origin) => {
  expect(refuseForeignCaller({ host, origin })).toBeUndefined();
});

test.each([
  'null',
  'https://example.com',
  'http://localhost.example.com',
  'http://127.0.0.1.example.com',
  'http://localhost:3000.example.com',
  'http://localhost@example.com',
  'file://',
])('pages of %s are refused', (origin) => {
  expect(refuseForeignCaller({ host, origin })).toContain('origin');
});
