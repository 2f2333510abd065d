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

function preview(shares: AmountOrAll, options: ExampleVaultOptions): SimulationOutcome {
  const request = { wallet: HOLDER, vault: EXAMPLE_VAULT, shares };
  return simulateVaultWithdraw(
    request,
    loadExampleContext(vaultWithdrawBuilder, request, exampleVaultAccounts(options)).context,
  );
}

const changesOf = ({ tokens }: SimulationOutcome): bigint[] => tokens.map(({ change }) => change);

/**
 * 4,000,000 lent to the first reserve, 2,000,000 to the second, 1,000,000 idle; one lamport per
 * share.
 */
const lent = (first: bigint, second: bigint): ExampleVaultOptions => ({
  holdings: [
    { ctokens: 4_000_000n, available: first, borrowed: 10_000_000n },
    { ctokens: 2_000_000n, available: second, borrowed: 10_000_000n },
  ],
  vault: { tokenAvailable: toLamports(1_000_000n), sharesIssued: 7_000_000n },
  holder: { loose: 6_500_000n, tokens: 0n },
});

const PLENTY = 50_000_000n;

describe('the preview of a withdrawal', () => {
  test('exchanges shares for tokens over several reserves', () => {
    const { failure, ...moved } = preview(6_000_000n, lent(PLENTY, PLENTY));
    expect(failure).toBeUndefined();
    expect(changesOf({ failure, ...moved })).toEqual([6_000_000n, -6_000_000n]);
    expect(moved.lamports).toBe(0n);
  });

  test('takes staked shares from the farm, not from the wallet', () => {
    const holder = { loose: 300_000n, staked: 2_000_000n, tokens: 0n };
    const options = { ...lent(PLENTY, PLENTY), farm: {}, holder };
    expect(changesOf(preview(700_000n, options))).toEqual([700_000n, -300_000n]);
    expect(changesOf(preview(200_000n, options))).toEqual([200_000n, -200_000n]);
  });

  test('returns the rent of the share account if everything is withdrawn', () => {
    const { lamports, ...moved } = preview('all', lent(PLENTY, PLENTY));
    expect(changesOf({ lamports, ...moved })).toEqual([6_500_000n, -6_500_000n]);
    expect(lamports).toBe(2_039_280n);
  });

  test('unwraps SOL, including previously wrapped SOL and the rent', () => {
    const holder = { loose: 6_500_000n, tokens: 5_000n };
    const { tokens, lamports } = preview(1_000_000n, { ...lent(0n, 0n), isSol: true, holder });
    expect(tokens.map(({ change }) => change)).toEqual([-5_000n, -1_000_000n]);
    expect(lamports).toBe(1_000_000n + 5_000n + 2_039_280n);
    const fresh = { ...lent(0n, 0n), isSol: true, holder: { loose: 6_500_000n } };
    expect(preview(1_000_000n, fresh).lamports).toBe(1_000_000n);
  });

  test('withdraws previously unstaked shares from the farm', () => {
    const user = {
      pendingWithdrawalUnstakeScaled: 500_000n * 10n ** 18n,
      pendingWithdrawalUnstakeTs: NOW,
    };
    const farm = {
      totalPendingStakeScaled: 500_000n * 10n ** 18n,
      totalPendingAmount: toLamports(500_000n),
    };
    const holder = { loose: 300_000n, staked: 2_000_000n, tokens: 0n, user };
    const options = { ...lent(PLENTY, PLENTY), farm, holder };
    // 200000 of the 500000 are not requested and stay in the wallet
    expect(changesOf(preview(600_000n, options))).toEqual([600_000n, -100_000n]);
    expect(changesOf(preview(900_000n, options))).toEqual([900_000n, -300_000n]);
  });

  test('names the program that rejects it', () => {
    const rejection = (shares: AmountOrAll, options: ExampleVaultOptions) => {
      const { failure, tokens, lamports } = preview(shares, options);
      return [failure?.program, failure?.code, tokens.length, lamports];
    };
    expect(rejection(6_000_000n, lent(1_500_000n, 0n))).toEqual(['klend', 6008, 0, 0n]);
    expect(rejection(6_000_000n, lent(0n, PLENTY))).toEqual(['klend', 6008, 0, 0n]);
    const vault = { ...lent(0n, 0n).vault, minWithdrawAmount: toLamports(1_000n) };
    expect(rejection(1_000n, { ...lent(0n, 0n), vault })).toEqual(['kvault', 7004, 0, 0n]);
    const poor = { loose: 6_500_000n, lamports: 2_039_279n };
    expect(rejection(1_000_000n, { ...lent(0n, 0n), holder: poor })).toEqual(['system', 1, 0, 0n]);
  });

  test('of everything from an illiquid vault pays what is available', () => {
    expect(changesOf(preview('all', lent(1_500_000n, 0n)))).toEqual([2_499_999n, -2_499_999n]);
  });
});
