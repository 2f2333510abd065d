import { expect, test } from 'vitest';
import { toSlot, toUnixSeconds } from '#core/base/time.ts';
import { createClusters } from '#server/clusters/served-clusters.ts';
import { createApiKeys, generateApiKey } from '#server/http/auth/api-keys.ts';
import type { RateLimits } from '#server/http/auth/authenticator.ts';
import { MemoryRateLimitStore } from '#server/http/limits/memory-limit-store.ts';
import {
  parseRateLimitPolicy,
  type RateLimitPolicy,
  type RateLimitStore,
} from '#server/http/limits/rate-limit.ts';
import { staticCluster } from '../../support/golden/golden-clusters.ts';
import { goldenReader } from '../../support/golden/golden-reader.ts';
import { type RunningApi, startApi, trustProxies } from '../../support/http/test-api.ts';

const PATH = '/tokens-api/tokens?limit=1';

function limit(name: string, text: string): RateLimitPolicy {
  const policy = parseRateLimitPolicy(name, text);
  if (policy === undefined) throw new Error(`invalid limit: ${text}`);
  return policy;
}

function limits(anonymous: number, fields: Partial<RateLimits> = {}): RateLimits {
  const policy = limit('anonymous', `${anonymous}/1h`);
  const key = limit('key', '1000/1h');
  return {
    store: new MemoryRateLimitStore(Date.now),
    anonymous: policy,
    loopback: policy,
    key,
    ...fields,
  };
}

/** Sends requests from parallel clients and counts the statuses. */
async function sendParallel(
  { get }: RunningApi,
  clients: number,
  requests: number,
): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  const client = async () => {
    for (let count = 0; count < requests; count += 1) {
      const { status } = await get(PATH);
      counts[status] = (counts[status] ?? 0) + 1;
    }
  };
  await Promise.all(Array.from({ length: clients }, client));
  return counts;
}

test('64 parallel clients get exactly the quota', async () => {
  const api = await startApi({ limits: limits(500) });
  expect(await sendParallel(api, 64, 12)).toEqual({ 200: 500, 429: 268 });
});

test('64 parallel clients get exactly the quota from an asynchronous store', async () => {
  const memory = new MemoryRateLimitStore(Date.now);
  const store: RateLimitStore = {
    take: async (...call) => {
      await new Promise((resolve) => setImmediate(resolve));
      return memory.take(...call);
    },
  };
  const api = await startApi({ limits: limits(500, { store }) });
  expect(await sendParallel(api, 64, 12)).toEqual({ 200: 500, 429: 268 });
});

test('a request that waits for the rate limit store gets data of the slot in its headers', async () => {
  const readerAt = (slot: bigint, slotMs: bigint) =>
    goldenReader({
      at: { slot: toSlot(slot), unix: toUnixSeconds(1_700_000_000n) },
      slotMs: { numerator: slotMs, denominator: 1n },
      version: () => Number(slot),
    });
  let reader = readerAt(7n, 400n);
  const cluster = {
    ...staticCluster({ reader }),
    get reader() {
      return reader;
    },
  };
  const memory = new MemoryRateLimitStore(Date.now);
  let takes = 0;
  let open: () => void = () => undefined;
  let gate: Promise<void> = Promise.resolve();
  const store: RateLimitStore = {
    take: async (...call) => {
      takes++;
      await gate;
      return memory.take(...call);
    },
  };
  const clusters = createClusters([cluster]);
  const { get } = await startApi({ clusters, limits: limits(500, { store }) });
  for (let i = 0; i < 2; i++) {
    expect((await get('/slots/duration')).body).toEqual({ recentSlotDurationInMs: 400 });
  }
  gate = new Promise((resolve) => {
    open = resolve;
  });
  const pending = get('/slots/duration');
  await expect.poll(() => takes).toBe(3);
  reader = readerAt(8n, 500n);
  open();
  const { headers, body } = await pending;
  expect([headers.get('x-slot'), body]).toEqual(['8', { recentSlotDurationInMs: 500 }]);
});

test('every response has the policy, the remaining units and the reset time', async () => {
  const { get } = await startApi({ limits: limits(3) });
  for (const remaining of [2, 1, 0]) {
    const { status, headers } = await get(PATH);
    expect(status).toBe(200);
    expect(headers.get('ratelimit-policy')).toBe('"anonymous";q=3;w=3600');
    expect(headers.get('ratelimit')).toMatch(new RegExp(`^"anonymous";r=${remaining};t=\\d+$`));
  }
  const rejected = await get(PATH);
  const seconds = rejected.headers.get('retry-after');
  expect(rejected.status).toBe(429);
  expect(Number(seconds)).toBeGreaterThan(3500);
  expect(rejected.headers.get('ratelimit')).toBe(`"anonymous";r=0;t=${seconds}`);
  expect(rejected.body).toEqual({
    error: `The rate limit is exceeded ("anonymous";q=3;w=3600). Retry in ${seconds} s.`,
  });
  expect((await get('/ktx/x')).body).toMatchObject({ statusCode: 429, error: 'Too Many Requests' });
});

test('unknown paths are charged; health, readiness and metrics are not', async () => {
  const { get, url } = await startApi({ limits: limits(2) });
  expect((await get('/nope')).status).toBe(404);
  expect((await get('/%zz')).status).toBe(400);
  expect((await get('/nope')).status).toBe(429);
  expect((await get('/%zz')).status).toBe(429);
  for (const path of ['/health', '/ready', '/metrics']) {
    expect((await fetch(`${url}${path}`)).status).toBe(200);
  }
});

