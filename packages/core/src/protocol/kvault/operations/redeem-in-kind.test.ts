import { expect, test } from 'vitest';
import { catchError, programErrorName } from '../../../../../../test/support/errors/catch-error.ts';
import {
  EXCHANGE_A,
  exampleVault,
  exampleVaultContext,
  NO_PENALTY,
  RESERVE_A,
  repeatedByteAddress,
  vaultWith,
} from '../../../../../../test/support/vaults/example-vault.ts';
import { toLamports, U64_MAX } from '../../../base/numbers/lamports.ts';
import { sfFromInt } from '../../../base/numbers/scaled-fraction.ts';
import type { VaultState } from '../layout/vault-state.ts';
import { kvaultReleases } from '../releases.ts';
import { refreshVault } from './refresh-vault.ts';
import { type InKindRedemption, redeemInKind } from './withdraw.ts';

const redemption = (shares: bigint, more: Partial<InKindRedemption> = {}): InKindRedemption => ({
  shares,
  sharesBalance: 9_000_000n,
  reserve: RESERVE_A,
  globalConfig: NO_PENALTY,
  ...more,
});

const penalty = (bps: bigint, lamports: bigint) => ({
  withdrawalPenaltyBps: bps,
  withdrawalPenaltyLamports: toLamports(lamports),
});

// The numbers come from an independent implementation in another language.
test('two million shares of the example redeem 1614561 cTokens and burn one share less', () => {
  const { vault, ...amounts } = redeemInKind(
    exampleVault,
    exampleVaultContext,
    redemption(2_000_000n),
  );
  expect(amounts).toEqual({
    sharesToBurn: 1_999_999n,
    ctokensToSendToUser: 1_614_561n,
    actualLiquidityValue: 1_994_422_346_169_432_707_922_032n,
  });
  const before = refreshVault(exampleVault, exampleVaultContext).vault;
  const [first, ...others] = before.vaultAllocationStrategy;
  if (first === undefined) throw new Error('the example has allocations');
  expect(vault).toEqual({
    ...before,
    vaultAllocationStrategy: [{ ...first, ctokenAllocation: 1_385_439n }, ...others],
    sharesIssued: 7_000_001n,
    prevAumSf: 6_980_482_757_140_101_059_978_932n,
  });
});

test('a penalty reduces the cTokens and adds to the burned shares', () => {
  const redeemed = (bps: bigint, lamports: bigint) => {
    const globalConfig = penalty(bps, lamports);
    const { vault, ...effects } = redeemInKind(
      exampleVault,
      exampleVaultContext,
      redemption(2_000_000n, { globalConfig }),
    );
    return [effects.ctokensToSendToUser, effects.sharesToBurn, vault.prevAumSf];
  };
  expect(redeemed(50n, 0n)).toEqual([1_606_489n, 2_000_000n, 6_990_453_874_476_813_429_978_175n]);
  expect(redeemed(0n, 700n)).toEqual([1_613_908n, 2_000_000n, 6_981_289_389_897_890_105_768_019n]);
});

test('redeems at most the cTokens of the vault and burns only their shares', () => {
  const { vault, ...effects } = redeemInKind(
    exampleVault,
    exampleVaultContext,
    redemption(U64_MAX),
  );
  expect(effects.ctokensToSendToUser).toBe(3_000_000n);
  // 22499985 / 7 * 9000000 / 7784489.288687550 = 3716178.55...
  expect(effects.sharesToBurn).toBe(3_716_179n);
  expect(vault.vaultAllocationStrategy[0]?.ctokenAllocation).toBe(0n);
});

test('throws every error of the program', () => {
  const errorName = (vault: VaultState, request: InKindRedemption): string | undefined =>
    programErrorName(catchError(() => redeemInKind(vault, exampleVaultContext, request)));
  expect(errorName(exampleVault, redemption(0n))).toBe('CannotWithdrawZeroShares');
  expect(errorName(exampleVault, redemption(5n, { reserve: repeatedByteAddress(9) }))).toBe(
    'ReserveNotPartOfAllocations',
  );
  expect(errorName(exampleVault, redemption(1n))).toBe('WithdrawResultsInZeroShares');
  expect(errorName(exampleVault, redemption(10n, { globalConfig: penalty(0n, 9n) }))).toBe(
    'WithdrawAmountLessThanWithdrawalPenalty',
  );
  const worthless = vaultWith({ sharesIssued: 5n }, [{ reserve: RESERVE_A }]);
  expect(errorName(worthless, redemption(5n))).toBe('VaultAUMZero');
  const value = 1_729_886n;
  const at = { ...exampleVault, minWithdrawAmount: toLamports(value - 1n) };
  expect(errorName(at, redemption(2_000_000n))).toBe('WithdrawAmountBelowMinimum');
  const below = { ...exampleVault, minWithdrawAmount: toLamports(value - 2n) };
  expect(errorName(below, redemption(2_000_000n))).toBeUndefined();
});

test('before 2.2 a reserve without value redeems for nothing', () => {
  const lost = new Map(exampleVaultContext.exchanges).set(RESERVE_A, {
    totalSupply: sfFromInt(0n),
    mintTotalSupply: EXCHANGE_A.mintTotalSupply,
  });
  const context = { ...exampleVaultContext, exchanges: lost, rules: kvaultReleases[0].rules };
  expect(
    programErrorName(catchError(() => redeemInKind(exampleVault, context, redemption(2_000_000n)))),
  ).toBe('WithdrawResultsInZeroShares');
});
