import { expect, test } from 'vitest';
import { catchError, programErrorName } from '../../../../../../test/support/errors/catch-error.ts';
import {
  EXCHANGE_A,
  exampleVault,
  exampleVaultContext,
  RESERVE_A,
  RESERVE_B,
  vaultWith,
} from '../../../../../../test/support/vaults/example-vault.ts';
import { toLamports } from '../../../base/numbers/lamports.ts';
import {
  FRACTION_BITS,
  sfFromBits,
  sfFromInt,
  ZERO_SF,
} from '../../../base/numbers/scaled-fraction.ts';
import { vaultAum, vaultHoldings } from './holdings.ts';

const { exchanges } = exampleVaultContext;

test('cTokens are valued with fractions of a lamport', () => {
  const { available, invested, investedTotal } = vaultHoldings(exampleVault, exchanges);
  expect(available).toBe(1_000_000n);
  expect(invested).toEqual([
    // 22499985 / 7
    {
      reserve: RESERVE_A,
      ctokenAllocation: 3_000_000n,
      liquidity: (22_499_985n << FRACTION_BITS) / 7n,
    },
    { reserve: RESERVE_B, ctokenAllocation: 5_000_000n, liquidity: 3_571_425n << FRACTION_BITS },
  ]);
  expect(investedTotal).toBe((22_499_985n << FRACTION_BITS) / 7n + (3_571_425n << FRACTION_BITS));
});

test('pending fees do not belong to the AUM', () => {
  const { investedTotal } = vaultHoldings(exampleVault, exchanges);
  expect(vaultAum(exampleVault, investedTotal)).toBe(8_975_157_630_866_870_703_900_964n);
});

test('the AUM is zero if the pending fees equal the holdings, and throws if they exceed them', () => {
  const owes = (fees: bigint) => ({
    tokenAvailable: toLamports(5n),
    pendingFeesSf: sfFromBits(sfFromInt(7n) + fees),
  });
  expect(vaultAum(owes(0n), sfFromInt(2n))).toBe(0n);
  expect(programErrorName(catchError(() => vaultAum(owes(1n), sfFromInt(2n))))).toBe(
    'AUMBelowPendingFees',
  );
});

test('a missing reserve throws, but an unused allocation needs none', () => {
  const onlyA = new Map([[RESERVE_A, EXCHANGE_A]]);
  expect(programErrorName(catchError(() => vaultHoldings(exampleVault, onlyA)))).toBe(
    'ReserveNotProvidedInTheAccounts',
  );
  expect(vaultHoldings(vaultWith({}), new Map())).toEqual({
    available: 0n,
    invested: [],
    investedTotal: ZERO_SF,
  });
});