test('a wrong key is charged everywhere, so that keys cannot be guessed for free', async () => {
  const { key } = generateApiKey('app', null, Date.now());
  for (const path of ['/health', '/ready', '/metrics', '/docs/', '/openapi.json']) {
    const { url } = await startApi({ limits: limits(2) });
    const statuses: number[] = [];
    for (const method of ['GET', 'HEAD', 'OPTIONS']) {
      const response = await fetch(`${url}${path}`, { method, headers: { 'x-api-key': key } });
      statuses.push(response.status);
    }
    expect([path, ...statuses]).toEqual([path, 401, 401, 429]);
  }
});

test('metrics count rejected requests', async () => {
  const { get, url } = await startApi({ limits: limits(1) });
  for (let count = 0; count < 4; count += 1) await get(PATH);
  const text = await (await fetch(`${url}/metrics`)).text();
  expect(text).toContain('tidegate_rate_limit_refusals_total{policy="anonymous"} 3');
});

test('a key has its own quota and limit; a revoked key is rejected', async () => {
  const plain = generateApiKey('plain', null, 0);
  const small = generateApiKey('small', '2/1h', 0);
  const revoked = generateApiKey('revoked', null, 0);
  const records = [plain.record, small.record, { ...revoked.record, revokedAt: 'x' }];
  const { get } = await startApi({ limits: limits(2), keys: createApiKeys(records) });
  const statuses = async (headers: Record<string, string> | undefined, times: number) => {
    const list: number[] = [];
    for (let count = 0; count < times; count += 1) list.push((await get(PATH, headers)).status);
    return list;
  };
  expect(await statuses({ 'x-api-key': small.key }, 3)).toEqual([200, 200, 429]);
  expect(await statuses({ authorization: `Bearer ${plain.key}` }, 5)).toEqual(
    new Array(5).fill(200),
  );
  expect(await statuses(undefined, 1)).toEqual([200]);
  expect(await statuses({ 'x-api-key': revoked.key }, 2)).toEqual([401, 429]);
});

test('clients behind a trusted proxy have separate quotas, IPv6 clients per /64', async () => {
  const { get } = await startApi({ limits: limits(1), trustedProxies: trustProxies('127.0.0.1') });
  const from = async (address: string) => (await get(PATH, { 'x-forwarded-for': address })).status;
  expect([await from('203.0.113.1'), await from('203.0.113.1'), await from('203.0.113.2')]).toEqual(
    [200, 429, 200],
  );
  expect([
    await from('2001:db8::1'),
    await from('2001:db8::2'),
    await from('2001:db8:0:1::1'),
  ]).toEqual([200, 429, 200]);
});

test('x-forwarded-for from an untrusted address does not change the quota', async () => {
  const { get } = await startApi({ limits: limits(1) });
  await get(PATH);
  expect((await get(PATH, { 'x-forwarded-for': '203.0.113.1' })).status).toBe(429);
});

test('the status lists the active limits', async () => {
  const { get } = await startApi({ limits: limits(7) });
  expect((await get('/status')).body).toMatchObject({
    limits: [
      { policy: 'anonymous', quota: 7, windowSeconds: 3600 },
      { policy: 'key', quota: 1000, windowSeconds: 3600 },
    ],
  });
});

test('without limits there are no rate limit headers', async () => {
  const { get } = await startApi();
  const { headers } = await get(PATH);
  expect(headers.has('ratelimit')).toBe(false);
  expect((await get('/status')).body).toMatchObject({ limits: [] });
});

test('a local proxy that is not trusted is reported once, in the log and in the status', async () => {
  const { get, logLines } = await startApi({ limits: limits(50) });
  const warnings = async () => ((await get('/status')).body as { warnings: string[] }).warnings;
  expect(await warnings()).toEqual([]);
  for (let i = 0; i < 2; i++) await get(PATH, { 'x-forwarded-for': '203.0.113.9' });
  expect(await warnings()).toEqual([expect.stringMatching(/Set TRUSTED_PROXIES to the address/)]);
  expect(logLines.filter(({ level }) => level === 'warn')).toHaveLength(1);
});

test('a trusted local proxy is not reported', async () => {
  const { get } = await startApi({
    limits: limits(50),
    trustedProxies: trustProxies('127.0.0.1'),
  });
  await get(PATH, { 'x-forwarded-for': '203.0.113.9' });
  expect((await get('/status')).body).toMatchObject({ warnings: [] });
});

test.each(['x-forwarded-for', 'forwarded', 'x-real-ip', 'via'])(
  'a request with %s that comes from this machine has the anonymous limit',
  async (header) => {
    const loopback = limit('loopback', '1000/1h');
    const { get } = await startApi({ limits: limits(2, { loopback }) });
    const policyOf = async (headers: Record<string, string>) =>
      (await get(PATH, headers)).headers.get('ratelimit-policy');
    expect(await policyOf({})).toMatch(/^"loopback"/);
    expect(await policyOf({ [header]: '203.0.113.9' })).toMatch(/^"anonymous"/);
    // also on the connection whose caller is known
    expect(await policyOf({})).toMatch(/^"loopback"/);
  },
);

test('preflights are not charged, other requests with OPTIONS neither', async () => {
  const { url } = await startApi({ limits: limits(1) });
  const preflight = { origin: 'https://example.org', 'access-control-request-method': 'GET' };
  for (const headers of [preflight, preflight, {}]) {
    const response = await fetch(`${url}${PATH}`, { method: 'OPTIONS', headers });
    expect([response.status, response.headers.get('ratelimit')]).toEqual([204, null]);
  }
  expect((await fetch(`${url}${PATH}`)).status).toBe(200);
  expect((await fetch(`${url}${PATH}`)).status).toBe(429);
});
