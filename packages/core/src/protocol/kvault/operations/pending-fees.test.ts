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
import { giveUpPendingFees, withdrawPendingFees } from './pending-fees.ts';

const quarters = (count: bigint) => sfFromBits((count << FRACTION_BITS) / 4n);

/** The example without fees of its own, owing that many lamports. */
const owing = (fees: VaultState['pendingFeesSf'], available: bigint): VaultState => ({
  ...exampleVault,
  performanceFeeBps: 0n,
  managementFeeBps: 0n,
  pendingFeesSf: fees,
  tokenAvailable: toLamports(available),
});

test('the fees of a day in the example are charged first: 1219 of 1219.28 are paid', () => {
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

test('what is not available comes from the reserve, a lamport less where cTokens do not fit', () => {
  const vault = owing(quarters(6_001n), 1_000n);
  const { vault: after, ...amounts } = withdrawPendingFees(vault, exampleVaultContext, RESERVE_A);
  // 500 lamports are 466.67 cTokens; 467 of them are worth 500.36.
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

test('a vault that owes more than it holds pays what there is', () => {
  const vault = owing(sfFromInt(100_000_000n), 1_000n);
  const { vault: after, ...amounts } = withdrawPendingFees(vault, exampleVaultContext, RESERVE_A);
  // All of A: 3000000 cTokens are worth 3214283.57.
  expect(amounts.investedToDisinvestCtokens).toBe(3_000_000n);
  expect(amounts.investedLiquidityToSendToUser).toBe(3_214_282n);
  expect(after.pendingFeesSf).toBe(sfFromInt(100_000_000n - 1_000n - 3_214_283n));
});

test('a reserve of another vault pays nothing', () => {
  const refusal = programErrorName(
    catchError(() =>
      withdrawPendingFees(exampleVault, exampleVaultContext, repeatedByteAddress(9)),
    ),
  );
  expect(refusal).toBe('ReserveNotPartOfAllocations');
});

test('fees that are given up belong to the shares, and are no interest', () => {
  const after = giveUpPendingFees(owing(quarters(6_001n), 1_000_000n), exampleVaultContext, 500n);
  expect(after.pendingFeesSf).toBe(quarters(4_001n));
  expect(after.tokenAvailable).toBe(1_000_000n);
  // 7785708.571… held, less the 1000.25 still owed.
  expect(after.prevAumSf >> FRACTION_BITS).toBe(7_784_708n);
  expect(after.lastFeeChargeTimestamp).toBe(exampleVaultContext.time.unix);
  const none = giveUpPendingFees(after, exampleVaultContext, U64_MAX);
  expect(none.pendingFeesSf).toBe(0n);
  expect(none.prevAumSf >> FRACTION_BITS).toBe(7_785_708n);
});

test('nothing is left to the shares of a vault that owes more than it holds', () => {
  const after = giveUpPendingFees(owing(sfFromInt(100_000_000n), 0n), exampleVaultContext, 1n);
  expect([after.pendingFeesSf, after.prevAumSf]).toEqual([sfFromInt(99_999_999n), 0n]);
});
