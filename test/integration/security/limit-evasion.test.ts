import { expect, test } from 'vitest';
import { createApiKeys } from '#server/http/auth/api-keys.ts';
import type { RateLimits } from '#server/http/auth/authenticator.ts';
import { MemoryRateLimitStore } from '#server/http/limits/memory-limit-store.ts';
import { parseRateLimitPolicy } from '#server/http/limits/rate-limit.ts';
import { sendBytes, statusesIn } from '../../support/attacks/raw-socket.ts';
import { goldenVault } from '../../support/golden/golden-addresses.ts';
import { startApi, trustProxies } from '../../support/http/test-api.ts';

function limitsOf(quota: number): RateLimits {
  const policy = parseRateLimitPolicy('anonymous', `${quota}/1h`);
  if (policy === undefined) throw new Error('not a limit');
  const store = new MemoryRateLimitStore(Date.now);
  return { store, anonymous: policy, loopback: policy, key: policy };
}

const format = (line: string, headers = '', connection = 'keep-alive'): string =>
  `${line} HTTP/1.1\r\nhost: x\r\n${headers}connection: ${connection}\r\n\r\n`;

/** Sends all requests over one connection without waiting. */
async function pipeline(url: string, requests: readonly string[]): Promise<number[]> {
  const last = requests.at(-1)?.replace('keep-alive', 'close') ?? '';
  return statusesIn(await sendBytes(url, [...requests.slice(0, -1), last].join('')));
}

const vault = goldenVault('Steady USDC').address;
const TOKENS = '/tokens-api/tokens?limit=1';

test.each([
  ['the same request', ['GET', TOKENS]],
  ['HEAD', ['HEAD', TOKENS]],
  ['an encoded path', ['GET', '/%74okens-api/%74okens?limit=1']],
  ['an encoded query', ['GET', '/tokens-api/tokens?%6cimit=1']],
  ['a trailing slash', ['GET', '/tokens-api/tokens/?limit=1']],
  ['an unused parameter', ['GET', '/tokens-api/tokens?limit=1&x=1']],
  ['an empty query', ['GET', '/tokens-api/tokens?']],
  ['a fragment', ['GET', '/tokens-api/tokens?limit=1#x']],
  ['an absolute URL', ['GET', 'http://x/tokens-api/tokens?limit=1']],
  ['another case, which is another path', ['GET', '/TOKENS-API/tokens?limit=1']],
  ['two slashes, which is another path', ['GET', '//tokens-api/tokens?limit=1']],
  ['another method', ['PUT', '/tokens-api/tokens?limit=1']],
  ['a malformed escape', ['GET', '/tokens-api/%zz']],
  ['an old path', ['GET', `/kvaults/${vault}`]],
] as const)('%s is charged, alone and pipelined after a cached one', async (_, [method, path]) => {
  const { url } = await startApi({ limits: limitsOf(3) });
  const requests = [
    format(`GET ${TOKENS}`),
    format(`${method} ${path}`),
    format(`${method} ${path}`),
  ];
  const [first, ...rest] = await pipeline(url, [...requests, format(`GET ${TOKENS}`)]);
  expect(first).toBe(200);
  expect(rest.at(-1)).toBe(429);
  expect(rest.slice(0, 2)).not.toContain(429);
});

test('headers of a client do not give it another quota', async () => {
  const { url } = await startApi({ limits: limitsOf(1) });
  const names = ['x-forwarded-for', 'x-real-ip', 'forwarded', 'true-client-ip', 'cf-connecting-ip'];
  const more = ['x-client-ip', 'x-cluster-client-ip', 'x-remote-addr', 'client-ip', 'via'];
  const requests = [...names, ...more].map((name, index) =>
    format(`GET ${TOKENS}`, `${name}: ${name === 'forwarded' ? 'for=' : ''}203.0.113.${index}\r\n`),
  );
  const [first, ...rest] = await pipeline(url, [format(`GET ${TOKENS}`), ...requests]);
  expect(first).toBe(200);
  expect(new Set(rest)).toEqual(new Set([429]));
});

test('a client behind a trusted proxy cannot choose its address, nor another one of its /64', async () => {
  const trustedProxies = trustProxies('127.0.0.1');
  const { get } = await startApi({ limits: limitsOf(1), trustedProxies });
  const status = async (chain: string) => (await get(TOKENS, { 'x-forwarded-for': chain })).status;
  expect(await status('2001:db8:1:2::1')).toBe(200);
  const others = [
    '2001:db8:1:2:ffff:ffff:ffff:ffff',
    '2001:0db8:0001:0002::abcd',
    '2001:DB8:1:2::7',
    '[2001:db8:1:2::8]:4711',
    '2001:db8:1:2::1%eth0',
    '198.51.100.1, 2001:db8:1:2::9',
    '127.0.0.1, 2001:db8:1:2:0:0:192.0.2.1',
  ];
  for (const chain of others) expect(await status(chain), chain).toBe(429);
  expect(await status('2001:db8:1:3::1')).toBe(200);
  expect(await status('203.0.113.5')).toBe(200);
  for (const same of ['::ffff:203.0.113.5', '::FFFF:203.0.113.5', '203.0.113.5:80']) {
    expect(await status(same), same).toBe(429);
  }
});

test('guessing a key is charged to the address, however the key is sent', async () => {
  const { get } = await startApi({ limits: limitsOf(3), keys: createApiKeys([]) });
  const guess = (index: number) => `tg_${String(index).padStart(12, '0')}_${'A'.repeat(43)}`;
  const status = async (headers: Record<string, string>) => (await get('/health', headers)).status;
  expect(await status({ 'x-api-key': guess(1) })).toBe(401);
  expect(await status({ authorization: `Bearer ${guess(2)}` })).toBe(401);
  expect(await status({ 'x-api-key': '' })).toBe(401);
  expect(await status({ authorization: `bearer ${guess(3)}` })).toBe(429);
  expect(await status({ 'x-api-key': guess(4) })).toBe(429);
  expect(await status({})).toBe(200);
});
