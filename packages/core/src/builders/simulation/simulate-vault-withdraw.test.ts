import { describe, expect, test } from 'vitest';
import { loadExampleContext } from '../../../../../test/support/builders/load-build-context.ts';
import { NOW } from '../../../../../test/support/lending/lending-accounts.ts';
import {
  EXAMPLE_VAULT,
  type ExampleVaultOptions,
  exampleVaultAccounts,
  HOLDER,
} from '../../../../../test/support/vaults/example-vault-accounts.ts';
import { toLamports } from '../../base/numbers/lamports.ts';
import type { AmountOrAll } from '../build.ts';
import { vaultWithdrawBuilder } from '../vaults/vault-withdraw-builder.ts';
import { simulateVaultWithdraw } from './simulate-vault-withdraw.ts';
import type { SimulationOutcome } from './simulation-outcome.ts';

function forecast(shares: AmountOrAll, made: ExampleVaultOptions): SimulationOutcome {
  const request = { wallet: HOLDER, vault: EXAMPLE_VAULT, shares };
  return simulateVaultWithdraw(
    request,
    loadExampleContext(vaultWithdrawBuilder, request, exampleVaultAccounts(made)).scene,
  );
}

const changesOf = ({ tokens }: SimulationOutcome): bigint[] => tokens.map(({ change }) => change);

/** 4000000 lent to the first reserve, 2000000 to the second, a million at hand; a share for a lamport. */
const lent = (first: bigint, second: bigint): ExampleVaultOptions => ({
  holdings: [
    { ctokens: 4_000_000n, available: first, borrowed: 10_000_000n },
    { ctokens: 2_000_000n, available: second, borrowed: 10_000_000n },
  ],
  vault: { tokenAvailable: toLamports(1_000_000n), sharesIssued: 7_000_000n },
  saver: { loose: 6_500_000n, tokens: 0n },
});

const PLENTY = 50_000_000n;

describe('the forecast of a withdrawal', () => {
  test('shares go and tokens come, over several reserves', () => {
    const { failure, ...moved } = forecast(6_000_000n, lent(PLENTY, PLENTY));
    expect(failure).toBeUndefined();
    expect(changesOf({ failure, ...moved })).toEqual([6_000_000n, -6_000_000n]);
    expect(moved.lamports).toBe(0n);
  });

  test('staked shares leave the farm, not the wallet', () => {
    const saver = { loose: 300_000n, staked: 2_000_000n, tokens: 0n };
    const made = { ...lent(PLENTY, PLENTY), farm: {}, saver };
    expect(changesOf(forecast(700_000n, made))).toEqual([700_000n, -300_000n]);
    expect(changesOf(forecast(200_000n, made))).toEqual([200_000n, -200_000n]);
  });

  test('the rent of the account for shares comes back when everything goes', () => {
    const { lamports, ...moved } = forecast('all', lent(PLENTY, PLENTY));
    expect(changesOf({ lamports, ...moved })).toEqual([6_500_000n, -6_500_000n]);
    expect(lamports).toBe(2_039_280n);
  });

  test('SOL comes as SOL, with what was wrapped before and the rent', () => {
    const saver = { loose: 6_500_000n, tokens: 5_000n };
    const { tokens, lamports } = forecast(1_000_000n, { ...lent(0n, 0n), isSol: true, saver });
    expect(tokens.map(({ change }) => change)).toEqual([-5_000n, -1_000_000n]);
    expect(lamports).toBe(1_000_000n + 5_000n + 2_039_280n);
    const fresh = { ...lent(0n, 0n), isSol: true, saver: { loose: 6_500_000n } };
    expect(forecast(1_000_000n, fresh).lamports).toBe(1_000_000n);
  });

  test('shares that were unstaked earlier are taken with it', () => {
    const user = {
      pendingWithdrawalUnstakeScaled: 500_000n * 10n ** 18n,
      pendingWithdrawalUnstakeTs: NOW,
    };
    const farm = {
      totalPendingStakeScaled: 500_000n * 10n ** 18n,
      totalPendingAmount: toLamports(500_000n),
    };
    const saver = { loose: 300_000n, staked: 2_000_000n, tokens: 0n, user };
    const made = { ...lent(PLENTY, PLENTY), farm, saver };
    // 200000 of the 500000 are not asked for and stay in the wallet
    expect(changesOf(forecast(600_000n, made))).toEqual([600_000n, -100_000n]);
    expect(changesOf(forecast(900_000n, made))).toEqual([900_000n, -300_000n]);
  });

  test('names the program that refuses', () => {
    const refusal = (shares: AmountOrAll, made: ExampleVaultOptions) => {
      const { failure, tokens, lamports } = forecast(shares, made);
      return [failure?.program, failure?.code, tokens.length, lamports];
    };
    expect(refusal(6_000_000n, lent(1_500_000n, 0n))).toEqual(['klend', 6008, 0, 0n]);
    expect(refusal(6_000_000n, lent(0n, PLENTY))).toEqual(['klend', 6008, 0, 0n]);
    const vault = { ...lent(0n, 0n).vault, minWithdrawAmount: toLamports(1_000n) };
    expect(refusal(1_000n, { ...lent(0n, 0n), vault })).toEqual(['kvault', 7004, 0, 0n]);
    const poor = { loose: 6_500_000n, lamports: 2_039_279n };
    expect(refusal(1_000_000n, { ...lent(0n, 0n), saver: poor })).toEqual(['system', 1, 0, 0n]);
  });

  test('who leaves a vault that is short is paid what there is', () => {
    expect(changesOf(forecast('all', lent(1_500_000n, 0n)))).toEqual([2_499_999n, -2_499_999n]);
  });
});
