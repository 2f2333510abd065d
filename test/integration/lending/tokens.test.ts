import { expect, test } from 'vitest';
import type { Address } from '#core/base/encoding/address.ts';
import type { Token } from '#core/protocol/spl/known-tokens.ts';
import type { TokenCatalogueSource } from '#server/registry/token-catalogue.ts';
import { createStaticTokens } from '#server/registry/token-feed.ts';
import { goldenApi, startApi } from '../../support/http/test-api.ts';

type Json = Record<string, unknown>;

const USDC = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v';

function token(fields: Partial<Omit<Token, 'mint'>> & { mint: string }): Token {
  return {
    symbol: 'AAA',
    name: 'A token',
    decimals: 6,
    logoUrl: null,
    verified: true,
    tradingVolume24H: null,
    marketCapUsd: null,
    priority: 1,
    ...fields,
    mint: fields.mint as Address,
  };
}

test('without filters 20 tokens are returned, SOL first if no volume is known', async () => {
  const { get } = await goldenApi();
  const { status, headers, body } = await get('/tokens-api/tokens');
  const list = body as Json[];
  expect(status).toBe(200);
  expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
  expect(list).toHaveLength(20);
  expect(list[0]).toEqual({
    mint: 'So11111111111111111111111111111111111111112',
    symbol: 'SOL',
    name: 'Wrapped SOL',
    decimals: 9,
    logoUrl:
      'https://raw.githubusercontent.com/solana-labs/token-list/main/assets/mainnet/So11111111111111111111111111111111111111112/logo.png',
    verified: true,
    tradingVolume24H: null,
    marketCapUsd: null,
    priority: 1,
  });
});

test('the built-in list has no figures, and all fields of the contract', async () => {
  const { get } = await goldenApi();
  const list = (await get('/tokens-api/tokens?limit=1000')).body as Json[];
  expect(list.length).toBeGreaterThanOrEqual(40);
  const unverified = list.filter((item) => item['verified'] === false);
  expect(unverified.length).toBeGreaterThan(1);
  const symbols = unverified.map((item) => String(item['symbol']).toLowerCase());
  expect(new Set(symbols).size).toBeLessThan(symbols.length);
  expect(new Set(list.map((item) => item['mint'])).size).toBe(list.length);
  for (const item of list) {
    expect([item['tradingVolume24H'], item['marketCapUsd']]).toEqual([null, null]);
    expect(Object.keys(item).sort()).toEqual([
      'decimals',
      'logoUrl',
      'marketCapUsd',
      'mint',
      'name',
      'priority',
      'symbol',
      'tradingVolume24H',
      'verified',
    ]);
  }
});

test('tokens are sorted by volume, priority and mint; unknown volumes are last', async () => {
  const tokens = createStaticTokens([
    token({ mint: '22222222222222222222222222222222222222222222', priority: 5 }),
    token({ mint: '11111111111111111111111111111113', priority: 5 }),
    token({ mint: '11111111111111111111111111111112', priority: 9, tradingVolume24H: 0 }),
    token({ mint: '11111111111111111111111111111114', priority: 2 }),
    token({ mint: '11111111111111111111111111111115', priority: 8, tradingVolume24H: 0 }),
    token({ mint: '11111111111111111111111111111116', tradingVolume24H: 0.5 }),
  ]);
  const { get } = await startApi({ tokens });
  const list = (await get('/tokens-api/tokens')).body as Json[];
  expect(list.map((item) => String(item['mint']).slice(-1))).toEqual([
    '6',
    '5',
    '2',
    '4',
    '3',
    '2',
  ]);
});

test('filters are combined with AND', async () => {
  const { get } = await goldenApi();
  const mints = async (query: string) =>
    ((await get(`/tokens-api/tokens?${query}`)).body as Json[]).map((item) => item['mint']);
  const monke = [
    'DJKX1cX2SPPaTdYBeuriUeQUUEpi2UGBGGPQthNMrgaa',
    'HCXXtXPasqcF4BVsrPQPfHMQPUofoCbDbjsTUANFSHDR',
  ];
  expect(await mints(`mint=${USDC}`)).toEqual([USDC]);
  expect(await mints('symbol=usdc')).toEqual([USDC]);
  expect(await mints('symbol=MoNkE')).toEqual(monke);
  expect(await mints('symbol=MONKE&limit=1')).toEqual(monke.slice(0, 1));
  expect(await mints('symbol=MONKE&verified=true')).toEqual([]);
  expect(await mints('symbol=MONKE&verified=false')).toEqual(monke);
  expect(await mints(`symbol=USDT&mint=${USDC}`)).toEqual([]);
  expect(await mints(`symbol=USDC&mint=${USDC}&verified=true&limit=1`)).toEqual([USDC]);
  expect(await mints('mint=FF23aSMUsWa7Dt1mqyMh9FajXHV8zPgbC4vBxooomBhj')).toEqual([]);
  expect(await mints('symbol=USD')).toEqual([]);
});

test('verified=true omits unverified tokens, verified=false omits none', async () => {
  const { get } = await goldenApi();
  const all = (await get('/tokens-api/tokens?limit=1000')).body as Json[];
  const verified = (await get('/tokens-api/tokens?limit=1000&verified=true')).body as Json[];
  expect(verified).toEqual(all.filter((item) => item['verified']));
  expect(verified.length).toBeLessThan(all.length);
  expect((await get('/tokens-api/tokens?limit=1000&verified=false')).body).toEqual(all);
});

test('unknown parameters are ignored and a trailing slash is accepted', async () => {
  const { get } = await goldenApi();
  const plain = await get('/tokens-api/tokens');
  expect((await get('/tokens-api/tokens/?env=localnet&__proto__=1')).body).toEqual(plain.body);
});

test('the catalogue is unavailable until the first list is loaded', async () => {
  const tokens: TokenCatalogueSource = { ...createStaticTokens([]), catalogue: () => undefined };
  const { get } = await startApi({ tokens });
  const { status, headers, body } = await get('/tokens-api/tokens');
  expect(status).toBe(503);
  expect(headers.get('retry-after')).toBe('5');
  expect(body).toEqual({ error: 'The token list is not loaded yet. Retry in 5 s.' });
  expect((await get('/ready')).status).toBe(503);
});

test('a new version of the catalogue invalidates the response cache', async () => {
  let version = 1;
  const source = createStaticTokens([token({ mint: USDC, symbol: 'OLD' })]);
  const newer = createStaticTokens([token({ mint: USDC, symbol: 'NEW' })]);
  const tokens: TokenCatalogueSource = {
    ...source,
    version: () => version,
    catalogue: () => (version === 1 ? source : newer).catalogue(),
  };
  const { get } = await startApi({ tokens });
  for (let time = 0; time < 3; time += 1) {
    expect((await get('/tokens-api/tokens')).body).toMatchObject([{ symbol: 'OLD' }]);
  }
  version = 2;
  for (let time = 0; time < 3; time += 1) {
    expect((await get('/tokens-api/tokens')).body).toMatchObject([{ symbol: 'NEW' }]);
  }
});

test('the status reports a failed refresh without its cause', async () => {
  const source = createStaticTokens([]);
  const lastError = "ENOENT: no such file, open '/srv/secret/list.json'";
  const tokens: TokenCatalogueSource = {
    ...source,
    status: () => ({ ...source.status(), lastError }),
  };
  const { get } = await startApi({ tokens });
  const { body } = await get('/status');
  expect(body).toMatchObject({ tokens: { lastError: 'The last refresh failed.' } });
  expect(JSON.stringify(body)).not.toContain('secret');
});
