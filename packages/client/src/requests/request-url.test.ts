import { expect, test } from 'vitest';
import { buildUrl, parseSlot } from './request-url.ts';

const BASE = {
  baseUrl: 'https://api.example',
  marketSegment: 'svc-market',
  minContextSlot: undefined,
};

test('path parameters are encoded, and a base address can have a path', () => {
  const operation = 'GET /klend/loans/{pubkey}';
  const path = { pubkey: 'a/b?c' };
  expect(buildUrl({ ...BASE, operation, path })).toEqual({
    url: 'https://api.example/klend/loans/a%2Fb%3Fc',
  });
  for (const baseUrl of [
    'https://api.example/v1',
    'https://api.example/v1/',
    'https://api.example/v1//',
  ]) {
    expect(buildUrl({ ...BASE, baseUrl, operation, path: { pubkey: 'x' } })).toEqual({
      url: 'https://api.example/v1/klend/loans/x',
    });
  }
});

test.each([undefined, '', '.', '..'])('a path parameter that is %j is missing', (pubkey) => {
  const path = { pubkey };
  expect(buildUrl({ ...BASE, operation: 'GET /klend/loans/{pubkey}', path })).toEqual({
    missing: 'pubkey',
  });
});

test('lists are repeated, undefined values are left out, and a slot is a parameter', () => {
  const query = { markets: ['a', 'b'], limit: 5, verified: true, symbol: undefined };
  const minContextSlot = 7n;
  expect(buildUrl({ ...BASE, operation: 'GET /x', query, minContextSlot })).toEqual({
    url: 'https://api.example/x?markets=a&markets=b&limit=5&verified=true&minContextSlot=7',
  });
});

test('the segment of lending markets can have another name', () => {
  const marketSegment = 'markets';
  for (const [operation, url] of [
    ['GET /v2/svc-market', 'https://api.example/v2/markets'],
    ['GET /svc-market/{pubkey}/reserves/metrics', 'https://api.example/markets/x/reserves/metrics'],
    ['GET /kvaults/vaults', 'https://api.example/kvaults/vaults'],
  ] as const) {
    expect(buildUrl({ ...BASE, marketSegment, operation, path: { pubkey: 'x' } })).toEqual({ url });
  }
});

test('a slot is a whole number in any form', () => {
  expect([parseSlot(5n), parseSlot(5), parseSlot('5')]).toEqual([5n, 5n, 5n]);
  expect([-1, 1.5, '', 'x', '1e3', Number.NaN].map(parseSlot)).toEqual(Array(6).fill(undefined));
});
