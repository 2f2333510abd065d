import { expect, test } from 'vitest';
import { catchError, programErrorName } from '../../../../../../test/support/errors/catch-error.ts';
import {
  exampleVault,
  exampleVaultContext,
  RESERVE_A,
  repeatedByteAddress,
} from '../../../../../../test/support/vaults/example-vault.ts';
import { toLamports, U64_MAX } from '../../../base/numbers/lamports.ts';
import { FRACTION_BITS, sfFromBits, sfFromInt } from '../../../base/numbers/scaled-fraction.ts';
import type { VaultState } from '../layout/vault-state.ts';
import { giveUpPendingFees, withdrawPendingFees } from './fees-and-rewards.ts';

const quarters = (count: bigint) => sfFromBits((count << FRACTION_BITS) / 4n);

/** The example vault without fee rates, with the given pending fees. */
const owing = (fees: VaultState['pendingFeesSf'], available: bigint): VaultState => ({
  ...exampleVault,
  performanceFeeBps: 0n,
  managementFeeBps: 0n,
  pendingFeesSf: fees,
  tokenAvailable: toLamports(available),
});

test('charges the fees of a day first and pays 1219 of 1219.28', () => {
  const { vault, ...amounts } = withdrawPendingFees(exampleVault, exampleVaultContext, RESERVE_A);
  expect(amounts).toEqual({
    availableToSendToUser: 1_219n,
    investedToDisinvestCtokens: 0n,
    investedLiquidityToDisinvest: 0n,
    investedLiquidityToSendToUser: 0n,
  });
  expect(vault.tokenAvailable).toBe(998_781n);
  expect(vault.pendingFeesSf >> (FRACTION_BITS - 10n)).toBe((282_741n * 1024n) / 1_000_000n);
  expect(vault.lastFeeChargeTimestamp).toBe(exampleVaultContext.time.unix);
});

test('takes the rest from the reserve, one lamport less if the cTokens have a fraction', () => {
  const vault = owing(quarters(6_001n), 1_000n);
  const { vault: after, ...amounts } = withdrawPendingFees(vault, exampleVaultContext, RESERVE_A);
  // 500 lamports are 466.67 cTokens, and 467 cTokens are worth 500.36.
  expect(amounts).toEqual({
    availableToSendToUser: 1_000n,
    investedToDisinvestCtokens: 467n,
    investedLiquidityToDisinvest: 500n,
    investedLiquidityToSendToUser: 499n,
  });
  expect(after.tokenAvailable).toBe(1n);
  expect(after.pendingFeesSf).toBe(quarters(1n));
  expect(after.vaultAllocationStrategy[0]?.ctokenAllocation).toBe(2_999_533n);
  expect(after.vaultAllocationStrategy[1]?.ctokenAllocation).toBe(5_000_000n);
});

test('a vault with pending fees above its holdings pays what it has', () => {
  const vault = owing(sfFromInt(100_000_000n), 1_000n);
  const { vault: after, ...amounts } = withdrawPendingFees(vault, exampleVaultContext, RESERVE_A);
  // All of A: 3000000 cTokens are worth 3214283.57.
  expect(amounts.investedToDisinvestCtokens).toBe(3_000_000n);
  expect(amounts.investedLiquidityToSendToUser).toBe(3_214_282n);
  expect(after.pendingFeesSf).toBe(sfFromInt(100_000_000n - 1_000n - 3_214_283n));
});

test('a reserve without an allocation throws', () => {
  const errorName = programErrorName(
    catchError(() =>
      withdrawPendingFees(exampleVault, exampleVaultContext, repeatedByteAddress(9)),
    ),
  );
  expect(errorName).toBe('ReserveNotPartOfAllocations');
});

test('given up fees belong to the AUM and are not interest', () => {
  const after = giveUpPendingFees(owing(quarters(6_001n), 1_000_000n), exampleVaultContext, 500n);
  expect(after.pendingFeesSf).toBe(quarters(4_001n));
  expect(after.tokenAvailable).toBe(1_000_000n);
  // holdings of 7785708.571… minus 1000.25 of pending fees
  expect(after.prevAumSf >> FRACTION_BITS).toBe(7_784_708n);
  expect(after.lastFeeChargeTimestamp).toBe(exampleVaultContext.time.unix);
  const none = giveUpPendingFees(after, exampleVaultContext, U64_MAX);
  expect(none.pendingFeesSf).toBe(0n);
  expect(none.prevAumSf >> FRACTION_BITS).toBe(7_785_708n);
});

test('the AUM is zero if the pending fees exceed the holdings', () => {
  const after = giveUpPendingFees(owing(sfFromInt(100_000_000n), 0n), exampleVaultContext, 1n);
  expect([after.pendingFeesSf, after.prevAumSf]).toEqual([sfFromInt(99_999_999n), 0n]);
});
