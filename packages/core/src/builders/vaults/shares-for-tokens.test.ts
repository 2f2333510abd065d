import fc from 'fast-check';
import { expect, test } from 'vitest';
import { loadExampleContext } from '../../../../../test/support/builders/load-build-context.ts';
import { catchError } from '../../../../../test/support/errors/catch-error.ts';
import { assertProperty } from '../../../../../test/support/properties/assert-property.ts';
import { randomWithdrawals } from '../../../../../test/support/random/random-withdrawals.ts';
import {
  EXAMPLE_VAULT,
  exampleVaultAccounts,
  HOLDER,
} from '../../../../../test/support/vaults/example-vault-accounts.ts';
import { CodedError, hasCode } from '../../base/errors.ts';
import { resultOrError } from '../result-or-error.ts';
import { runVaultWithdrawal } from '../simulation/simulate-vault-withdraw.ts';
import { planVaultWithdrawal, vaultWithdrawBuilder } from './vault-withdraw-builder.ts';

type Vault = Parameters<typeof exampleVaultAccounts>[0];

/** Plans a withdrawal, and runs it some slots later with our model of the program. */
function withdraw(vault: Vault, amount: { tokens: bigint } | { shares: bigint }, later = 0n) {
  const request = { wallet: HOLDER, vault: EXAMPLE_VAULT, ...amount };
  const readable = exampleVaultAccounts(vault);
  const { context } = loadExampleContext(vaultWithdrawBuilder, request, readable);
  const plan = planVaultWithdrawal(request, context);
  const { state } = exampleVaultAccounts({ ...vault, later });
  const [tokens] = runVaultWithdrawal(plan, { ...context, state });
  return { shares: plan.requested.shares, paid: tokens?.added ?? 0n };
}

const part = fc.bigInt(1n, 1n << 20n);

test('property: the wallet receives at least the amount, whenever the transaction lands', () => {
  assertProperty(
    fc.property(randomWithdrawals, part, fc.bigInt(0n, 300n), ({ vault }, of, later) => {
      const worth = BigInt(vault.vault?.prevAumSf ?? 0n) >> 60n;
      const tokens = (worth * of) / (1n << 21n) + 1n;
      const result = resultOrError(() => withdraw(vault, { tokens }, later));
      fc.pre(!(result instanceof CodedError && hasCode(result, 'NOTHING_TO_BUILD')));
      if (result instanceof CodedError) throw result;
      expect(result.paid).toBeGreaterThanOrEqual(tokens);
    }),
    15,
  );
});

test('property: one share less pays less than the amount now or when the blockhash expires', () => {
  assertProperty(
    fc.property(randomWithdrawals, part, ({ vault }, of) => {
      const worth = BigInt(vault.vault?.prevAumSf ?? 0n) >> 60n;
      const tokens = (worth * of) / (1n << 21n) + 1n;
      const found = resultOrError(() => withdraw(vault, { tokens }));
      fc.pre(!(found instanceof CodedError) && found.shares > 1n);
      if (found instanceof CodedError) return;
      const paid = [0n, 300n].map((later) => {
        const less = resultOrError(() => withdraw(vault, { shares: found.shares - 1n }, later));
        return less instanceof CodedError ? 0n : less.paid;
      });
      expect(paid.some((each) => each < tokens)).toBe(true);
    }),
    10,
  );
});

/** 1,000,000 shares of a vault with 2,000,000 idle tokens. */
const even: Vault = {
  holdings: [],
  vault: { sharesIssued: 1_000_000n, tokenAvailable: 2_000_000n as never },
  holder: { loose: 1_000_000n, staked: 0n, tokens: 0n },
};

test('half a share more is a whole share more', () => {
  expect(withdraw(even, { tokens: 1_000n })).toEqual({ shares: 500n, paid: 1_000n });
  expect(withdraw(even, { tokens: 1_001n })).toEqual({ shares: 501n, paid: 1_002n });
});

test('more than the vault pays for all shares is refused with what it pays', () => {
  const error = catchError(() => withdraw(even, { tokens: 2_000_001n }));
  expect(error?.code).toBe('NOTHING_TO_BUILD');
  expect(error?.message).toContain('The vault pays about');
});

test('one token more than the vault can pay now is refused, whatever the wallet holds', () => {
  const idle = 1_000_000_000_000n;
  const lent = 10n * idle;
  const illiquid: Vault = {
    holdings: [{ ctokens: lent, available: 0n, borrowed: lent }],
    vault: { sharesIssued: idle + lent, tokenAvailable: idle as never },
    holder: { loose: 5n * idle, staked: 0n, tokens: 0n },
  };
  expect(withdraw(illiquid, { tokens: idle / 2n }).paid).toBe(idle / 2n);
  const error = catchError(() => withdraw(illiquid, { tokens: idle + 1n }));
  expect(error?.code).toBe('NOTHING_TO_BUILD');
});
