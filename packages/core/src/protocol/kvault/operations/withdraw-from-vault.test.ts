import fc from 'fast-check';
import { expect, test } from 'vitest';
import { catchError, programErrorName } from '../../../../../../test/support/errors/catch-error.ts';
import { assertProperty } from '../../../../../../test/support/properties/assert-property.ts';
import {
  EXCHANGE_A,
  EXCHANGE_B,
  exampleVault,
  exampleVaultContext,
  NO_PENALTY,
  RESERVE_A,
  RESERVE_B,
  repeatedByteAddress,
  vaultWith,
} from '../../../../../../test/support/vaults/example-vault.ts';
import type { Address } from '../../../base/encoding/address.ts';
import { toLamports, U64_MAX } from '../../../base/numbers/lamports.ts';
import { sfFromBits, sfFromInt } from '../../../base/numbers/scaled-fraction.ts';
import { toSlot, toUnixSeconds } from '../../../base/time.ts';
import type { VaultState } from '../layout/vault-state.ts';
import { vaultAum, vaultHoldings } from '../math/holdings.ts';
import { kvaultReleases, NEWEST_VAULT_RULES } from '../releases.ts';
import { refreshVault } from './refresh-vault.ts';
import { type VaultWithdrawal, withdrawFromVault } from './withdraw.ts';

const AUM = 8_974_905_103_309_533_767_900_964n;

const emptyContext = {
  exchanges: new Map(),
  time: { slot: toSlot(5n), unix: toUnixSeconds(1_000n) },
  rules: NEWEST_VAULT_RULES,
};

const withdrawal = (
  shares: bigint,
  reserve: Address | undefined,
  globalConfig = NO_PENALTY,
): VaultWithdrawal => ({ shares, sharesBalance: 9_000_000n, reserve, globalConfig });

// 729886 lamports are 681227.39 cTokens. 681228 are worth 729886.66, and 681229 are worth 729887.73.
test.each([
  { rules: NEWEST_VAULT_RULES, ctokens: 681_228n, released: 729_886n, kept: 1n },
  { rules: kvaultReleases[0].rules, ctokens: 681_229n, released: 729_887n, kept: 2n },
])('two million shares of the example via A pay 1729885 tokens for $ctokens cTokens', (row) => {
  const effects = withdrawFromVault(
    exampleVault,
    { ...exampleVaultContext, rules: row.rules },
    withdrawal(2_000_000n, RESERVE_A),
  );
  const { vault, ...amounts } = effects;
  expect(amounts).toEqual({
    sharesToBurn: 2_000_000n,
    availableToSendToUser: 1_000_000n,
    investedToDisinvestCtokens: row.ctokens,
    investedLiquidityToDisinvest: row.released,
    investedLiquidityToSendToUser: 729_885n,
    withdrawalPenalty: 0n,
  });
  const before = refreshVault(exampleVault, exampleVaultContext).vault;
  const allocations = [...before.vaultAllocationStrategy];
  const [first] = allocations;
  if (first === undefined) throw new Error('the example has allocations');
  allocations[0] = { ...first, ctokenAllocation: 3_000_000n - row.ctokens };
  expect(vault).toEqual({
    ...before,
    vaultAllocationStrategy: allocations,
    tokenAvailable: row.kept,
    sharesIssued: 7_000_000n,
    prevAumSf: 6_980_482_333_391_213_679_976_228n,
  });
});

test('a withdrawal of the whole investment redeems no more cTokens than the vault has', () => {
  // A alone is worth 3214283.57, so with the available million it is 4214283.57 of 7784489.29.
  const { investedToDisinvestCtokens } = withdrawFromVault(
    exampleVault,
    exampleVaultContext,
    withdrawal(9_000_000n, RESERVE_A),
  );
  expect(investedToDisinvestCtokens).toBe(3_000_000n);
});

