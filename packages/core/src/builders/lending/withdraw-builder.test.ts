import { describe, expect, test } from 'vitest';
import { catchError } from '../../../../../test/support/errors/catch-error.ts';
import {
  EXAMPLE_LOAN,
  type ExampleReserveAmount,
} from '../../../../../test/support/lending/example-lending.ts';
import { MARKET } from '../../../../../test/support/lending/lending-accounts.ts';
import {
  buildLendingRequest,
  instructionNames,
  prepareLendingRequest,
  reserveOfKind,
} from '../../../../../test/support/lending/lending-requests.ts';
import { toLamports } from '../../base/numbers/lamports.ts';
import { sfFromInt } from '../../base/numbers/scaled-fraction.ts';
import type { Build } from '../build.ts';

const sol = reserveOfKind('sol');
const plain = reserveOfKind('plain');

const withPositions = (
  deposits: readonly ExampleReserveAmount[],
  borrows: readonly ExampleReserveAmount[] = [],
) => ({
  loan: { deposits, borrows },
});

const collateralOf = ({ instructions }: Build): bigint | undefined => {
  const action = instructions.find((_, i) =>
    instructionNames({ instructions })[i]?.startsWith('withdraw'),
  );
  return action && new DataView(action.data.buffer).getBigUint64(8, true);
};

const LOAN_RENT = 24_165_120n;

describe('an amount', () => {
  test('is converted to cTokens, rounded up', () => {
    // 1499999000000 lamports are 1400000000000 cTokens: 10^6 are 933333.95...
    const wallet = withPositions([{ reserve: plain, amount: 10n ** 9n }]);
    const build = buildLendingRequest('withdraw', { of: plain, amount: 1_000_000n }, wallet);
    expect(collateralOf(build)).toBe(933_334n);
    expect(build.plan.receives.map(({ amount, certainty }) => [amount, certainty])).toEqual([
      [1_000_000n, 'at least'],
    ]);
    expect(build.plan.closes).toEqual([]);
  });

  test('above the deposit is passed on: the program withdraws the deposit, with a note', () => {
    const wallet = withPositions([{ reserve: plain, amount: 1400n }]);
    const build = buildLendingRequest('withdraw', { of: plain, amount: 2000n }, wallet);
    expect(collateralOf(build)).toBe(1867n);
    expect(build.plan.receives.map(({ amount, certainty }) => [amount, certainty])).toEqual([
      [1499n, 'about'],
    ]);
    expect(build.plan.notes[0]).toBe(
      'The deposit is only 0.001499 T8 now; all of it is withdrawn.',
    );
    expect(build.plan.closes).toHaveLength(1);
  });

  test('equal to the deposit withdraws all of it', () => {
    const wallet = withPositions([{ reserve: plain, amount: 933_334n }]);
    const { plan } = buildLendingRequest('withdraw', { of: plain, amount: 1_000_000n }, wallet);
    expect(plan.closes).toHaveLength(1);
    expect(plan.receives[0]).toMatchObject({ amount: 1_000_000n, certainty: 'about' });
  });

  test('above the total supply requests every cToken, but never U64_MAX', () => {
    const wallet = withPositions([{ reserve: plain, amount: 1400n }]);
    const largest = buildLendingRequest('withdraw', { of: plain, amount: 2n ** 64n - 2n }, wallet);
    expect(collateralOf(largest)).toBe(1_400_000_000_000n);
  });

  test('without a deposit is left to the program', () => {
    const wallet = withPositions([{ reserve: sol, amount: 5n }]);
    expect(
      instructionNames(buildLendingRequest('withdraw', { of: plain, amount: 7n }, wallet)),
    ).toContain('withdrawObligationCollateralAndRedeemReserveCollateralV2');
  });
});

