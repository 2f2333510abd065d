import { expect, test } from 'vitest';
import { parseLendingRequest } from '#core/builders/lending/lending-request.ts';
import { simulateLending } from '#core/builders/simulation/simulate-lending.ts';
import { simulateVaultDeposit } from '#core/builders/simulation/simulate-vault-deposit.ts';
import { vaultDepositBuilder } from '#core/builders/vaults/vault-deposit-builder.ts';
import { parseVaultDepositRequest } from '#core/builders/vaults/vault-request.ts';
import { loadExampleContext } from '../../../support/builders/load-build-context.ts';
import { lendingBuilders } from '../../../support/flows/lending-flows.ts';
import { goldenReader } from '../../../support/golden/golden-reader.ts';
import { decodedSimulation, SIMULATION_END } from '../../../support/localnet/simulated-genesis.ts';

const actions = ['deposit', 'borrow', 'repay', 'withdraw'] as const;

/** Each test creates a cluster. */

test.each(['tidegate', 'another', '', '7'])(
  'seed "%s": the demo actions succeed for the demo wallet',
  (seed) => {
    const { accounts, metadata } = decodedSimulation(seed);
    const { wallet, market, obligation } = metadata.demo;
    const state = goldenReader({ at: SIMULATION_END, accounts });
    for (const action of actions) {
      const request = parseLendingRequest(
        action,
        { wallet, market, ...metadata.demo[action] },
        state,
      );
      const { context } = loadExampleContext(lendingBuilders[action], request, { state, accounts });
      expect(context.accounts.has(obligation)).toBe(true);
      const { failure, tokens, lamports, loan } = simulateLending(action, request, context);
      expect(failure, action).toBeUndefined();
      expect(loan?.after, action).toBeDefined();
      expect(tokens.length > 0 || lamports !== 0n, action).toBe(true);
    }
  },
);

test.each(['tidegate', 'another', '', '7'])(
  'seed "%s": the demo deposit into a vault succeeds for the demo wallet',
  (seed) => {
    const { accounts, metadata } = decodedSimulation(seed);
    const { wallet, vault, vaultDeposit } = metadata.demo;
    expect(vaultDeposit.kvault).toBe(vault);
    const state = goldenReader({ at: SIMULATION_END, accounts });
    const request = parseVaultDepositRequest({ wallet, ...vaultDeposit }, state);
    const { context } = loadExampleContext(vaultDepositBuilder, request, { state, accounts });
    expect(simulateVaultDeposit(request, context).failure).toBeUndefined();
  },
);

test("the demo amounts are small compared to the wallet's balances", () => {
  const { obligations, metadata } = decodedSimulation('tidegate');
  const { deposits, borrows } = obligations.get(metadata.demo.obligation) ?? {};
  const { withdraw, repay } = metadata.demo;
  const deposit = deposits?.find(({ depositReserve }) => depositReserve === withdraw.reserve);
  const debt = borrows?.find(({ borrowReserve }) => borrowReserve === repay.reserve);
  // 0.5 SOL with 9 decimals, 10 USDC with 6.
  expect(deposit?.depositedAmount).toBeGreaterThan(100n * 500_000_000n);
  expect((debt?.borrowedAmountSf ?? 0n) >> 60n).toBeGreaterThan(100n * 10_000_000n);
});
