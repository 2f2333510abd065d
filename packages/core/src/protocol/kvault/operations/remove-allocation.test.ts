import { expect, test } from 'vitest';
import { catchError, programErrorName } from '../../../../../../test/support/errors/catch-error.ts';
import {
  exampleVault,
  RESERVE_A,
  RESERVE_B,
  repeatedByteAddress,
} from '../../../../../../test/support/vaults/example-vault.ts';
import { ZERO_ADDRESS } from '../../../base/encoding/address.ts';
import type { VaultAllocation } from '../layout/vault-state.ts';
import { kvaultReleases, NEWEST_VAULT_RULES } from '../releases.ts';
import { removeAllocation } from './allocations.ts';

const rules = NEWEST_VAULT_RULES;

const vaultWithFirst = (changes: Partial<VaultAllocation>) => ({
  ...exampleVault,
  vaultAllocationStrategy: exampleVault.vaultAllocationStrategy.map((each, i) =>
    i === 0 ? { ...each, ...changes } : each,
  ),
});

test('an unused reserve leaves a gap, and the others stay in place', () => {
  const vault = vaultWithFirst({ targetAllocationWeight: 0n, ctokenAllocation: 0n });
  const [first, second, ...rest] = removeAllocation(
    vault,
    RESERVE_A,
    rules,
  ).vaultAllocationStrategy;
  const [, ...others] = vault.vaultAllocationStrategy;
  expect([second, ...rest]).toEqual(others);
  expect(second?.reserve).toBe(RESERVE_B);
  expect(first).toMatchObject({
    reserve: ZERO_ADDRESS,
    ctokenVault: ZERO_ADDRESS,
    tokenAllocationCap: 2n ** 64n - 1n,
    ctokenAllocationCap: 2n ** 64n - 1n,
    ctokenVaultBump: 0n,
    lastInvestSlot: 0n,
    tokenTargetAllocationSf: 0n,
  });
});

test('before 2.2 a removed allocation has no cap in cTokens', () => {
  const vault = vaultWithFirst({ targetAllocationWeight: 0n, ctokenAllocation: 0n });
  const [first] = removeAllocation(
    vault,
    RESERVE_A,
    kvaultReleases[0].rules,
  ).vaultAllocationStrategy;
  expect(first?.ctokenAllocationCap).toBe(0n);
});

test.each([
  ['a weight', { targetAllocationWeight: 1n, ctokenAllocation: 0n }],
  ['cTokens', { targetAllocationWeight: 0n, ctokenAllocation: 1n }],
])('a reserve with %s stays', (_, changes) => {
  const error = catchError(() => removeAllocation(vaultWithFirst(changes), RESERVE_A, rules));
  expect(programErrorName(error)).toBe('ReserveHasNonZeroAllocationOrCTokens');
});

test('another reserve cannot be removed', () => {
  const error = catchError(() => removeAllocation(exampleVault, repeatedByteAddress(7), rules));
  expect(programErrorName(error)).toBe('ReserveNotPartOfAllocations');
});
