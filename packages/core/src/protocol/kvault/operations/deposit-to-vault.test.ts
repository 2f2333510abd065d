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
import { NEWEST_VAULT_RULES } from '../releases.ts';
import { depositToVault } from './deposit-to-vault.ts';
import { refreshVault } from './refresh-vault.ts';

const emptyContext = {
  exchanges: new Map(),
  time: { slot: toSlot(5n), unix: toUnixSeconds(1_000n) },
  rules: NEWEST_VAULT_RULES,
};

test('1500000 lamports buy 1734217 shares of the example vault', () => {
  const effects = depositToVault(exampleVault, exampleVaultContext, { maxAmount: 1_500_000n });
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
    isCut: false,
  });
});

test('the first deposit gets one share per lamport and starts the fee clock', () => {
  const { vault, sharesToMint, tokenToDeposit } = depositToVault(vaultWith({}), emptyContext, {
    maxAmount: 1_000n,
  });
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
  const effects = depositToVault(vault, { ...emptyContext, exchanges }, { maxAmount: 1_000n });
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
  expect(
    catchError(() => depositToVault(vault, exampleVaultContext, { maxAmount: 9n }))?.code,
  ).toBe('MATH_OVERFLOW');
});

test('zero, less than one share and less than the minimum throw', () => {
  const deposit = (amount: bigint, minimum: bigint) => () =>
    depositToVault(
      { ...exampleVault, minDepositAmount: toLamports(minimum) },
      exampleVaultContext,
      { maxAmount: amount },
    );
  expect(programErrorName(catchError(deposit(0n, 0n)))).toBe('DepositAmountsZero');
  expect(programErrorName(catchError(deposit(1_500_000n, 1_500_001n)))).toBe(
    'DepositAmountBelowMinimum',
  );
  expect(programErrorName(catchError(deposit(1_500_000n, 1_500_000n)))).toBeUndefined();
  const dear = { ...exampleVault, sharesIssued: 3n };
  expect(
    programErrorName(
      catchError(() => depositToVault(dear, exampleVaultContext, { maxAmount: 1_000_000n })),
    ),
  ).toBe('DepositAmountsZeroShares');
});

test('a deposit into a vault with worthless shares throws', () => {
  const vault = vaultWith({ sharesIssued: 5n });
  expect(
    programErrorName(catchError(() => depositToVault(vault, emptyContext, { maxAmount: 100n }))),
  ).toBe('VaultAUMZero');
});

test('takes only the price of whole shares', () => {
  // 3 shares are worth 10 lamports: 7 lamports buy 2 of them for 6.67, rounded up.
  const vault = vaultWith({ sharesIssued: 3n, tokenAvailable: toLamports(10n) });
  const effects = depositToVault(vault, emptyContext, { maxAmount: 8n });
  expect([effects.sharesToMint, effects.tokenToDeposit]).toEqual([2n, 7n]);
  expect(effects.vault.prevAumSf).toBe(sfFromBits(17n << 60n));
});

const depositWithCap = (cap: bigint, minSharesOut?: bigint) =>
  depositToVault(
    vaultWith({
      tokenAvailable: toLamports(1_000n),
      sharesIssued: 1_000n,
      depositCap: toLamports(cap),
    }),
    emptyContext,
    { maxAmount: 500n, ...(minSharesOut !== undefined && { minSharesOut }) },
  );

test.each([
  { cap: 1_500n, tokens: 500n, isCut: false },
  { cap: 1_499n, tokens: 499n, isCut: true },
  { cap: 1_001n, tokens: 1n, isCut: true },
  { cap: 0n, tokens: 500n, isCut: false },
])('a deposit is cut to the room below a cap of $cap', ({ cap, tokens, isCut }) => {
  const effects = depositWithCap(cap);
  expect([effects.tokenToDeposit, effects.sharesToMint]).toEqual([tokens, tokens]);
  expect(effects.isCut).toBe(isCut);
});

test('a vault at its cap takes no deposits', () => {
  expect(programErrorName(catchError(() => depositWithCap(1_000n)))).toBe('VaultDepositCapReached');
});

test('a deposit that issues fewer shares than requested throws', () => {
  expect(depositWithCap(1_499n, 499n).sharesToMint).toBe(499n);
  expect(programErrorName(catchError(() => depositWithCap(1_499n, 500n)))).toBe(
    'SharesOutBelowMinimum',
  );
});