test('the penalty stays in the vault and its shares are burned', () => {
  const paid = (bps: bigint, lamports: bigint) => {
    const { vault, ...effects } = withdrawFromVault(
      { ...exampleVault, withdrawalPenaltyBps: bps },
      exampleVaultContext,
      withdrawal(2_000_000n, RESERVE_A, {
        withdrawalPenaltyBps: 1n,
        withdrawalPenaltyLamports: toLamports(lamports),
      }),
    );
    const sent = effects.availableToSendToUser + effects.investedLiquidityToSendToUser;
    return [effects.withdrawalPenalty, sent, effects.sharesToBurn, vault.prevAumSf];
  };
  expect(paid(50n, 0n)).toEqual([
    8_650n,
    1_721_235n,
    2_000_000n,
    6_990_455_104_406_062_906_318_628n,
  ]);
  expect(paid(50n, 10_000n)).toEqual([
    10_000n,
    1_719_885n,
    2_000_000n,
    6_992_011_548_437_282_149_736_228n,
  ]);
});

test('sufficient available tokens leave all reserves unchanged', () => {
  const some = withdrawal(1_000_000n, RESERVE_A);
  const { vault, ...effects } = withdrawFromVault(exampleVault, exampleVaultContext, some);
  expect(effects.availableToSendToUser).toBe(((AUM * 1n) / 9n) >> 60n);
  expect(effects.investedToDisinvestCtokens).toBe(0n);
  expect(vault.vaultAllocationStrategy).toEqual(exampleVault.vaultAllocationStrategy);
  const plain = withdrawFromVault(exampleVault, exampleVaultContext, {
    ...some,
    reserve: undefined,
  });
  expect(plain).toEqual({ vault, ...effects });
});

test('shares that cannot be paid are not burned', () => {
  const { sharesToBurn, availableToSendToUser } = withdrawFromVault(
    exampleVault,
    exampleVaultContext,
    withdrawal(2_000_000n, undefined),
  );
  expect(availableToSendToUser).toBe(1_000_000n);
  // 1000000 * 9000000 / 7784489.288687550 = 1156145.1...
  expect(sharesToBurn).toBe(1_156_146n);
});

test('emptying a reserve burns the shares of its fraction of a lamport without paying it', () => {
  // A is worth 3214283.571428571.
  const { vault, ...effects } = withdrawFromVault(
    exampleVault,
    exampleVaultContext,
    withdrawal(U64_MAX, RESERVE_A),
  );
  expect(effects.investedToDisinvestCtokens).toBe(3_000_000n);
  expect(effects.investedLiquidityToSendToUser).toBe(3_214_283n);
  const owed = sfFromInt(1_000_000n) + (3_000_000n * EXCHANGE_A.totalSupply) / 1_400_000_000_000n;
  expect(vault.prevAumSf).toBe(AUM - owed);
  expect(effects.sharesToBurn).toBe((owed * 9_000_000n) / AUM + 1n);
});

test('the last shares withdraw everything', () => {
  const vault = vaultWith({ sharesIssued: 500n, tokenAvailable: toLamports(1_234n) });
  const effects = withdrawFromVault(vault, emptyContext, withdrawal(U64_MAX, undefined));
  expect(effects.vault.sharesIssued).toBe(500n - effects.sharesToBurn);
  expect([effects.sharesToBurn, effects.availableToSendToUser]).toEqual([500n, 1_234n]);
  expect(effects.vault.tokenAvailable).toBe(0n);
});

