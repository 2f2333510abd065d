import { describe, expect, test } from 'vitest';
import { RESERVE_A, vaultWith } from '../../../../../../test/support/vaults/example-vault.ts';
import {
  BELOW_60_BITS,
  exchangeOf,
  L0,
  type VectorRate,
} from '../../../../../../test/support/vaults/vector-rates.ts';
import { toLamports } from '../../../base/numbers/lamports.ts';
import { sfFromBits } from '../../../base/numbers/scaled-fraction.ts';
import { toSlot, toUnixSeconds } from '../../../base/time.ts';
import { kvaultReleases, NEWEST_VAULT_RULES, type VaultRules } from '../releases.ts';
import { withdrawPendingFees } from './fees-and-rewards.ts';
import type { VaultContext } from './refresh-vault.ts';

/** Values of an independent integer model of the program, written from a description of its rules. */
const NOW = toUnixSeconds(1_700_000_000n);
const [{ rules: OLDEST }] = kvaultReleases;

const contextOf = (rate: VectorRate, rules: VaultRules): VaultContext => ({
  exchanges: new Map([[RESERVE_A, exchangeOf(rate)]]),
  time: { slot: toSlot(200n), unix: NOW },
  rules,
});

describe('pending fees', () => {
  function payFees(
    {
      rate,
      fees,
      available,
      owned,
    }: { rate: VectorRate; fees: bigint; available: bigint; owned: bigint },
    rules: VaultRules,
  ) {
    const vault = vaultWith(
      {
        tokenAvailable: toLamports(available),
        pendingFeesSf: sfFromBits(fees),
        lastFeeChargeTimestamp: NOW,
      },
      [{ reserve: RESERVE_A, ctokenAllocation: owned }],
    );
    const effects = withdrawPendingFees(vault, contextOf(rate, rules), RESERVE_A);
    return {
      part: effects.availableToSendToUser,
      c: effects.investedToDisinvestCtokens,
      released: effects.investedLiquidityToDisinvest,
      paid: effects.investedLiquidityToSendToUser,
      after: effects.vault.tokenAvailable,
      left: effects.vault.pendingFeesSf,
    };
  }

  test.each([NEWEST_VAULT_RULES, OLDEST])('F1: the usual payment has not changed', (rules) => {
    const fees = 5_764_607_523_034_234_880_012_345n;
    expect(payFees({ rate: L0, fees, available: 1_000n, owned: 9_000_000_000n }, rules)).toEqual({
      part: 1_000n,
      c: 4_494_673n,
      released: 4_999_000n,
      paid: 4_998_999n,
      after: 1n,
      left: 12_345n,
    });
  });

  test('F2: a fraction below 60 bits withholds a lamport since 2.2', () => {
    const vector = { rate: BELOW_60_BITS, fees: 10n << 60n, available: 0n, owned: 3n };
    const paid = { part: 0n, c: 1n, released: 10n, left: 0n };
    expect(payFees(vector, NEWEST_VAULT_RULES)).toEqual({ ...paid, paid: 9n, after: 1n });
    expect(payFees(vector, OLDEST)).toEqual({ ...paid, paid: 10n, after: 0n });
  });
});
