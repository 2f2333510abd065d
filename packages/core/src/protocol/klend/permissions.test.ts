import { expect, test } from 'vitest';
import {
  emptyMarket,
  exampleReserve,
  MARKET,
} from '../../../../../test/support/lending/lending-accounts.ts';
import { needsPermission, type PermissionedOperation } from './permissions.ts';

const operations: readonly PermissionedOperation[] = ['deposit', 'borrow', 'liquidate'];

const permissioned = (marketOps: bigint, reserveOps: bigint, permissioningAuthority = MARKET) => {
  const market = { ...emptyMarket(), permissioningAuthority, permissionedOps: marketOps };
  const reserve = exampleReserve();
  const ruled = { ...reserve, config: { ...reserve.config, permissionedOps: reserveOps } };
  return operations.filter((operation) => needsPermission(market, [reserve, ruled], operation));
};

test('the bits 1, 2 and 4 of the market are deposits, borrows and liquidations', () => {
  expect(permissioned(1n, 0n)).toEqual(['deposit']);
  expect(permissioned(2n, 0n)).toEqual(['borrow']);
  expect(permissioned(4n, 0n)).toEqual(['liquidate']);
  expect(permissioned(0n, 0n)).toEqual([]);
});

test('one reserve of the operation is enough to require a permission', () => {
  expect(permissioned(1n, 6n)).toEqual(['deposit', 'borrow', 'liquidate']);
});

test('without an authority nothing needs a permission', () => {
  expect(permissioned(7n, 7n, emptyMarket().permissioningAuthority)).toEqual([]);
});