test('throws every error of the program', () => {
  const errorName = (
    vault: VaultState,
    shares: bigint,
    more: Partial<VaultWithdrawal> = {},
  ): string | undefined =>
    programErrorName(
      catchError(() =>
        withdrawFromVault(vault, exampleVaultContext, {
          ...withdrawal(shares, undefined),
          ...more,
        }),
      ),
    );
  expect(errorName(exampleVault, 0n)).toBe('CannotWithdrawZeroShares');
  expect(errorName(exampleVault, 5n, { sharesBalance: 0n })).toBe('CannotWithdrawZeroShares');
  expect(errorName(exampleVault, 5n, { reserve: repeatedByteAddress(9) })).toBe(
    'ReserveNotPartOfAllocations',
  );
  expect(errorName(exampleVault, 1n)).toBe('CannotWithdrawZeroLamports');
  expect(errorName(vaultWith({ sharesIssued: 5n }), 1n)).toBe('VaultAUMZero');
  const penalty = { withdrawalPenaltyBps: 0n, withdrawalPenaltyLamports: toLamports(8n) };
  expect(errorName(exampleVault, 10n, { globalConfig: penalty })).toBe(
    'WithdrawAmountLessThanWithdrawalPenalty',
  );
  const dry = { ...exampleVault, tokenAvailable: toLamports(0n) };
  expect(errorName(dry, 1_000n)).toBe('WithdrawResultsInZeroShares');
  const minimum = { ...exampleVault, minWithdrawAmount: toLamports(1_729_886n) };
  expect(errorName(minimum, 2_000_000n, { reserve: RESERVE_A })).toBe('WithdrawAmountBelowMinimum');
  const below = { ...exampleVault, minWithdrawAmount: toLamports(1_729_885n) };
  expect(errorName(below, 2_000_000n, { reserve: RESERVE_A })).toBeUndefined();
});

test('property: a payout never exceeds the value of the shares, and other shares never lose', () => {
  const cases = fc.record({
    available: fc.bigInt(0n, 1n << 30n),
    ctokens: fc.bigInt(0n, 1n << 30n),
    sharesIssued: fc.bigInt(1n, 1n << 32n),
    supply: fc.bigInt(1n << 30n, 1n << 32n),
    fraction: fc.bigInt(0n, (1n << 60n) - 1n),
    part: fc.bigInt(1n, 1n << 32n),
    bps: fc.constantFrom(0n, 7n),
    choice: fc.constantFrom(RESERVE_A, RESERVE_B, undefined),
  });
  assertProperty(
    fc.property(cases, ({ available, ctokens, sharesIssued, part, ...some }) => {
      const exchange = {
        totalSupply: sfFromBits((some.supply << 60n) + some.fraction),
        mintTotalSupply: 1n << 30n,
      };
      const exchanges = new Map([
        [RESERVE_A, exchange],
        [RESERVE_B, EXCHANGE_B],
      ]);
      const vault = vaultWith(
        {
          tokenAvailable: toLamports(available),
          sharesIssued,
          withdrawalPenaltyBps: some.bps,
          lastFeeChargeTimestamp: exampleVaultContext.time.unix,
        },
        [
          { reserve: RESERVE_A, ctokenAllocation: ctokens },
          { reserve: RESERVE_B, ctokenAllocation: 1_000n },
        ],
      );
      const { aum } = refreshVault(vault, { ...exampleVaultContext, exchanges });
      const shares = part < sharesIssued ? part : sharesIssued;
      const request = {
        shares,
        sharesBalance: shares,
        reserve: some.choice,
        globalConfig: NO_PENALTY,
      };
      const run = () => withdrawFromVault(vault, { ...exampleVaultContext, exchanges }, request);
      fc.pre(programErrorName(catchError(run)) === undefined);
      const effects = run();
      const sent = effects.availableToSendToUser + effects.investedLiquidityToSendToUser;
      expect(sent).toBeLessThanOrEqual(((aum * shares) / sharesIssued) >> 60n);
      expect(effects.sharesToBurn).toBeLessThanOrEqual(shares);

      const changed = some.choice === RESERVE_B ? EXCHANGE_B : exchange;
      const after = new Map(exchanges);
      if (some.choice !== undefined) {
        after.set(some.choice, {
          totalSupply: sfFromBits(
            changed.totalSupply - (effects.investedLiquidityToDisinvest << 60n),
          ),
          mintTotalSupply: changed.mintTotalSupply - effects.investedToDisinvestCtokens,
        });
      }
      const left = vaultAum(effects.vault, vaultHoldings(effects.vault, after).investedTotal);
      // Two conversions were truncated to 60 bits.
      expect(left + 2n).toBeGreaterThanOrEqual(effects.vault.prevAumSf);
      expect((left + 2n) * sharesIssued).toBeGreaterThanOrEqual(aum * effects.vault.sharesIssued);
    }),
    100,
  );
});
