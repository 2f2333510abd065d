import { describe, expect, test } from 'vitest';
import { loadExampleContext } from '../../../../../test/support/builders/load-build-context.ts';
import { catchError } from '../../../../../test/support/errors/catch-error.ts';
import {
  EXAMPLE_RESERVES,
  EXAMPLE_WALLET,
  type ExampleWallet,
  exampleAddress,
  exampleLending,
} from '../../../../../test/support/lending/example-lending.ts';
import { MARKET } from '../../../../../test/support/lending/lending-accounts.ts';
import {
  instructionNames,
  reserveOfKind,
} from '../../../../../test/support/lending/lending-requests.ts';
import { toLamports } from '../../base/numbers/lamports.ts';
import { compileTransaction } from '../compile-transaction.ts';
import { loanExitPlanner } from './exit-planner.ts';

const sol = reserveOfKind('sol');
const plain = reserveOfKind('plain');
const request = { wallet: EXAMPLE_WALLET, market: MARKET };

function plan(wallet: ExampleWallet, budget = {}) {
  const { context } = loadExampleContext(loanExitPlanner, request, exampleLending(wallet));
  return loanExitPlanner.plan({ ...request, ...budget }, context);
}

/** 1,000 T8 deposited and 0.5 SOL (75 USD) owed. */
const indebted: ExampleWallet = {
  loan: {
    deposits: [{ reserve: plain, amount: 1_000_000_000n }],
    borrows: [{ reserve: sol, amount: 500_000_000n }],
  },
};

const actions = (names: readonly string[]): string[] =>
  names.filter((name) => /^(repay|withdraw|harvest)/.test(name));

describe('a loan with a debt and a deposit', () => {
  test('is repaid and closed in one transaction', () => {
    const transactions = plan(indebted);
    expect(transactions.map(({ build }) => actions(instructionNames(build)))).toEqual([
      ['repayObligationLiquidityV2', 'withdrawObligationCollateralAndRedeemReserveCollateralV2'],
    ]);
    const [{ outcome, build } = { outcome: undefined, build: undefined }] = transactions;
    expect(outcome?.loan?.before).toBeDefined();
    expect(outcome?.loan?.after).toBeUndefined();
    expect(build?.plan.closes.map(({ what }) => what)).toEqual([
      'token account for wrapped SOL',
      'loan account',
    ]);
    // 10^9 cTokens are worth 1.4999989999 / 1.4 of a token each
    expect(outcome?.tokens.map(({ change }) => change)).toEqual([1_071_427_857n]);
  });

  test('takes two transactions with a compute unit limit, which is that of one step', () => {
    const transactions = plan(indebted, { computeUnitLimit: 400_000, computeUnitPrice: 1_000n });
    expect(transactions.map(({ build }) => instructionNames(build).slice(0, 2))).toEqual([
      ['setComputeUnitLimit', 'setComputeUnitPrice'],
      ['setComputeUnitLimit', 'setComputeUnitPrice'],
    ]);
    // 5000 for the signature and 400000 × 1000 / 10^6
    expect(transactions.map(({ feeLamports }) => feeLamports)).toEqual([5_400n, 5_400n]);
  });

  test('of a wallet without enough SOL is refused with what is missing', () => {
    const error = catchError(() => plan({ ...indebted, lamports: 101_000_000n }));
    expect(error?.code).toBe('PLAN_UNFUNDED');
    expect(error?.message).toMatch(/lacks 0\.40\d+ SOL\./);
  });
});

test('everything that is missing is named at once', () => {
  const other = EXAMPLE_RESERVES[9] ?? plain;
  const error = catchError(() =>
    plan({
      lamports: 1_000_000n,
      loan: {
        deposits: [{ reserve: plain, amount: 1_000_000_000n }],
        borrows: [
          { reserve: sol, amount: 500_000_000n },
          { reserve: other, amount: 7_000_000n },
        ],
      },
      tokens: [{ reserve: other, amount: 3_000_000n }],
    }),
  );
  expect(error?.code).toBe('PLAN_UNFUNDED');
  expect(error?.message).toMatch(/lacks 0\.5\d+ SOL and 4 T9\./);
});

test('a reserve without liquidity is not a lack of the wallet', () => {
  const { liquidity } = plain.fields;
  const empty = {
    ...plain,
    fields: { ...plain.fields, liquidity: { ...liquidity, totalAvailableAmount: toLamports(5n) } },
  };
  const reserves = EXAMPLE_RESERVES.map((each) => (each.address === plain.address ? empty : each));
  const error = catchError(() =>
    plan({ reserves, loan: { deposits: [{ reserve: empty, amount: 1_000_000_000n }] } }),
  );
  expect(error?.code).toBe('PLAN_REJECTED');
  expect(error?.message).toContain('Withdraw all T8');
});

test('every transaction fits, and many positions take several', () => {
  const deposits = [8, 10, 12, 14].flatMap((i) => EXAMPLE_RESERVES[i] ?? []);
  const transactions = plan({
    loan: { deposits: deposits.map((reserve) => ({ reserve, amount: 1_000_000_000n })) },
  });
  expect(transactions.length).toBeGreaterThan(1);
  for (const { build } of transactions) {
    const { bytes } = compileTransaction(build, exampleAddress('blockhash'));
    expect(bytes).toBeLessThanOrEqual(1232);
  }
  expect(transactions.at(-1)?.outcome.loan?.after).toBeUndefined();
});

test('a wallet without a loan and without rewards has nothing to exit', () => {
  expect(catchError(() => plan({}))?.code).toBe('KLEND_OBLIGATION_NOT_FOUND');
});
