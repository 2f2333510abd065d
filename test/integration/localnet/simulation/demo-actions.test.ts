import { expect, test } from 'vitest';
import { parseLendingRequest } from '#core/builders/lending/lending-request.ts';
import { simulateLending } from '#core/builders/simulation/simulate-lending.ts';
import { loadExampleContext } from '../../../support/builders/load-build-context.ts';
import { lendingBuilders } from '../../../support/flows/lending-flows.ts';
import { goldenReader } from '../../../support/golden/golden-reader.ts';
import { decodedSimulation, SIMULATION_END } from '../../../support/localnet/simulated-genesis.ts';

const acts = ['deposit', 'borrow', 'repay', 'withdraw'] as const;

/** A cluster is made in each. */
const slow = { timeout: 60_000 };

test.each(['tidegate', 'another', '', '7'])(
  'seed "%s": what newcomers are shown succeeds for the wallet that they are shown',
  slow,
  (seed) => {
    const { accounts, metadata } = decodedSimulation(seed);
    const { wallet, market, obligation } = metadata.demo;
    const state = goldenReader({ at: SIMULATION_END, accounts });
    for (const act of acts) {
      const request = parseLendingRequest(act, { wallet, market, ...metadata.demo[act] }, state);
      const { context } = loadExampleContext(lendingBuilders[act], request, { state, accounts });
      expect(context.accounts.has(obligation)).toBe(true);
      const { failure, tokens, lamports, loan } = simulateLending(act, request, context);
      expect(failure, act).toBeUndefined();
      expect(loan?.after, act).toBeDefined();
      expect(tokens.length > 0 || lamports !== 0n, act).toBe(true);
    }
  },
);

test('it is little of what the wallet has', () => {
  const { obligations, metadata } = decodedSimulation('tidegate');
  const { deposits, borrows } = obligations.get(metadata.demo.obligation) ?? {};
  const { withdraw, repay } = metadata.demo;
  const deposit = deposits?.find(({ depositReserve }) => depositReserve === withdraw.reserve);
  const debt = borrows?.find(({ borrowReserve }) => borrowReserve === repay.reserve);
  // 0.5 of SOL with 9 decimals, 10 of USDC with 6
  expect(deposit?.depositedAmount).toBeGreaterThan(100n * 500_000_000n);
  expect((debt?.borrowedAmountSf ?? 0n) >> 60n).toBeGreaterThan(100n * 10_000_000n);
});
