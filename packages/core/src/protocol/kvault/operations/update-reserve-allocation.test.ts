import { expect, test } from 'vitest';
import { catchError, programErrorName } from '../../../../../../test/support/errors/catch-error.ts';
import {
  exampleVault,
  RESERVE_A,
  repeatedByteAddress,
} from '../../../../../../test/support/vaults/example-vault.ts';
import { toLamports } from '../../../base/numbers/lamports.ts';
import type { VaultState } from '../layout/vault-state.ts';
import { type AllocationUpdate, updateReserveAllocation } from './allocations.ts';

const ADMIN = repeatedByteAddress(1);
const ALLOCATION_ADMIN = repeatedByteAddress(2);
const NEW = repeatedByteAddress(0xc);

const vault: VaultState = {
  ...exampleVault,
  vaultAdminAuthority: ADMIN,
  allocationAdmin: ALLOCATION_ADMIN,
};

const update = (changes: Partial<AllocationUpdate> = {}): AllocationUpdate => ({
  signer: ADMIN,
  reserve: RESERVE_A,
  ctokenVault: repeatedByteAddress(7),
  ctokenVaultBump: 254,
  weight: 9n,
  cap: toLamports(1_000n),
  whitelisted: false,
  ...changes,
});

test('changes only the weight and cap of a known reserve', () => {
  const [first, ...rest] = updateReserveAllocation(vault, update()).vaultAllocationStrategy;
  const [before, ...others] = vault.vaultAllocationStrategy;
  expect(first).toEqual({ ...before, targetAllocationWeight: 9n, tokenAllocationCap: 1_000n });
  expect(rest).toEqual(others);
});

test('a new reserve gets the first unused allocation', () => {
  const after = updateReserveAllocation(vault, update({ reserve: NEW }));
  expect(after.vaultAllocationStrategy[2]).toEqual({
    ...vault.vaultAllocationStrategy[2],
    reserve: NEW,
    ctokenVault: repeatedByteAddress(7),
    ctokenVaultBump: 254n,
    targetAllocationWeight: 9n,
    tokenAllocationCap: 1_000n,
    ctokenAllocation: 0n,
  });
});

test('the allocation admin can change but not add reserves, and others can do neither', () => {
  const by = (changes: Partial<AllocationUpdate>) =>
    programErrorName(catchError(() => updateReserveAllocation(vault, update(changes))));
  expect(by({ signer: ALLOCATION_ADMIN })).toBeUndefined();
  expect(by({ signer: ALLOCATION_ADMIN, reserve: NEW })).toBe('WrongAdminOrAllocationAdmin');
  expect(by({ signer: repeatedByteAddress(3) })).toBe('WrongAdminOrAllocationAdmin');
});

test('a vault that requires the whitelist checks it only for an increase', () => {
  const strict = { ...vault, allowAllocationsInWhitelistedReservesOnly: 1 };
  const isWhitelisted = (changes: Partial<AllocationUpdate>) =>
    programErrorName(catchError(() => updateReserveAllocation(strict, update(changes))));
  expect(isWhitelisted({})).toBe('ReserveNotWhitelisted');
  expect(isWhitelisted({ whitelisted: true })).toBeUndefined();
  expect(isWhitelisted({ weight: 1n })).toBeUndefined();
  expect(isWhitelisted({ weight: 0n, cap: toLamports(0n) })).toBeUndefined();
  expect(isWhitelisted({ reserve: NEW, weight: 0n, cap: toLamports(1n) })).toBe(
    'ReserveNotWhitelisted',
  );
});

test('adding a reserve to a full vault throws', () => {
  const full = {
    ...vault,
    vaultAllocationStrategy: vault.vaultAllocationStrategy.map((allocation, i) => ({
      ...allocation,
      reserve: repeatedByteAddress(100 + i),
    })),
  };
  const errorName = programErrorName(
    catchError(() => updateReserveAllocation(full, update({ reserve: NEW }))),
  );
  expect(errorName).toBe('ReserveSpaceExhausted');
});

test('a cap in cTokens changes only if it is given', () => {
  const capOf = (state: VaultState) => state.vaultAllocationStrategy[0]?.ctokenAllocationCap;
  const capped = updateReserveAllocation(vault, update({ ctokenCap: 70n }));
  expect(capOf(capped)).toBe(70n);
  expect(capOf(updateReserveAllocation(capped, update()))).toBe(70n);
  expect(capOf(updateReserveAllocation(capped, update({ ctokenCap: 0n })))).toBe(0n);
});
