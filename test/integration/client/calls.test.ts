import { expect, test } from 'vitest';
import { createClient } from '#client/client.ts';
import { readAllPages, readPages } from '#client/pages.ts';
import { isRepeatable } from '#client/requests/retry-delay.ts';
import { createClusters } from '#server/clusters/served-clusters.ts';
import { createApiKeys, generateApiKey } from '#server/http/auth/api-keys.ts';
import { MemoryRateLimitStore } from '#server/http/limits/memory-limit-store.ts';
import { parseRateLimitPolicy } from '#server/http/limits/rate-limit.ts';
import { goldenCluster } from '../../support/golden/golden.ts';
import { goldenLoan, goldenMarket, goldenVault } from '../../support/golden/golden-addresses.ts';
import { staticCluster } from '../../support/golden/golden-clusters.ts';
import { startApi } from '../../support/http/test-api.ts';

const { slot: SLOT } = goldenCluster().at;
const LOAN = goldenLoan('alice');
const UNKNOWN = 'So11111111111111111111111111111111111111112';

test('an answer has its data, and its slot and age', async () => {
  const { url, get } = await startApi();
  const client = createClient({ baseUrl: url });
  const result = await client.get('/klend/loans/{pubkey}', { path: { pubkey: LOAN } });
  if (!result.ok) throw new Error(result.error.message);
  expect(result.data).toEqual((await get(`/klend/loans/${LOAN}`)).body);
  expect(result.data.loanId).toBe(LOAN);
  expect(result.freshness).toMatchObject({ env: 'localnet', slot: SLOT, commitment: 'confirmed' });
  expect(result.freshness.ageMs).toBeGreaterThanOrEqual(0);
});

test('text is a string, and a list is a repeated parameter', async () => {
  const { url } = await startApi();
  const client = createClient({ baseUrl: url });
  const metrics = await client.get('/metrics');
  expect(metrics.ok && metrics.data).toContain('# HELP');
  const markets = [goldenMarket('Main Market').address, goldenMarket('JLP Market').address];
  const reserves = await client.get('/svc-market/reserves/account-data', { query: { markets } });
  expect(reserves.ok && reserves.data.map(({ market }) => market)).toEqual(markets);
});

test('every error has the code of the server, its message and its mistakes', async () => {
  const { url } = await startApi();
  const client = createClient({ baseUrl: url });
  const notFound = await client.get('/kvaults/vaults/{pubkey}', { path: { pubkey: UNKNOWN } });
  expect(notFound).toMatchObject({
    ok: false,
    error: { kind: 'http', status: 404, code: 'NOT_FOUND', issues: [] },
  });
  const invalid = await client.get('/tokens-api/tokens', { query: { limit: 5000 } });
  expect(invalid).toMatchObject({
    ok: false,
    error: { status: 400, code: 'INVALID_QUERY', issues: [{ path: ['limit'] }] },
  });
  const body = { wallet: UNKNOWN, kvault: UNKNOWN, amount: '1' };
  const build = await client.post('/ktx/kvault/deposit', { body });
  if (build.ok) throw new Error('built');
  expect(build.error).toMatchObject({ status: 400, code: 'KVAULT_NOT_FOUND' });
  expect(build.error.message).toContain(UNKNOWN);
  expect(build.error.kind === 'http' && build.error.requestId).toEqual(expect.any(String));
});

test('a call that cannot be sent is an error without a request', async () => {
  const client = createClient({ baseUrl: 'http://127.0.0.1:1' });
  expect(await client.get('/klend/loans/{pubkey}', { path: { pubkey: '' } })).toEqual({
    ok: false,
    error: {
      kind: 'invalid',
      code: 'INVALID_CALL',
      message: 'The path parameter pubkey is missing.',
    },
  });
  expect(await client.get('/kvaults/vaults', { minContextSlot: -1 })).toMatchObject({
    error: { kind: 'invalid', message: 'minContextSlot -1 is not a slot number.' },
  });
});

