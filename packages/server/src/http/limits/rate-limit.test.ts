import { expect, test } from 'vitest';
import { formatRateLimitHeader, parseRateLimitPolicy } from './rate-limit.ts';

test('a limit has a quota and a window', () => {
  expect(parseRateLimitPolicy('a', '600/1m')).toMatchObject({
    name: 'a',
    quota: 600,
    windowSeconds: 60,
  });
  expect(parseRateLimitPolicy('a', '10/s')).toMatchObject({ quota: 10, windowSeconds: 1 });
  expect(parseRateLimitPolicy('a', '100000/24h')).toMatchObject({
    quota: 100_000,
    windowSeconds: 86_400,
  });
});

test.each(['', '600', '0/1m', '-1/1m', '600/0m', '600/1d', '600/1m ', '1e3/1m', '600/m/s'])(
  '%s is not a valid limit',
  (text) => {
    expect(parseRateLimitPolicy('a', text)).toBeUndefined();
  },
);

test('headers follow the IETF draft', () => {
  const policy = parseRateLimitPolicy('anonymous', '600/1m');
  const result = { allowed: true, remaining: 599, resetSeconds: 60 };
  expect(policy?.field).toBe('"anonymous";q=600;w=60');
  expect(policy && formatRateLimitHeader(policy, result)).toBe('"anonymous";r=599;t=60');
});
