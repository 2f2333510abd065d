import { expect, test } from 'vitest';
import { createPathAliases, listPathAliases } from './path-aliases.ts';

const V = '67dqmR76uAbjX6e81A1ganKv3ou31WUMEdeWJkwVfeXy';
const U = '9BFk4p1WGDTT4VPb6vQrCKLxu5gEf2zDRKLcp1sYdjS7';

test.each([
  [`/kvaults/${V}`, `/kvaults/vaults/${V}`],
  [`/kvaults/${V}/`, `/kvaults/vaults/${V}`],
  [`/kvaults/${V}/metrics`, `/kvaults/vaults/${V}/metrics`],
  [`/kvaults/${V}/metrics/history?start=1`, `/kvaults/vaults/${V}/metrics/history?start=1`],
  [`/kvaults/${V}/allocation-volume/history`, `/kvaults/vaults/${V}/allocation-volume/history`],
  [`/kvaults/${V}/users/${U}/metrics/history`, `/kvaults/users/${U}/vaults/${V}/metrics/history`],
  [`/kvaults/${V}/users/${U}/pnl`, `/kvaults/users/${U}/vaults/${V}/pnl`],
  [`/kvaults/${V}/users/${U}/pnl/history`, `/kvaults/users/${U}/vaults/${V}/pnl/history`],
  [`/kvaults/shareholders/${U}/transactions`, `/kvaults/users/${U}/transactions`],
  [`/kvault-tokens/${V}/metadata`, `/kvaults/mints/${V}/metadata`],
  [`/kvault-tokens/${V}/metadata/image.svg`, `/kvaults/mints/${V}/metadata/image.svg`],
  ['/svc-market?env=mainnet-beta', '/v2/svc-market?env=mainnet-beta'],
  ['/svc-market/', '/v2/svc-market'],
  [`/svc-market/${V}?programId=${U}`, `/v2/svc-market/${V}?programId=${U}`],
  ['/openapi/json', '/openapi.json'],
  ['/ktx/documentation/json', '/openapi.json'],
])('the legacy path %s is served as %s', (from, to) => {
  expect(createPathAliases({ marketSegments: [], legacyPaths: true })(from)).toBe(to);
  expect(createPathAliases({ marketSegments: [], legacyPaths: false })(from)).toBe(from);
});

test.each([
  '/kvaults/vaults',
  '/kvaults/vaults?x=/metrics',
  '/kvaults/rewards?source=Season4',
  '/kvaults/summary',
  '/kvaults/vaults/metrics',
  `/kvaults/vaults/${V}/metrics`,
  `/kvaults/users/${U}/metrics/history`,
  '/kvaults/users/metrics',
  '/kvaults/private-credit/metrics',
  `/kvaults/mints/${V}/metadata`,
  '/kvaults/transactions',
  '/kvaults',
  `/svc-market/${V}/reserves/metrics`,
  '/svc-market/reserves',
  '/svc-market/users/',
  '/svc-markets',
  '/health',
  '/',
])('%s is not rewritten', (url) => {
  expect(createPathAliases({ marketSegments: ['lend'], legacyPaths: true })(url)).toBe(url);
});

test('aliases of the market segment are rewritten, with and without a version', () => {
  const rewrite = createPathAliases({
    marketSegments: ['lend-market', 'm.x'],
    legacyPaths: true,
  });
  expect(rewrite('/v2/lend-market')).toBe('/v2/svc-market');
  expect(rewrite('/lend-market?env=devnet')).toBe('/v2/svc-market?env=devnet');
  expect(rewrite(`/m.x/${V}/reserves/metrics?env=a`)).toBe(
    `/svc-market/${V}/reserves/metrics?env=a`,
  );
  expect(rewrite(`/v3/lend-market/users/${U}/transactions`)).toBe(
    `/v3/svc-market/users/${U}/transactions`,
  );
  expect(rewrite('/lend-marketing')).toBe('/lend-marketing');
  expect(rewrite('/max')).toBe('/max');
  expect(rewrite('/docs/lend-market')).toBe('/docs/lend-market');
});

test.each([
  ['/v2/kamino-market', '/v2/svc-market'],
  ['/kamino-market', '/v2/svc-market'],
  [`/kamino-market/${V}?env=devnet`, `/v2/svc-market/${V}?env=devnet`],
  [`/kamino-market/${V}/reserves/metrics`, `/svc-market/${V}/reserves/metrics`],
  [`/v3/kamino-market/users/${U}/transactions`, `/v3/svc-market/users/${U}/transactions`],
  ['/kamino-markets', '/kamino-markets'],
])('the hosted path %s is served as %s without a setting', (from, to) => {
  expect(createPathAliases({ marketSegments: [], legacyPaths: true })(from)).toBe(to);
});

test('the hosted name of markets is served without legacy paths', () => {
  const rewrite = createPathAliases({ marketSegments: [], legacyPaths: false });
  expect(rewrite('/v2/kamino-market')).toBe('/v2/svc-market');
  expect(rewrite('/kamino-market')).toBe('/svc-market');
});

test('the aliases of a path are listed, whatever its parameters are called', () => {
  const options = { marketSegments: ['lend', 'kamino-market'], legacyPaths: true };
  const list = (path: string) => listPathAliases(options, path);
  expect(list('/v2/svc-market/{pubkey}')).toEqual([
    '/v2/kamino-market/{pubkey}',
    '/v2/lend/{pubkey}',
    '/svc-market/{market}',
    '/kamino-market/{market}',
    '/lend/{market}',
  ]);
  expect(list('/kvaults/vaults/{pubkey}/metrics')).toEqual(['/kvaults/{vault}/metrics']);
  expect(list('/health')).toEqual([]);
  const none = { marketSegments: [], legacyPaths: false };
  expect(listPathAliases(none, '/kvaults/vaults/{pubkey}/metrics')).toEqual([]);
});

test('every listed alias is routed to its path', () => {
  const options = { marketSegments: ['lend'], legacyPaths: true };
  const rewrite = createPathAliases(options);
  for (const path of ['/v2/svc-market', '/v2/svc-market/{market}', '/kvaults/vaults/{vault}']) {
    const aliases = listPathAliases(options, path);
    expect(aliases.length).toBeGreaterThan(0);
    expect(aliases.map(rewrite)).toEqual(aliases.map(() => path));
  }
});
