import { expect, test } from 'vitest';
import { RouteTable } from './route-table.ts';

function table(): RouteTable {
  const routes = new RouteTable();
  routes.add('/kvaults/vaults', ['GET']);
  routes.add('/kvaults/vaults', ['HEAD']);
  routes.add('/kvaults/vaults/:pubkey', ['GET']);
  routes.add('/kvaults/vaults/metrics', ['POST']);
  return routes;
}

test('a path has the methods of the matching pattern', () => {
  expect(table().methodsOf('/kvaults/vaults')).toEqual(['GET', 'HEAD', 'OPTIONS']);
  expect(table().methodsOf('/kvaults/vaults/')).toEqual(['GET', 'HEAD', 'OPTIONS']);
  expect(table().methodsOf('/kvaults/vaults/abc')).toEqual(['GET', 'OPTIONS']);
});

test('a static segment takes precedence over a parameter', () => {
  expect(table().methodsOf('/kvaults/vaults/metrics')).toEqual(['POST', 'OPTIONS']);
});

test('an unknown path has no methods', () => {
  expect(table().methodsOf('/kvaults')).toEqual([]);
  expect(table().methodsOf('/kvaults/vaults/abc/def')).toEqual([]);
  expect(table().methodsOf('//kvaults/vaults')).toEqual([]);
});
