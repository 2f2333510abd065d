import fc from 'fast-check';
import { expect, test } from 'vitest';
import { assertProperty } from '../../../../test/support/properties/assert-property.ts';
import { createNearestPath } from './nearest-path.ts';

const PATHS = [
  '/v2/svc-market',
  '/v2/kamino-market',
  '/svc-market/{pubkey}/reserves/metrics',
  '/svc-market/{marketPubkey}/reserves/{reservePubkey}/metrics/history',
  '/kvaults/vaults',
  '/kvaults/vaults/{pubkey}',
  '/kvaults/vaults/{pubkey}/metrics',
  '/kvaults/vaults/metrics',
  '/prices',
];
const nearestPath = createNearestPath(() => PATHS);
const ADDRESS = '67dqmR76uAbjX6e81A1ganKv3ou31WUMEdeWJkwVfeXy';

test.each([
  ['/v2/kamino-markets', '/v2/kamino-market'],
  ['/v2/market', '/v2/svc-market'],
  ['/kvault/vaults', '/kvaults/vaults'],
  ['/KVaults/Vaults/', '/kvaults/vaults'],
  ['/kvaults/vault/metrics', '/kvaults/vaults/metrics'],
  [`/kvaults/vault/${ADDRESS}`, '/kvaults/vaults/{pubkey}'],
  [`/kvaults/vaults/${ADDRESS}/metric`, '/kvaults/vaults/{pubkey}/metrics'],
  [`/svc-market/${ADDRESS}/reserve/metrics`, '/svc-market/{pubkey}/reserves/metrics'],
  [
    `/svc-market/${ADDRESS}/reserves/${ADDRESS}/history`,
    '/svc-market/{marketPubkey}/reserves/{reservePubkey}/metrics/history',
  ],
  ['/price', '/prices'],
])('the nearest path of %s is %s', (requested, nearest) => {
  expect(nearestPath(requested)).toBe(nearest);
});

test.each(['/strategies', '/vault', '/kswap/orders', '/v3', '/a/b/c/d', '/'])(
  'no path resembles %s',
  (requested) => {
    expect(createNearestPath(() => [...PATHS, '/status', '/slots/duration'])(requested)).toBe(
      undefined,
    );
  },
);

test('without paths there is none', () => {
  expect(createNearestPath(() => [])('/a')).toBeUndefined();
});

test('the paths are listed once', () => {
  let calls = 0;
  const nearest = createNearestPath(() => {
    calls += 1;
    return ['/ab'];
  });
  expect([nearest('/abc'), nearest('/abb'), calls]).toEqual(['/ab', '/ab', 1]);
});

test('property: the answer is one of the paths, whatever is requested', () => {
  const requested = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 300 }),
    fc.array(fc.string({ maxLength: 60 }), { maxLength: 30 }).map((parts) => `/${parts.join('/')}`),
  );
  assertProperty(
    fc.property(requested, (path) => {
      expect([...PATHS, undefined]).toContain(nearestPath(path));
    }),
    300,
  );
});

test('a path is the nearest of itself, with addresses as parameters', () => {
  for (const path of PATHS) {
    expect(nearestPath(path.replaceAll(/\{\w+\}/g, ADDRESS))).toBe(path);
  }
});

test('the end of a long path is not compared', () => {
  const start = `/svc-market/${ADDRESS}/reserves/${ADDRESS}/metrics/history`;
  const nearest = '/svc-market/{marketPubkey}/reserves/{reservePubkey}/metrics/history';
  expect(nearestPath(`${start}${'/x'.repeat(1_000)}`)).toBe(nearest);
  expect(nearestPath(`${start}/metrics/metrics`)).toBe(nearest);
});
