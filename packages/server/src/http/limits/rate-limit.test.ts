import { expect, test } from 'vitest';
import { formatVerdict, parseLimit } from './rate-limit.ts';

test('a limit is a quota and a window', () => {
  expect(parseLimit('a', '600/1m')).toMatchObject({ name: 'a', quota: 600, windowSeconds: 60 });
  expect(parseLimit('a', '10/s')).toMatchObject({ quota: 10, windowSeconds: 1 });
  expect(parseLimit('a', '100000/24h')).toMatchObject({ quota: 100_000, windowSeconds: 86_400 });
});

test.each(['', '600', '0/1m', '-1/1m', '600/0m', '600/1d', '600/1m ', '1e3/1m', '600/m/s'])(
  '%s is no limit',
  (text) => {
    expect(parseLimit('a', text)).toBeUndefined();
  },
);

test('the fields are those of the IETF draft', () => {
  const policy = parseLimit('anonymous', '600/1m');
  const verdict = { allowed: true, remaining: 599, resetSeconds: 60 };
  expect(policy?.field).toBe('"anonymous";q=600;w=60');
  expect(policy && formatVerdict(policy, verdict)).toBe('"anonymous";r=599;t=60');
});