test('a key is sent, and an unknown one is an error', async () => {
  const { key, record } = generateApiKey('client', null, 0);
  const { url } = await startApi({ keys: createApiKeys([record]) });
  const client = createClient({ baseUrl: url, apiKey: 'not-a-key' });
  expect(await client.get('/v2/svc-market')).toMatchObject({
    error: { status: 401, code: 'UNKNOWN_API_KEY' },
  });
  expect((await client.with({ apiKey: key }).get('/v2/svc-market')).ok).toBe(true);
});

test('a rate limit is waited for, as long as the server says', async () => {
  const policy = parseRateLimitPolicy('anonymous', '1/3s');
  if (policy === undefined) throw new Error('no policy');
  const store = new MemoryRateLimitStore(Date.now);
  const limits = { store, anonymous: policy, loopback: policy, key: policy };
  const { url } = await startApi({ limits });
  const client = createClient({ baseUrl: url, retries: 0 });
  const read = (retries?: number) => client.get('/v2/svc-market', { retries });
  expect((await read()).ok).toBe(true);
  const limited = await read();
  expect(limited).toMatchObject({ ok: false, error: { status: 429, code: 'RATE_LIMITED' } });
  if (limited.ok || limited.error.kind !== 'http') throw new Error('not limited');
  expect(limited.error.retryAfterMs).toBeGreaterThanOrEqual(1_000);
  expect((await read(5)).ok).toBe(true);
});

test('a slot that has not arrived is waited for, or an error', async () => {
  let calls = 0;
  const waitForSlot = async () => {
    calls += 1;
    return calls > 1;
  };
  const { url } = await startApi({ clusters: createClusters([staticCluster({ waitForSlot })]) });
  const client = createClient({ baseUrl: url, minContextSlot: SLOT });
  expect(await client.get('/kvaults/vaults', { retries: 0 })).toMatchObject({
    error: { kind: 'http', status: 503, code: 'STALE_READ', retryAfterMs: 1_000 },
  });
  calls = 0;
  const result = await client.get('/kvaults/vaults');
  expect(result.ok && result.freshness.slot).toBe(SLOT);
  expect(calls).toBe(2);
  // operations about the server itself do not wait
  expect((await client.get('/status')).ok).toBe(true);
  expect(calls).toBe(2);
});

test('an answer that is older than required is never returned', async () => {
  const { url } = await startApi({
    clusters: createClusters([staticCluster({ waitForSlot: async () => true })]),
  });
  const client = createClient({ baseUrl: url });
  expect(await client.get('/kvaults/vaults', { minContextSlot: SLOT + 1n })).toMatchObject({
    error: {
      kind: 'stale',
      code: 'SLOT_NOT_INCLUDED',
      message: `The answer is of slot ${SLOT}, and slot ${SLOT + 1n} is required.`,
    },
  });
});

test('pages follow each other to the end, and an error is the last one', async () => {
  const { url } = await startApi();
  const client = createClient({ baseUrl: url });
  const all = await client.get('/kvaults/vaults/metrics');
  if (!all.ok) throw new Error(all.error.message);
  const expected = [goldenVault('Steady USDC'), goldenVault('SOL Earn')].map(
    (each) => each.address,
  );
  const found: string[] = [];
  for await (const page of readPages(client, 'GET /kvaults/vaults/metrics', {
    query: { limit: 1 },
  })) {
    if (!page.ok) throw new Error(page.error.message);
    expect(page.data.result).toHaveLength(1);
    found.push(...page.data.result.map(({ kvault }) => kvault));
  }
  expect(found).toEqual(expected);
  const list = await readAllPages(client, 'GET /kvaults/vaults/metrics', { query: { limit: 1 } });
  expect(list.ok && list.data).toEqual(all.data.result);
  const query = { paginationToken: 'x' };
  expect(await readAllPages(client, 'GET /kvaults/vaults/metrics', { query })).toMatchObject({
    ok: false,
    error: { code: 'INVALID_QUERY' },
  });
});

type Paths = { readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>> };

test('every operation without an effect is repeatable', async () => {
  const { get } = await startApi();
  const { paths } = (await get('/openapi.json')).body as Paths;
  const names = Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  );
  expect(names.length).toBeGreaterThan(80);
  const others = names.filter((name) => !isRepeatable(name));
  expect(others.filter((name) => !/^\w+ \/hooks(\/|$)/.test(name))).toEqual([]);
});
