import { describe, expect, test } from 'vitest';
import { errorCode } from '../../../../../test/support/errors/catch-error.ts';
import { tokenAccountAddress } from '../../../../../test/support/lending/example-lending.ts';
import { curve, MARKET } from '../../../../../test/support/lending/lending-accounts.ts';
import {
  buildLendingRequest,
  instructionNames,
  prepareLendingRequest,
  reserveOfKind,
} from '../../../../../test/support/lending/lending-requests.ts';
import type { Build } from '../build.ts';

const sol = reserveOfKind('sol');
const plain = reserveOfKind('plain');

const ACTION = 'repayObligationLiquidityV2';
const owing = (reserve: typeof sol, amount: bigint) => ({
  loan: { borrows: [{ reserve, amount }] },
});

const wrappedBy = ({ instructions }: Build): bigint | undefined => {
  const transfer = instructions[1];
  return transfer && new DataView(transfer.data.buffer).getBigUint64(4, true);
};

test('nothing is created for another token than SOL, and the repayment is last', () => {
  const build = buildLendingRequest('repay', { of: plain, amount: 5n }, owing(plain, 10n));
  expect(instructionNames(build)).toEqual(['refreshReserve', 'refreshObligation', ACTION]);
  expect(build.plan.creates).toEqual([]);
});

test('a wallet without a loan is told so', () => {
  expect(errorCode(prepareLendingRequest('repay', { of: plain, amount: 1n }).build)).toBe(
    'KLEND_OBLIGATION_NOT_FOUND',
  );
});

test('in an elevation group every deposit is named behind it', () => {
  const deposits = [{ reserve: plain, amount: 5n }];
  const loan = { ...owing(sol, 10n).loan, deposits, elevationGroup: 1 };
  const { instructions } = buildLendingRequest('repay', { of: sol, amount: 5n }, { loan });
  expect(instructions.at(-2)?.accounts.at(-1)).toEqual({ address: plain.address, role: 1 });
});

describe('everything', () => {
  test('is what the program takes for it', () => {
    const { instructions, plan } = buildLendingRequest(
      'repay',
      { of: plain, amount: 'all' },
      owing(plain, 7n),
    );
    expect(instructions.at(-1)?.data.slice(8)).toEqual(new Uint8Array(8).fill(255));
    expect(plan.summary).toBe(`Repay all T8 that is owed to the market ${MARKET}.`);
    expect(plan.pays.map(({ amount, certainty }) => [amount, certainty])).toEqual([[7n, 'about']]);
  });

  test('of nothing is refused; an amount is left to the program', () => {
    expect(
      errorCode(prepareLendingRequest('repay', { of: plain, amount: 'all' }, owing(sol, 7n)).build),
    ).toBe('NOTHING_TO_BUILD');
    expect(
      instructionNames(buildLendingRequest('repay', { of: plain, amount: 7n }, owing(sol, 7n))).at(
        -1,
      ),
    ).toBe(ACTION);
  });

  test('of SOL wraps a million lamports more than is owed now, and unwraps what is left', () => {
    const build = buildLendingRequest(
      'repay',
      { of: sol, amount: 'all' },
      owing(sol, 3_000_000_000n),
    );
    expect(wrappedBy(build)).toBe(3_001_000_000n);
    expect(build.plan.closes[0]).toMatchObject({
      address: tokenAccountAddress(sol),
      refundLamports: 3_039_280n,
    });
  });

  test('of a debt that outgrows that until it lands wraps what it will be', () => {
    const { config } = sol.fields;
    // 100 % a year in 63072000 slots: 300 of them add 476 lamports to 10^8
    const borrowRateCurve = curve([
      [0, 10_000],
      [10_000, 10_000],
    ]);
    const dear = { ...config, borrowRateCurve, hostFixedInterestRateBps: 0 };
    const reserve = { ...sol, fields: { ...sol.fields, config: dear } };
    const made = { ...owing(reserve, 10n ** 12n), reserves: [reserve] };
    const wrapped =
      wrappedBy(buildLendingRequest('repay', { of: reserve, amount: 'all' }, made)) ?? 0n;
    expect(wrapped - 10n ** 12n).toBeGreaterThanOrEqual(4_756_468n);
    expect(wrapped - 10n ** 12n).toBeLessThan(4_756_600n);
  });
});

describe('an amount', () => {
  test('of SOL is wrapped as it is', () => {
    const build = buildLendingRequest('repay', { of: sol, amount: 5n }, owing(sol, 10n));
    expect(instructionNames(build)).toEqual([
      'createIdempotent',
      'transfer',
      'syncNative',
      'refreshReserve',
      'refreshObligation',
      ACTION,
      'closeAccount',
    ]);
    expect(wrappedBy(build)).toBe(5n);
  });

  test('above the debt is passed on, and the plan says what is taken', () => {
    const { instructions, plan } = buildLendingRequest(
      'repay',
      { of: plain, amount: 12n },
      owing(plain, 10n),
    );
    expect(instructions.at(-1)?.data[8]).toBe(12);
    expect(plan.pays[0]?.certainty).toBe('at most');
    expect(plan.notes).toEqual(['0.00001 T8 are owed now; no more than the debt is taken.']);
  });

  test('below the debt is paid exactly', () => {
    const { plan } = buildLendingRequest('repay', { of: plain, amount: 9n }, owing(plain, 10n));
    expect(plan.pays[0]).toMatchObject({ amount: 9n, certainty: 'exactly' });
    expect(plan.notes).toEqual([]);
  });

  test('above the debt of SOL that was wrapped before leaves the rest wrapped', () => {
    const made = { ...owing(sol, 10n), tokens: [{ reserve: sol, amount: 1_000_000_000n }] };
    const { plan } = buildLendingRequest('repay', { of: sol, amount: 2_000_000_010n }, made);
    expect(plan.closes).toEqual([]);
    expect(plan.notes.at(-1)).toBe(
      "The wallet's 1 SOL that were wrapped before stay wrapped. What is not taken, about 2 SOL, stays wrapped, too.",
    );
  });
});
