import { describe, expect, test } from 'vitest';
import type { Address } from '#core/base/encoding/address.ts';
import { tokenAccount } from '#core/protocol/spl/layout/token-account.ts';
import { previewVaultFlow, type VaultFlow, vaultFlows } from '../support/flows/vault-flows.ts';

const flows = vaultFlows();

describe('the preview of vault operations and claims', () => {
  /** Flows with documented differences have other token changes. */
  const accepted = flows.filter(({ number }) => ![45, 46, 52, 94].includes(number));

  test.each(accepted)('$name: has the recorded token and SOL changes', (placed) => {
    const { failure, tokens, lamports } = previewVaultFlow(placed);
    expect(failure).toBeUndefined();
    const found = new Map(tokens.map(({ mint, change }) => [mint, change]));
    expect(found).toEqual(recordedChanges(placed));
    expect(lamports - FEE).toBe(lamportsOf(placed, 'after') - lamportsOf(placed, 'before'));
  });

  test('45, 46: burns all requested shares over two reserves', () => {
    const changes = flows
      .filter(({ number }) => number === 45 || number === 46)
      .map((placed) => previewVaultFlow(placed))
      .map(({ failure, tokens }) => [
        failure,
        tokens.map(({ change }) => change).filter((change) => change < 0n),
      ]);
    expect(changes).toEqual([
      [undefined, [-520_000_000_000n]],
      [undefined, [-1_500_000_000_000n]],
    ]);
  });

  test('94: an amount above the balance fails in the token program', () => {
    const failed = flows.filter(({ number }) => number === 94).map(previewVaultFlow);
    expect(failed).toMatchObject([
      {
        failure: { program: 'token', code: 1, name: 'InsufficientFunds' },
        tokens: [],
        lamports: 0n,
      },
    ]);
  });
});

/** The fee of one signature. */
const FEE = 5_000n;

const walletOf = ({ request }: VaultFlow): Address => request.request.wallet;

const lamportsOf = (placed: VaultFlow, when: 'before' | 'after'): bigint =>
  placed.flow[when].get(walletOf(placed))?.lamports ?? 0n;

/** The changes of the wallet's token accounts, by mint. */
function recordedChanges(placed: VaultFlow): Map<Address, bigint> {
  const changes = new Map<Address, bigint>();
  for (const [when, sign] of [['before', -1n] as const, ['after', 1n] as const]) {
    for (const account of placed.flow[when].values()) {
      if (account === undefined || !tokenAccount.matches(account)) continue;
      const { mint, owner, amount } = tokenAccount.decode(account);
      if (owner !== walletOf(placed)) continue;
      changes.set(mint, (changes.get(mint) ?? 0n) + sign * amount);
    }
  }
  return new Map([...changes].filter(([, change]) => change !== 0n));
}
