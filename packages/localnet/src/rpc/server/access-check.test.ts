import { describe, expect, test } from 'vitest';
import { createAccessCheck, LOOPBACK_ONLY } from './access-check.ts';

const HERE = '127.0.0.1:8899';
const check = createAccessCheck(LOOPBACK_ONLY);
const isAllowed = (host: string | undefined, origin?: string): boolean =>
  check({ ...(host !== undefined && { host }), ...(origin !== undefined && { origin }) }) ===
  undefined;

describe('host', () => {
  test.each([
    HERE,
    '127.0.0.1',
    '127.9.9.9:1',
    'localhost:8899',
    'LOCALHOST',
    'localhost.',
    'app.localhost',
    '[::1]:8899',
  ])('%s is loopback', (host) => expect(isAllowed(host)).toBe(true));

  test.each([
    undefined,
    '',
    'attacker.example:8899',
    'localhost.attacker.example',
    '127.0.0.1.attacker.example',
    'notlocalhost',
    '10.0.0.1',
    '0.0.0.0:8899',
    '[::2]',
    'user@localhost',
    'localhost/path',
    'localhost:8899 x',
    '[::1',
  ])('%s is rejected', (host) => expect(isAllowed(host)).toBe(false));
});

describe('origin', () => {
  test.each([
    'http://localhost:3000',
    'https://localhost',
    'http://127.0.0.1:8080',
    'http://[::1]:5173',
    'http://wallet.localhost:3000',
    'chrome-extension://bfnaelmomeimhlpmgjnjophhpkkoljpa',
  ])('%s may call', (origin) => expect(isAllowed(HERE, origin)).toBe(true));

  test.each([
    'null',
    '',
    'https://example.com',
    'http://localhost.example.com',
    'http://127.0.0.1.nip.io',
    'http://10.0.0.5:8080',
    'file://',
    'ftp://localhost',
    'not an origin',
  ])('%s may not', (origin) => expect(isAllowed(HERE, origin)).toBe(false));
});

test('configured hosts and origins are allowed as written', () => {
  const configured = createAccessCheck({
    hosts: ['Cluster.internal'],
    origins: ['https://wallet.example'],
  });
  const ask = (host: string, origin: string) => configured({ host, origin }) === undefined;
  expect(ask('cluster.internal:80', 'https://wallet.example')).toBe(true);
  expect(ask('sub.cluster.internal', 'https://wallet.example')).toBe(false);
  expect(ask('cluster.internal', 'http://wallet.example')).toBe(false);
  expect(ask('cluster.internal', 'https://wallet.example:444')).toBe(false);
});
