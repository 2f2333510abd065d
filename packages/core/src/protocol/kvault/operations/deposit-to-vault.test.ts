import { expect, test } from 'vitest';
import { catchError, programErrorName } from '../../../../../../test/support/errors/catch-error.ts';
import {
  exampleVault,
  exampleVaultContext,
  RESERVE_A,
  repeatedByteAddress,
  vaultWith,
} from '../../../../../../test/support/vaults/example-vault.ts';
import { toLamports, U64_MAX } from '../../../base/numbers/lamports.ts';
import { sfFromBits, sfFromInt } from '../../../base/numbers/scaled-fraction.ts';
import { toSlot, toUnixSeconds } from '../../../base/time.ts';
import { depositToVault } from './deposit-to-vault.ts';
import { refreshVault } from './refresh-vault.ts';

const emptyContext = {
  exchanges: new Map(),
  time: { slot: toSlot(5n), unix: toUnixSeconds(1_000n) },
};

test('1500000 lamports buy 1734217 shares of the example vault', () => {
  const effects = depositToVault(exampleVault, exampleVaultContext, 1_500_000n);
  expect(effects).toEqual({
    vault: {
      ...refreshVault(exampleVault, exampleVaultContext).vault,
      tokenAvailable: 2_500_000n,
      sharesIssued: 10_734_217n,
      prevAumSf: 8_974_905_103_309_533_767_900_964n + sfFromInt(1_500_000n),
    },
    sharesToMint: 1_734_217n,
    tokenToDeposit: 1_500_000n,
    crankFundsToDeposit: 0n,
  });
});

test('the first deposit gets one share per lamport and starts the fee clock', () => {
  const { vault, sharesToMint, tokenToDeposit } = depositToVault(
    vaultWith({}),
    emptyContext,
    1_000n,
  );
  expect([sharesToMint, tokenToDeposit]).toEqual([1_000n, 1_000n]);
  expect(vault).toEqual(
    vaultWith({
      tokenAvailable: toLamports(1_000n),
      sharesIssued: 1_000n,
      prevAumSf: sfFromInt(1_000n),
      lastFeeChargeTimestamp: toUnixSeconds(1_000n),
    }),
  );
});

test('the crank fee is charged first, per reserve that can receive tokens', () => {
  const fee = { crankFundFeePerReserve: toLamports(10n) };
  const cap = toLamports(U64_MAX);
  const vault = vaultWith({ ...fee, availableCrankFunds: toLamports(5n) }, [
    { reserve: repeatedByteAddress(1), targetAllocationWeight: 1n, tokenAllocationCap: cap },
    {
      reserve: repeatedByteAddress(2),
      targetAllocationWeight: 2n,
      tokenAllocationCap: toLamports(1n),
    },
    { reserve: repeatedByteAddress(3), targetAllocationWeight: 0n, tokenAllocationCap: cap },
    {
      reserve: repeatedByteAddress(4),
      targetAllocationWeight: 1n,
      tokenAllocationCap: toLamports(0n),
    },
    { targetAllocationWeight: 1n, tokenAllocationCap: cap },
  ]);
  const one = { totalSupply: sfFromInt(1n), mintTotalSupply: 1n };
  const exchanges = new Map([1, 2, 3, 4].map((byte) => [repeatedByteAddress(byte), one]));
  const effects = depositToVault(vault, { ...emptyContext, exchanges }, 1_000n);
  expect(effects.crankFundsToDeposit).toBe(20n);
  expect(effects.tokenToDeposit).toBe(980n);
  expect(effects.vault.availableCrankFunds).toBe(25n);
  expect(effects.vault.tokenAvailable).toBe(980n);
});

test('an offer below the crank fee throws', () => {
  const vault = vaultWith({ crankFundFeePerReserve: toLamports(10n) }, [
    {
      reserve: RESERVE_A,
      targetAllocationWeight: 1n,
      tokenAllocationCap: toLamports(1n),
    },
  ]);
  expect(catchError(() => depositToVault(vault, exampleVaultContext, 9n))?.code).toBe(
    'MATH_OVERFLOW',
  );
});

test('zero, less than one share and less than the minimum throw', () => {
  const deposit = (amount: bigint, minimum: bigint) => () =>
    depositToVault(
      { ...exampleVault, minDepositAmount: toLamports(minimum) },
      exampleVaultContext,
      amount,
    );
  expect(programErrorName(catchError(deposit(0n, 0n)))).toBe('DepositAmountsZero');
  expect(programErrorName(catchError(deposit(1_500_000n, 1_500_001n)))).toBe(
    'DepositAmountBelowMinimum',
  );
  expect(programErrorName(catchError(deposit(1_500_000n, 1_500_000n)))).toBeUndefined();
  const dear = { ...exampleVault, sharesIssued: 3n };
  expect(
    programErrorName(catchError(() => depositToVault(dear, exampleVaultContext, 1_000_000n))),
  ).toBe('DepositAmountsZeroShares');
});

test('a deposit into a vault with worthless shares throws', () => {
  const vault = vaultWith({ sharesIssued: 5n });
  expect(programErrorName(catchError(() => depositToVault(vault, emptyContext, 100n)))).toBe(
    'VaultAUMZero',
  );
});

test('takes only the price of whole shares', () => {
  // 3 shares are worth 10 lamports: 7 lamports buy 2 of them for 6.67, rounded up.
  const vault = vaultWith({ sharesIssued: 3n, tokenAvailable: toLamports(10n) });
  const effects = depositToVault(vault, emptyContext, 8n);
  expect([effects.sharesToMint, effects.tokenToDeposit]).toEqual([2n, 7n]);
  expect(effects.vault.prevAumSf).toBe(sfFromBits(17n << 60n));
});

test('a deposit may raise the AUM up to the deposit cap', () => {
  const capped = (cap: bigint) =>
    catchError(() =>
      depositToVault(
        vaultWith({
          tokenAvailable: toLamports(1_000n),
          sharesIssued: 1_000n,
          depositCap: toLamports(cap),
        }),
        emptyContext,
        500n,
      ),
    );
  expect(programErrorName(capped(1_500n))).toBeUndefined();
  expect(programErrorName(capped(1_499n))).toBe('VaultDepositCapReached');
  expect(programErrorName(capped(0n))).toBeUndefined();
});
