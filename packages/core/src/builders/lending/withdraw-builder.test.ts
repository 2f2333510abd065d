import { describe, expect, test } from 'vitest';
import { errorCode } from '../../../../../test/support/errors/catch-error.ts';
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
import type { Build } from '../build.ts';

const sol = reserveOfKind('sol');
const plain = reserveOfKind('plain');

const having = (
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
  test('becomes cTokens, rounded up', () => {
    // 1499999000000 lamports are 1400000000000 cTokens: 10^6 are 933333.95...
    const made = having([{ reserve: plain, amount: 10n ** 9n }]);
    const build = buildLendingRequest('withdraw', { of: plain, amount: 1_000_000n }, made);
    expect(collateralOf(build)).toBe(933_334n);
    expect(build.plan.receives.map(({ amount, certainty }) => [amount, certainty])).toEqual([
      [1_000_000n, 'at least'],
    ]);
    expect(build.plan.closes).toEqual([]);
  });

  test('above the deposit is passed on: the program pays out what there is, and the plan says so', () => {
    const made = having([{ reserve: plain, amount: 1400n }]);
    const build = buildLendingRequest('withdraw', { of: plain, amount: 2000n }, made);
    expect(collateralOf(build)).toBe(1867n);
    expect(build.plan.receives.map(({ amount, certainty }) => [amount, certainty])).toEqual([
      [1499n, 'about'],
    ]);
    expect(build.plan.notes[0]).toBe(
      'The deposit is 0.001499 T8 now, less than asked for: all of it is paid out.',
    );
    expect(build.plan.closes).toHaveLength(1);
  });

  test('of just the deposit takes all of it', () => {
    const made = having([{ reserve: plain, amount: 933_334n }]);
    const { plan } = buildLendingRequest('withdraw', { of: plain, amount: 1_000_000n }, made);
    expect(plan.closes).toHaveLength(1);
    expect(plan.receives[0]).toMatchObject({ amount: 1_000_000n, certainty: 'about' });
  });

  test('that is more than all there is asks for every cToken, never for "everything"', () => {
    const made = having([{ reserve: plain, amount: 1400n }]);
    const most = buildLendingRequest('withdraw', { of: plain, amount: 2n ** 64n - 2n }, made);
    expect(collateralOf(most)).toBe(1_400_000_000_000n);
  });

  test('of what the loan does not have is left to the program', () => {
    const made = having([{ reserve: sol, amount: 5n }]);
    expect(
      instructionNames(buildLendingRequest('withdraw', { of: plain, amount: 7n }, made)),
    ).toContain('withdrawObligationCollateralAndRedeemReserveCollateralV2');
  });
});

describe('everything', () => {
  test('is what the program takes for it', () => {
    const made = having([
      { reserve: plain, amount: 1400n },
      { reserve: sol, amount: 5n },
    ]);
    const build = buildLendingRequest('withdraw', { of: plain, amount: 'all' }, made);
    expect(collateralOf(build)).toBe(2n ** 64n - 1n);
    expect(build.plan.summary).toBe(`Withdraw all T8 from the market ${MARKET}.`);
    expect(build.plan.closes).toEqual([]);
  });

  test('of the only position closes the loan, and its rent comes back', () => {
    const made = having([{ reserve: plain, amount: 1400n }]);
    const { plan } = buildLendingRequest('withdraw', { of: plain, amount: 'all' }, made);
    expect(plan.closes).toEqual([
      { address: EXAMPLE_LOAN, what: 'loan account', refundLamports: LOAN_RENT },
    ]);
  });

  test('with debt is as much as the debt allows', () => {
    const made = having([{ reserve: plain, amount: 1400n }], [{ reserve: sol, amount: 5n }]);
    const { plan } = buildLendingRequest('withdraw', { of: plain, amount: 'all' }, made);
    expect(plan.receives[0]).toMatchObject({ amount: 1499n, certainty: 'at most' });
    expect(plan.closes).toEqual([]);
    expect(plan.notes).toEqual([
      'The loan has debt: as much is paid out as the debt allows, and the rest stays.',
    ]);
  });

  test('of nothing is refused', () => {
    const made = having([{ reserve: sol, amount: 5n }]);
    expect(
      errorCode(prepareLendingRequest('withdraw', { of: plain, amount: 'all' }, made).build),
    ).toBe('NOTHING_TO_BUILD');
  });
});

test('SOL arrives as SOL, and the loan is closed before the account of the wallet', () => {
  const made = having([{ reserve: sol, amount: 5_500n }]);
  const build = buildLendingRequest('withdraw', { of: sol, amount: 'all' }, made);
  expect(instructionNames(build).at(-1)).toBe('closeAccount');
  // 5999999000000 lamports are 5500000000000 cTokens
  expect(build.plan.closes.map(({ refundLamports }) => refundLamports)).toEqual([
    LOAN_RENT,
    2_039_280n + 5999n,
  ]);
});

test('a wallet without a loan is told so', () => {
  expect(errorCode(prepareLendingRequest('withdraw', { of: plain, amount: 1n }).build)).toBe(
    'KLEND_OBLIGATION_NOT_FOUND',
  );
});