describe('the whole deposit', () => {
  test('is U64_MAX for the program', () => {
    const wallet = withPositions([
      { reserve: plain, amount: 1400n },
      { reserve: sol, amount: 5n },
    ]);
    const build = buildLendingRequest('withdraw', { of: plain, amount: 'all' }, wallet);
    expect(collateralOf(build)).toBe(2n ** 64n - 1n);
    expect(build.plan.summary).toBe(`Withdraw all T8 from the market ${MARKET}.`);
    expect(build.plan.closes).toEqual([]);
  });

  test('as the only position closes the loan and returns its rent', () => {
    const wallet = withPositions([{ reserve: plain, amount: 1400n }]);
    const { plan } = buildLendingRequest('withdraw', { of: plain, amount: 'all' }, wallet);
    expect(plan.closes).toEqual([
      { address: EXAMPLE_LOAN, what: 'loan account', refundLamports: LOAN_RENT },
    ]);
  });

  test('with debt is limited by the debt', () => {
    const wallet = withPositions(
      [{ reserve: plain, amount: 1400n }],
      [{ reserve: sol, amount: 5n }],
    );
    const { plan } = buildLendingRequest('withdraw', { of: plain, amount: 'all' }, wallet);
    // 1499.999 lamports, less 1 for 0.75 * 10^-6 USD of debt at an LTV of 75 %: 1399 cTokens
    expect(plan.receives[0]).toMatchObject({ amount: 1498n, certainty: 'at most' });
    expect(plan.closes).toEqual([]);
    expect(plan.notes[0]).toBe('The loan has debt: only as much as the debt allows is withdrawn.');
  });

  test('that the program rejects says how much it would pay', () => {
    const indebted = withPositions(
      [{ reserve: plain, amount: 1400n }],
      [{ reserve: sol, amount: 50_000n }],
    );
    const atLimit = buildLendingRequest('withdraw', { of: plain, amount: 'all' }, indebted).plan;
    expect(atLimit.receives[0]).toMatchObject({ amount: 0n, certainty: 'at most' });
    expect(atLimit.notes[0]).toBe(
      'The lending program rejects this now: at most 0 T8 can be withdrawn.',
    );
    const { liquidity } = plain.fields;
    const lent = sfFromInt(1_500_000_000_000n - 700n);
    const scarce = {
      ...plain,
      fields: {
        ...plain.fields,
        liquidity: {
          ...liquidity,
          totalAvailableAmount: toLamports(700n),
          borrowedAmountSf: lent,
        },
      },
    };
    const wallet = { ...withPositions([{ reserve: scarce, amount: 1400n }]), reserves: [scarce] };
    const { plan } = buildLendingRequest('withdraw', { of: scarce, amount: 'all' }, wallet);
    // 654 cTokens are 700.7 lamports, rounded down
    expect(plan.receives[0]).toMatchObject({ amount: 700n, certainty: 'at most' });
  });

  test('throws without a deposit', () => {
    const wallet = withPositions([{ reserve: sol, amount: 5n }]);
    expect(
      catchError(prepareLendingRequest('withdraw', { of: plain, amount: 'all' }, wallet).build)
        ?.code,
    ).toBe('NOTHING_TO_BUILD');
  });
});

test('SOL is unwrapped, and the loan is closed before the token account', () => {
  const wallet = withPositions([{ reserve: sol, amount: 5_500n }]);
  const build = buildLendingRequest('withdraw', { of: sol, amount: 'all' }, wallet);
  expect(instructionNames(build).at(-1)).toBe('closeAccount');
  // 5999999000000 lamports are 5500000000000 cTokens
  expect(build.plan.closes.map(({ refundLamports }) => refundLamports)).toEqual([
    LOAN_RENT,
    2_039_280n + 5999n,
  ]);
});

test('a wallet without a loan throws', () => {
  expect(catchError(prepareLendingRequest('withdraw', { of: plain, amount: 1n }).build)?.code).toBe(
    'KLEND_OBLIGATION_NOT_FOUND',
  );
});
