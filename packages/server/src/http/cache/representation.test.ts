import { expect, test } from 'vitest';
import { acceptsGzip } from './representation.ts';

test.each([
  ['gzip', true],
  ['gzip, deflate, br', true],
  ['br;q=1.0, GZIP;q=0.8, *;q=0.1', true],
  ['x-gzip', true],
  ['*', true],
  ['gzip;q=0', false],
  ['gzip;q=0.0, *', false],
  ['*;q=0', false],
  ['deflate, br', false],
  ['gzipped', false],
  ['', false],
  [undefined, false],
])('accept-encoding %s accepts gzip: %s', (header, expected) => {
  expect(acceptsGzip(header)).toBe(expected);
});
