import { expect, test } from 'vitest';
import { matchPath, pathOf, withQuery } from './match-path.ts';

test('a path finds its page and the values of its segments', () => {
  expect(matchPath('/')).toEqual({ page: 'overview', parameters: {} });
  expect(matchPath('/markets/abc')).toEqual({ page: 'market', parameters: { market: 'abc' } });
  expect(matchPath('/markets/abc/')).toEqual({ page: 'market', parameters: { market: 'abc' } });
  expect(matchPath('/markets/a%20b')?.parameters).toEqual({ market: 'a b' });
});

test('other paths have no page', () => {
  for (const path of ['/markets', '/markets/a/b', '/nope', '/docs']) {
    expect(matchPath(path), path).toBeUndefined();
  }
});

test('a segment that is not valid encoding is taken as it is', () => {
  expect(matchPath('/markets/%E0%A4%A')?.parameters).toEqual({ market: '%E0%A4%A' });
});

test('the path of a page has its parameters, encoded', () => {
  expect(pathOf('reserve', { reserve: 'a/b' })).toBe('/reserves/a%2Fb');
  expect(pathOf('overview')).toBe('/');
});

test('a page that this build does not have has no path', () => {
  expect(pathOf('no-such-page', { wallet: 'a' })).toBeUndefined();
});

test('a query has the values that are known, encoded', () => {
  expect(
    withQuery('/build', { action: 'borrow', wallet: 'a b', vault: undefined, amount: '' }),
  ).toBe('/build?action=borrow&wallet=a+b');
  expect(withQuery('/build', {})).toBe('/build');
});
