import { describe, expect, test } from 'vitest';
import type { Address } from '#core/base/encoding/address.ts';
import { tokenAccount } from '#core/protocol/spl/layout/token-account.ts';
import { previewVaultFlow, type VaultFlow, vaultFlows } from '../support/flows/vault-flows.ts';

const flows = vaultFlows();

describe('the forecast of vaults and claims', () => {
  /** Where we build something else, other tokens move; see the table. */
  const accepted = flows.filter(({ number }) => ![45, 46, 52, 94].includes(number));

  test.each(accepted)('$name: the tokens and the SOL that moved in the flow', (placed) => {
    const { failure, tokens, lamports } = previewVaultFlow(placed);
    expect(failure).toBeUndefined();
    const found = new Map(tokens.map(({ mint, change }) => [mint, change]));
    expect(found).toEqual(recordedChanges(placed));
    expect(lamports - FEE).toBe(lamportsOf(placed, 'after') - lamportsOf(placed, 'before'));
  });

  test('45, 46: every share that was asked for is burned, over two reserves', () => {
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

  test('94: more than the wallet has is refused by the token program', () => {
    const refused = flows.filter(({ number }) => number === 94).map(previewVaultFlow);
    expect(refused).toMatchObject([
      {
        failure: { program: 'token', code: 1, name: 'InsufficientFunds' },
        tokens: [],
        lamports: 0n,
      },
    ]);
  });
});

/** For the one signature. */
const FEE = 5_000n;

const walletOf = ({ request }: VaultFlow): Address => request.request.wallet;

const lamportsOf = (placed: VaultFlow, when: 'before' | 'after'): bigint =>
  placed.flow[when].get(walletOf(placed))?.lamports ?? 0n;

/** Of the wallet's token accounts, by mint. */
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
