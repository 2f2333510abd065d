import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Address } from '#core/base/encoding/address.ts';
import type { Ratio } from '#core/base/numbers/decimal.ts';
import type { LendingActionKind } from '#core/builders/lending/lending-request.ts';
import { simulateLending } from '#core/builders/simulation/simulate-lending.ts';
import { NEWEST_LENDING_RULES } from '#core/protocol/klend/releases.ts';
import { viewLoanReport } from '#core/views/lending/loan-report.ts';
import { snapshotMarket } from '#core/views/lending/market-snapshot.ts';
import { modelPrograms } from '#localnet/programs/model-programs.ts';
import { executeInstructions } from '#localnet/runtime/execute-instructions.ts';
import { TransactionAccounts } from '#localnet/runtime/transaction-accounts.ts';
import { loadExampleContext } from '../../support/builders/load-build-context.ts';
import { lendingBuilders } from '../../support/flows/lending-flows.ts';
import {
  changedCluster,
  type GoldenLoan,
  loanChanges,
  vanillaGoldenLoans,
} from '../../support/lending/changed-golden-loans.ts';
import { assertProperty } from '../../support/properties/assert-property.ts';

const programs = modelPrograms();
type Cluster = ReturnType<typeof changedCluster>;

function reportOf({ address, fields }: GoldenLoan, { state }: Cluster) {
  const market = state.market(fields.lendingMarket);
  const obligation = state.obligation(address);
  if (market === undefined || obligation === undefined) throw new Error('the loan is missing');
  return viewLoanReport(
    obligation,
    snapshotMarket({
      market,
      reserves: state.reservesOf(fields.lendingMarket),
      prices: (feed) => state.prices(feed),
      at: state.at(),
      slotMs: state.slotMs(),
      rules: NEWEST_LENDING_RULES,
    }),
  );
}

type Action = {
  readonly intent: LendingActionKind;
  readonly loan: GoldenLoan;
  readonly reserve: Address;
  readonly amount: bigint;
};

/** Whether the preview and the executed transaction accept an amount. */
function outcomesOf({ intent, loan, reserve, amount }: Action, cluster: Cluster) {
  const { at, accounts, state } = cluster;
  const { owner: wallet, lendingMarket: market } = loan.fields;
  const request = { wallet, market, reserve, amount };
  const builder = lendingBuilders[intent];
  const { context } = loadExampleContext(builder, request, { state, accounts });
  const { failure } = simulateLending(intent, request, context);
  const { instructions } = builder.build(request, context);
  const live = new TransactionAccounts({ account: (address) => accounts.get(address) });
  const run = { programs, accounts: live, time: at, instructions, unitLimit: 1_400_000 };
  const { error } = executeInstructions(run);
  const executed = error === undefined ? 'accepted' : JSON.stringify(error);
  return { preview: failure === undefined ? 'accepted' : failure.name, executed };
}

const lamports = ({ numerator, denominator }: Ratio, decimals: bigint): bigint => {
  const scaled = numerator * 10n ** decimals;
  expect(scaled % denominator).toBe(0n);
  return scaled / denominator;
};

const ACCEPTED = { preview: 'accepted', executed: 'accepted' };

function expectLimit(action: Action, cluster: Cluster, isAll: boolean): void {
  const what = `${action.intent} ${action.amount} of ${action.reserve}`;
  if (action.amount > 0n) expect(outcomesOf(action, cluster), what).toEqual(ACCEPTED);
  // More than the whole deposit is the whole deposit.
  if (isAll) return;
  const more = outcomesOf({ ...action, amount: action.amount + 1n }, cluster);
  expect(more.preview, `${what} and one more`).not.toBe('accepted');
  expect(more.executed, `${what} and one more`).not.toBe('accepted');
}

test('property: each limit of a loan is accepted by preview and program, and one more is not', () => {
  const loans = vanillaGoldenLoans();
  expect(loans.length).toBeGreaterThan(8);
  const seen = { limited: 0, zero: 0, whole: 0 };
  assertProperty(
    fc.property(fc.constantFrom(...loans), loanChanges, (loan, changes) => {
      const cluster = changedCluster(loan, changes);
      const { deposits, borrows } = reportOf(loan, cluster);
      for (const { reserve, amount: held, maxWithdrawableTokens } of deposits) {
        const amount = lamports(maxWithdrawableTokens, reserve.decimals);
        const isAll = amount === held >> 60n;
        seen[isAll ? 'whole' : amount === 0n ? 'zero' : 'limited']++;
        const action = { intent: 'withdraw' as const, loan, reserve: reserve.address, amount };
        expectLimit(action, cluster, isAll);
      }
      for (const { reserve, maxBorrowableTokens } of borrows) {
        const amount = lamports(maxBorrowableTokens, reserve.decimals);
        seen[amount === 0n ? 'zero' : 'limited']++;
        const action = { intent: 'borrow' as const, loan, reserve: reserve.address, amount };
        expectLimit(action, cluster, false);
      }
    }),
    15,
    { seed: 18 },
  );
  for (const count of Object.values(seen)) expect(count).toBeGreaterThan(0);
});
